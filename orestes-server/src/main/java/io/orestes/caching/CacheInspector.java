package io.orestes.caching;

import io.orestes.caching.purge.PurgeTargetState;
import io.orestes.caching.purge.SharedCacheStatistics;
import io.orestes.caching.purge.SharedCaches;
import io.orestes.caching.response.BusiestKeys;
import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.response.ResponseCache;
import io.orestes.caching.sketch.BloomFilter;
import io.orestes.caching.sketch.SketchContents;
import io.orestes.caching.sketch.SketchStatistics;
import io.orestes.caching.sketch.StaleKeys;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The operator's view of all caches. Its reads count in no statistics and change no cache.
 * Thread-safe.
 */
public final class CacheInspector {

    private final LocalCaches local;
    private final PeerCacheAccess replica;
    private final InvalidationBarrier barrier;
    private final TtlMetrics ttlMetrics;
    private final InstantSource clock;

    CacheInspector(
            LocalCaches local,
            PeerCacheAccess replica,
            InvalidationBarrier barrier,
            TtlMetrics ttlMetrics,
            InstantSource clock) {
        this.local = local;
        this.replica = replica;
        this.barrier = barrier;
        this.ttlMetrics = ttlMetrics;
        this.clock = clock;
    }

    /** Returns the time in ms since 1970 by the clock of all times of copies. */
    public long millis() {
        return clock.millis();
    }

    /** Returns the memory usage of the response cache. */
    public ResponseCacheUsage responseCacheUsage() {
        ResponseCache responses = local.responses();
        return new ResponseCacheUsage(responses.entryCount(), responses.usedBytes(), responses.maxBytes());
    }

    /**
     * The memory usage of the response cache: entries, bytes and their limit.
     *
     * @param maxBytes limit; beyond it the least used responses are evicted
     */
    public record ResponseCacheUsage(long entries, long bytes, long maxBytes) {}

    /** Returns the accuracy of granted times to live: one entry for objects, one for queries. */
    public List<TtlAccuracy> ttlAccuracy() {
        return ttlMetrics.statistics();
    }

    /** Returns the states of the shared caches that receive purges. */
    public List<PurgeTargetState> targets() {
        return local.shared().targets();
    }

    /**
     * Returns the maximum lag of the shared caches, see {@link SharedCaches#lag}. Empty with
     * several servers, each of which purges.
     */
    public Future<Optional<Duration>> purgeLag() {
        return barrier.lag();
    }

    /** Requests the read counters of the shared caches; completes on the caller's context. */
    public Future<List<SharedCacheStatistics>> fetchSharedCacheStatistics() {
        return local.shared().fetchStatistics();
    }

    /** Returns the most read keys, the busiest first. */
    public List<BusiestKeys.Usage> busiest(int most) {
        return local.busiest().busiest(most);
    }

    /** Returns the response that the response cache stores for a key. */
    public Optional<CachedResponse> copy(String key) {
        return local.responses().peek(key);
    }

    /**
     * Returns the caching state of one key, by the filter that clients load now. Fails as
     * {@link PeerCacheAccess#sketchSnapshot} does.
     */
    public KeyReport state(String key) {
        BloomFilter filter = replica.sketchSnapshot().filter();
        long now = clock.millis();
        StaleKeys staleKeys = local.staleKeys();
        Optional<SketchContents.SketchEntry> known = staleKeys.find(key);
        long cachedUntil =
                known.map(SketchContents.SketchEntry::cachedUntilMillis).orElseGet(staleKeys::untrackedUntil);
        long stale =
                Math.max(known.map(SketchContents.SketchEntry::staleUntilMillis).orElse(0L), staleKeys.allStaleUntil());
        return new KeyReport(
                copy(key).orElse(null),
                known.isPresent(),
                cachedUntil > now ? cachedUntil : 0,
                stale > now ? stale : 0,
                filter.contains(key),
                local.urls().variants(key));
    }

    /** Returns the state of the sketch. */
    public SketchReport sketchReport() {
        long now = clock.millis();
        StaleKeys staleKeys = local.staleKeys();
        SketchStatistics filter = staleKeys.state();
        long allStaleUntil = staleKeys.allStaleUntil();
        boolean isFull = allStaleUntil > now;
        return new SketchReport(
                filter.staleKeys(),
                staleKeys.trackedCount(),
                filter.capacity(),
                filter.size(),
                isFull ? 1 : filter.fill(),
                isFull ? allStaleUntil : 0,
                staleKeys.untrackedUntil() > now ? staleKeys.untrackedUntil() : 0);
    }

    /**
     * Returns all stale keys with the time when they leave the filter. Takes time linear in the
     * tracked keys.
     */
    public Map<String, Instant> staleKeyExpirations() {
        return local.staleKeys().expirations();
    }
}
