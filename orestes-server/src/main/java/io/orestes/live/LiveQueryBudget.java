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
 * largest first. So a few queries that anybody may subscribe to cannot use up the heap, and small
 * ones are not affected. Thread-safe.
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
     * What one query holds, nothing at first.
     *
     * @param leave called on whatever thread asks for room when the query has to go; must take no
     *     lock
     */
    LiveQueryShare share(Consumer<ApiException> leave) {
        return new LiveQueryShare(leave);
    }

    /** Bytes that are taken now. */
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
                        "Live queries take too much of the server's memory, and this one the most; try again in a moment")
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
         * Says how much the query holds from now on; larger ones may have to go. Fails with {@code
         * UNAVAILABLE}, and counts what it was told before, if the query would itself be the
         * largest.
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

        /** It holds nothing any more, and never will. */
        void end() {
            synchronized (LiveQueryBudget.this) {
                set(0);
                ended = true;
            }
        }
    }
}
