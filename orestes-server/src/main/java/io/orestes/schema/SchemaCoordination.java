package io.orestes.schema;

import io.vertx.core.Future;
import java.util.Set;

/**
 * The coordination of schema changes with the other servers that share the stored schema. Futures
 * complete on the caller's context.
 */
public interface SchemaCoordination {

    /** There are none. */
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
     * Fails with {@code UNAVAILABLE} while this server has lost touch with the others: nobody would
     * hear of its changes.
     */
    void requireCurrent();

    /**
     * Waits until no other server changes stored objects for another schema. Fails with {@code
     * UNAVAILABLE} if that takes long. What a server that is gone left unfinished is then found in
     * the store.
     */
    Future<SchemaLock> turn();

    /**
     * Succeeds when all others go by the schema that is stored. Who was told to pause goes on
     * pausing.
     */
    Future<Void> changed();

    /** The exclusive right to change stored objects for a schema change. */
    interface SchemaLock {

        /** That of the only server. */
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
         * Fails with {@code UNAVAILABLE} if others may believe this server to be gone, and go on
         * with what it does.
         */
        void requireCurrent();

        /**
         * Succeeds when all others hold up reads of these classes and refuse writes, and none that
         * they began before is under way; they do so until {@link #resume}.
         */
        Future<Void> pause(Set<String> buckets);

        /**
         * All is done or undone: succeeds when all, this server included, go by the schema that is
         * stored, and on with what was paused.
         */
        Future<Void> resume();

        /**
         * Objects of these classes are left half changed: this server pauses, too, until whoever
         * has a turn has finished it.
         */
        void giveUp(Set<String> buckets);

        /** Lets others. To be called once. */
        void end();
    }
}
