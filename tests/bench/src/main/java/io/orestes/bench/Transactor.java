package io.orestes.bench;

import io.vertx.core.Future;

/** Somebody who does the transactions of {@link Accounts}. Used by one event loop alone. */
interface Transactor {

    /**
     * Reads the objects, one after the other, and replaces the first {@link Accounts#WRITES} of
     * them. Whoever came too late is not tried again; what fails for another reason fails.
     */
    Future<Ending> transact(int[] objects);

    /**
     * How one ended.
     *
     * @param commitNanos how long the commit took; 0 unless there was one
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
        /** Came too late. */
        ABORTED,
        /** A server could not answer at the moment. */
        REFUSED
    }
}
