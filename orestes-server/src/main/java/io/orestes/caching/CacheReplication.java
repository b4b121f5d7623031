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
        public boolean areNone() {
            return true;
        }

        @Override
        public boolean isCurrent() {
            return true;
        }

        @Override
        public Future<Void> held(String key, Duration time) {
            return Future.succeededFuture();
        }

        @Override
        public void stale(String key) {}

        @Override
        public void purged() {}

        @Override
        public void cleared() {}

        @Override
        public Future<Void> settled() {
            return Future.succeededFuture();
        }
    };

    /** Returns whether this server never has other servers. */
    boolean areNone();

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
    Future<Void> held(String key, Duration time);

    /**
     * Reports to all others that the key has a newer state; {@link #settled} waits for the
     * acknowledgements.
     */
    void stale(String key);

    /** Requests all others to purge every copy and to count copies that remain as stale. */
    void purged();

    /** Requests all others to drop everything. */
    void cleared();

    /**
     * Succeeds on the caller's context when all others have acknowledged every {@link #stale}
     * before this call.
     */
    Future<Void> settled();
}
