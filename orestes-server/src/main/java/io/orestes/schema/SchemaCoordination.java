package io.orestes.schema;

import io.vertx.core.Future;
import java.util.Set;

/**
 * The coordination of schema changes with the other servers that share the stored schema. Futures
 * complete on the caller's context.
 */
public interface SchemaCoordination {

    /** Coordination of a single server. */
    SchemaCoordination NONE = new SchemaCoordination() {
        @Override
        public void requireCurrent() {}

        @Override
        public Future<SchemaLock> turn() {
            return Future.succeededFuture(SchemaLock.FOR_EVER);
        }

        @Override
        public Future<Void> changed() {
            return Future.succeededFuture();
        }
    };

    /**
     * Fails with {@code UNAVAILABLE} while this server has lost its group, since no other server
     * would receive its changes.
     */
    void requireCurrent();

    /**
     * Acquires the lock when no other server rewrites stored objects. Fails with {@code
     * UNAVAILABLE} after a time-out. An unfinished change of a crashed server is then in the store.
     */
    Future<SchemaLock> turn();

    /** Succeeds when all other servers use the stored schema. Paused servers stay paused. */
    Future<Void> changed();

    /** The exclusive right to rewrite stored objects for a schema change. */
    interface SchemaLock {

        /** The lock of a single server. */
        SchemaLock FOR_EVER = new SchemaLock() {
            @Override
            public void requireCurrent() {}

            @Override
            public Future<Void> pause(Set<String> buckets) {
                return Future.succeededFuture();
            }

            @Override
            public Future<Void> resume() {
                return Future.succeededFuture();
            }

            @Override
            public void giveUp(Set<String> buckets) {}

            @Override
            public void end() {}
        };

        /**
         * Fails with {@code UNAVAILABLE} if other servers may have excluded this one and continue
         * its change.
         */
        void requireCurrent();

        /**
         * Succeeds when all other servers delay reads of these classes and refuse writes, and their
         * earlier reads and writes have ended. They stay paused until {@link #resume}.
         */
        Future<Void> pause(Set<String> buckets);

        /**
         * Ends the pause after a completed or undone change. Succeeds when all servers, this one
         * included, use the stored schema and have resumed.
         */
        Future<Void> resume();

        /**
         * Abandons a change that left objects of these classes half rewritten: this server pauses,
         * too, until the next owner of the lock has completed it.
         */
        void giveUp(Set<String> buckets);

        /** Releases the lock. To be called once. */
        void end();
    }
}
