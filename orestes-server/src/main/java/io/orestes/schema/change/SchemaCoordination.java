package io.orestes.schema.change;

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
        public void requireConnected() {}

        @Override
        public Future<SchemaLock> acquireLock() {
            return Future.succeededFuture(SchemaLock.UNCONTENDED);
        }

        @Override
        public Future<Void> publishChange() {
            return Future.succeededFuture();
        }
    };

    /**
     * Fails with {@code UNAVAILABLE} while this server has lost its group, since no other server
     * would receive its changes.
     */
    void requireConnected();

    /**
     * Acquires the lock when no other server rewrites stored objects. Fails with {@code
     * UNAVAILABLE} after a time-out. An unfinished change of a crashed server is then in the store.
     */
    Future<SchemaLock> acquireLock();

    /** Succeeds when all other servers use the stored schema. Paused servers stay paused. */
    Future<Void> publishChange();

    /** The exclusive right to rewrite stored objects for a schema change. */
    interface SchemaLock {

        /** The lock of a single server. */
        SchemaLock UNCONTENDED = new SchemaLock() {
            @Override
            public void requireValid() {}

            @Override
            public Future<Void> pauseOthers(Set<String> buckets) {
                return Future.succeededFuture();
            }

            @Override
            public Future<Void> resumeAll() {
                return Future.succeededFuture();
            }

            @Override
            public void abandon(Set<String> buckets) {}

            @Override
            public void release() {}
        };

        /**
         * Fails with {@code UNAVAILABLE} if other servers may have excluded this one and continue
         * its change.
         */
        void requireValid();

        /**
         * Succeeds when all other servers delay reads of these classes and refuse writes, and their
         * earlier reads and writes have ended. They stay paused until {@link #resumeAll}.
         */
        Future<Void> pauseOthers(Set<String> buckets);

        /**
         * Ends the pause after a completed or undone change. Succeeds when all servers, this one
         * included, use the stored schema and have resumed.
         */
        Future<Void> resumeAll();

        /**
         * Abandons a change that left objects of these classes half rewritten: this server pauses,
         * too, until the next owner of the lock has completed it.
         */
        void abandon(Set<String> buckets);

        /** Releases the lock. To be called once. */
        void release();
    }
}
