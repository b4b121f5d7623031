package io.orestes.caching;

import io.vertx.core.Future;
import java.time.Duration;

/**
 * The port through which caching replicates admissions, invalidations and purges to the other
 * servers. Thread-safe.
 */
public interface CacheReplication {

    /** There are no others and never will be. */
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

    /** Whether this server is one that never has others. */
    boolean areNone();

    /**
     * Whether this server still belongs to its group, so that it has been told, or is going to be
     * told before anybody is answered, of all that others write. Only then it may hand out what it
     * remembers, or say what is stale. Cheap.
     */
    boolean isCurrent();

    /**
     * Tells all others that caches may hold the key for that time from now on; completes when they
     * know, on the caller's context.
     */
    Future<Void> held(String key, Duration time);

    /**
     * Tells all others that there is a newer state of the key; {@link #settled} says when they
     * know.
     */
    void stale(String key);

    /**
     * Tells all others to have every copy forgotten, and that those which may be left are stale.
     */
    void purged();

    /** Tells all others to forget everything. */
    void cleared();

    /**
     * Succeeds on the caller's context when all others know of what became {@link #stale} before
     * this call.
     */
    Future<Void> settled();
}
