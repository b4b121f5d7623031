package io.orestes.live;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The memory budget that the windows and aggregates of all live queries share; it evicts the
 * largest first. So a few queries that any client may subscribe to cannot use up the heap, and
 * small ones are not affected. Thread-safe.
 */
final class LiveQueryBudget {

    private final long most;
    private final Set<LiveQueryShare> shares = new HashSet<>();
    private long taken;

    /** @param most bytes of all of them; a single one may be larger */
    LiveQueryBudget(long most) {
        this.most = most;
    }

    /**
     * Returns the share of one query, empty at first.
     *
     * @param leave called when the query is evicted, on the thread of any other query; must
     *     take no lock
     */
    LiveQueryShare share(Consumer<ApiException> leave) {
        return new LiveQueryShare(leave);
    }

    /** Returns the used bytes. */
    synchronized long taken() {
        return taken;
    }

    private LiveQueryShare largest() {
        return shares.stream()
                .max(Comparator.comparingLong(liveQueryShare -> liveQueryShare.bytes))
                .orElseThrow();
    }

    private static ApiException full() {
        return new ApiException(
                        ErrorCode.UNAVAILABLE,
                        "Live queries take too much of the server's memory, and this one the most;"
                                + " try again in a moment")
                .after(Duration.ofSeconds(1));
    }

    /** The share of one live query in the memory budget. */
    final class LiveQueryShare {

        private final Consumer<ApiException> leave;
        private long bytes;
        private boolean ended;

        private LiveQueryShare(Consumer<ApiException> leave) {
            this.leave = leave;
        }

        /**
         * Sets the bytes of the query; larger ones may be evicted. Fails with {@code UNAVAILABLE},
         * without a change, if the query would itself be the largest.
         */
        void hold(long now) {
            synchronized (LiveQueryBudget.this) {
                if (!ended && now != bytes) {
                    long before = bytes;
                    set(now);
                    if (!makeRoom()) {
                        set(before);
                        throw full();
                    }
                }
            }
        }

        private boolean makeRoom() {
            while (taken > most && shares.size() > 1) {
                LiveQueryShare largest = largest();
                if (largest.bytes == bytes) {
                    return false;
                }
                largest.end();
                largest.leave.accept(full());
            }
            return true;
        }

        private void set(long now) {
            taken += now - bytes;
            bytes = now;
            if (now == 0) {
                shares.remove(this);
            } else {
                shares.add(this);
            }
        }

        /** Ends the share permanently. */
        void end() {
            synchronized (LiveQueryBudget.this) {
                set(0);
                ended = true;
            }
        }
    }
}
