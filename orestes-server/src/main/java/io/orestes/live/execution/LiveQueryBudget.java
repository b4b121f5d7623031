package io.orestes.live.execution;

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
public final class LiveQueryBudget {

    private final long maxBytes;
    private final Set<LiveQueryShare> shares = new HashSet<>();
    private long taken;

    /** @param maxBytes bytes of all of them; a single one may be larger */
    public LiveQueryBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Returns the share of one query, empty at first.
     *
     * @param onEviction called when the query is evicted, on the thread of any other query; must
     *     take no lock
     */
    public LiveQueryShare share(Consumer<ApiException> onEviction) {
        return new LiveQueryShare(onEviction);
    }

    /** Returns the used bytes. */
    synchronized long usedBytes() {
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
                .withRetryAfter(Duration.ofSeconds(1));
    }

    /** The share of one live query in the memory budget. */
    public final class LiveQueryShare {

        private final Consumer<ApiException> onEvict;
        private long bytes;
        private boolean ended;

        private LiveQueryShare(Consumer<ApiException> leave) {
            this.onEvict = leave;
        }

        /**
         * Sets the bytes of the query; larger ones may be evicted. Fails with {@code UNAVAILABLE},
         * without a change, if the query would itself be the largest.
         */
        public void reserve(long now) {
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
            while (taken > maxBytes && shares.size() > 1) {
                LiveQueryShare largest = largest();
                if (largest.bytes == bytes) {
                    return false;
                }
                largest.end();
                largest.onEvict.accept(full());
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
        public void end() {
            synchronized (LiveQueryBudget.this) {
                set(0);
                ended = true;
            }
        }
    }
}
