package io.orestes.caching;

import io.vertx.core.Future;
import java.time.Duration;

/**
 * The port through which caching replicates admissions, invalidations and purges to the other
 * servers. Thread-safe.
 */
public interface CacheReplication {

    /** The replication of a server that has no other servers, now and later. */
    CacheReplication NONE = new CacheReplication() {
        @Override
        public boolean isStandalone() {
            return true;
        }

        @Override
        public boolean isCurrent() {
            return true;
        }

        @Override
        public Future<Void> replicateAdmission(String key, Duration time) {
            return Future.succeededFuture();
        }

        @Override
        public void replicateInvalidation(String key) {}

        @Override
        public void replicatePurge() {}

        @Override
        public void replicateClear() {}

        @Override
        public Future<Void> awaitAcknowledged() {
            return Future.succeededFuture();
        }
    };

    /** Returns whether this server never has other servers. */
    boolean isStandalone();

    /**
     * Returns whether this server still belongs to its group. Then it receives all writes of others
     * before their clients are answered. Only then it may send cached responses or say which keys
     * are stale. Cheap.
     */
    boolean isCurrent();

    /**
     * Reports to all others that caches may retain the key for {@code time} from now on. Completes
     * on the caller's context when all others have acknowledged.
     */
    Future<Void> replicateAdmission(String key, Duration time);

    /**
     * Reports to all others that the key has a newer state; {@link #awaitAcknowledged} waits for
     * the acknowledgements.
     */
    void replicateInvalidation(String key);

    /** Requests all others to purge every copy and to count copies that remain as stale. */
    void replicatePurge();

    /** Requests all others to drop everything. */
    void replicateClear();

    /**
     * Succeeds on the caller's context when all others have acknowledged every {@link
     * #replicateInvalidation} before this call.
     */
    Future<Void> awaitAcknowledged();
}
