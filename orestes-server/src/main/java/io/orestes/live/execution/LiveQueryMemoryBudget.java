package io.orestes.live.execution;

import io.orestes.limits.EvictingBudget;
import io.orestes.limits.EvictionPolicy;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The memory budget that the windows and aggregates of all live queries share; it evicts the
 * largest first. So a few queries that any client may subscribe to cannot use up the heap, and
 * small ones are not affected. Thread-safe.
 */
public final class LiveQueryMemoryBudget {

    private final EvictingBudget memory;

    /** @param maxBytes bytes of all of them; a single one may be larger */
    public LiveQueryMemoryBudget(long maxBytes) {
        this.memory = new EvictingBudget(maxBytes, EvictionPolicy.largest());
    }

    /**
     * Returns the share of one query, empty at first.
     *
     * @param onEviction called when the query is evicted, on the thread of any other query; must
     *     take no lock
     */
    public LiveQueryShare share(Consumer<ApiException> onEviction) {
        return new LiveQueryShare(memory.share(0, () -> onEviction.accept(exhausted())));
    }

    /** Returns the used bytes. */
    long usedBytes() {
        return memory.usedBytes();
    }

    private static ApiException exhausted() {
        return new ApiException(
                        ErrorCode.UNAVAILABLE,
                        "Live queries take too much of the server's memory, and this one the most;"
                                + " try again in a moment")
                .withRetryAfter(Duration.ofSeconds(1));
    }

    /** The share of one live query in the memory budget. */
    public static final class LiveQueryShare {

        private final EvictingBudget.Share share;

        private LiveQueryShare(EvictingBudget.Share share) {
            this.share = share;
        }

        /**
         * Sets the bytes of the query; larger ones may be evicted. Fails with {@code UNAVAILABLE},
         * without a change, if the query would itself be the largest. Does nothing after the end.
         */
        public void reserve(long bytes) {
            if (!share.tryResize(bytes)) {
                throw exhausted();
            }
        }

        /** Ends the share permanently. */
        public void end() {
            share.end();
        }
    }
}
