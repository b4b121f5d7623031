package io.orestes.caching;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orestes.caching.purge.SharedCaches;
import io.orestes.group.Replication;
import java.time.InstantSource;

/** Caches in their default configuration. */
public final class TestCaches {

    private TestCaches() {}

    /** Creates the caches of a single server without shared caches. */
    public static Caches on(InstantSource clock) {
        return on(clock, CachingConfig.DEFAULTS);
    }

    public static Caches on(InstantSource clock, CachingConfig config) {
        return Caches.create(config, SharedCaches.NONE, Replication.STANDALONE, clock, new SimpleMeterRegistry());
    }

    /** Creates the caches of a single server with shared caches to purge. */
    static Caches with(SharedCaches shared, InstantSource clock) {
        return Caches.create(CachingConfig.DEFAULTS, shared, Replication.STANDALONE, clock, new SimpleMeterRegistry());
    }

    /** Creates the caches of one server of a group. */
    public static Caches replicated(Replication replication, InstantSource clock) {
        return Caches.create(CachingConfig.DEFAULTS, SharedCaches.NONE, replication, clock, new SimpleMeterRegistry());
    }
}
