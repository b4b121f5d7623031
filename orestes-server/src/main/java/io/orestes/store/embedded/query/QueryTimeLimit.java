package io.orestes.store.embedded.query;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time limit of queries, which also cancels all of them when the store closes. For use by all
 * threads that run queries.
 */
public final class QueryTimeLimit {

    private final Duration budget;
    private final LongSupplier nanos;
    private volatile boolean stopped = false;

    /**
     * Creates a limit for all queries.
     *
     * @param nanos a monotonic clock, as {@link System#nanoTime}
     */
    public QueryTimeLimit(Duration budget, LongSupplier nanos) {
        this.budget = budget;
        this.nanos = nanos;
    }

    /** Starts the time of one query. */
    QueryTimer start() {
        return new QueryTimer(nanos.getAsLong());
    }

    /** Ends all running queries, and later ones as well. */
    public void stop() {
        stopped = true;
    }

    /** The timer of one running query, which fails the query when its time is up. */
    final class QueryTimer {

        private final long start;

        private QueryTimer(long start) {
            this.start = start;
        }

        /**
         * Fails if the query has to end. Takes well below a microsecond, so that it can be called
         * before each object.
         */
        void check() {
            if (stopped) {
                throw new ApiException(ErrorCode.UNAVAILABLE, "The store is closed");
            }
            if (nanos.getAsLong() - start > TimeUnit.NANOSECONDS.convert(budget)) {
                throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, tooLong());
            }
        }

        private String tooLong() {
            return "The query takes too long; it was stopped after " + budget.toMillis() + " ms";
        }
    }
}
