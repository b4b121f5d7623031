package io.orestes.bench.cluster;

import io.vertx.core.Future;

/** Runs the transactions of {@link Accounts}. Used by one event loop alone. */
interface Transactor {

    /**
     * Reads the objects, one after the other, and replaces the first {@link Accounts#WRITES} of
     * them. A transaction that conflicts is not tried again; any other failure fails.
     */
    Future<Ending> transact(int[] objects);

    /**
     * The end of a transaction.
     *
     * @param commitNanos duration of the commit; 0 unless there was one
     */
    record Ending(Kind kind, long commitNanos) {

        static final Ending ABORTED = new Ending(Kind.ABORTED, 0);
        static final Ending REFUSED = new Ending(Kind.REFUSED, 0);

        static Ending committed(long nanos) {
            return new Ending(Kind.COMMITTED, nanos);
        }
    }

    enum Kind {
        COMMITTED,
        /** A conflict with another transaction. */
        ABORTED,
        /** A server was temporarily unavailable. */
        REFUSED
    }
}
