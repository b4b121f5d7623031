package io.orestes.caching;

import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.caching.purge.SharedCaches;
import io.orestes.caching.response.BusiestKeys;
import io.orestes.caching.response.ResponseCache;
import io.orestes.caching.sketch.StaleKeys;
import io.orestes.caching.ttl.TtlEstimator;
import io.orestes.group.Replication;
import java.time.Duration;
import java.time.InstantSource;

/**
 * The module of all caches of one server: four parts over one state, each for one kind of caller.
 *
 * @param reads the part for reads
 * @param invalidator the part for writes and for changes of query results
 * @param administrator the part for operators and for changes of whole classes
 * @param replica the part for messages of other servers, and for the sketch of clients
 * @param staleKeys the sketch itself, which outlives the process in a file
 */
public record Caches(
        ReadCache reads,
        CacheInvalidator invalidator,
        CacheAdministrator administrator,
        PeerCacheAccess replica,
        StaleKeys staleKeys) {

    /**
     * Time by which a copy may outlive its grant. An {@code Age} loses up to a second by rounding,
     * and up to 0.8 s of a fetch that Varnish does not count.
     */
    public static final Duration LIFETIME_TOLERANCE = Duration.ofSeconds(2);

    /**
     * Creates empty caches.
     *
     * @param shared the shared caches to purge
     * @param replication the other servers with which the caches are replicated
     * @param registry receives the metrics
     */
    public static Caches create(
            CachingConfig config,
            SharedCaches shared,
            Replication replication,
            InstantSource clock,
            MeterRegistry registry) {
        TtlMetrics ttlMetrics = new TtlMetrics(registry);
        LocalCaches local = new LocalCaches(
                new ResponseCache(config.responseBytes(), clock),
                new BusiestKeys(clock),
                new StaleKeys(config.sketch(), clock),
                new TtlEstimator(config.ttl(), clock, ttlMetrics),
                new UnchangedResultDetector(clock),
                shared,
                new ResourceUrls(config, shared, clock));
        InvalidationBarrier barrier = new InvalidationBarrier(shared, replication);
        CacheInvalidator invalidator = new CacheInvalidator(local, replication, barrier);
        PeerCacheAccess replica = new PeerCacheAccess(local, invalidator, replication, barrier, clock);
        CacheInspector inspector = new CacheInspector(local, replica, barrier, ttlMetrics, clock);
        CachingMetrics.bind(registry, local.responses(), local.staleKeys());
        return new Caches(
                new ReadCache(local, replication, config.sharesUnpurged(), clock),
                invalidator,
                new CacheAdministrator(local, replication, barrier, inspector),
                replica,
                local.staleKeys());
    }
}
