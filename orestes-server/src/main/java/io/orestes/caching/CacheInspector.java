package io.orestes.caching;

import io.orestes.caching.purge.PurgeTargetState;
import io.orestes.caching.purge.SharedCaches;
import io.orestes.caching.response.BusiestKeys;
import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.response.QueryUrlVariants;
import io.orestes.caching.response.ResponseCache;
import io.orestes.caching.sketch.BloomFilter;
import io.orestes.caching.sketch.SketchContents;
import io.orestes.caching.sketch.StaleKeys;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The operator's view of all caches. Its reads count in no statistics and change no cache.
 * Thread-safe.
 */
public final class CacheInspector {

    private final InstantSource clock;
    private final ResponseCache responses;
    private final BusiestKeys busiest;
    private final StaleKeys staleKeys;
    private final QueryUrlVariants queryUrlVariants;
    private final SharedCaches shared;
    private final TtlMetrics lifetimes;

    CacheInspector(
            InstantSource clock,
            ResponseCache responses,
            BusiestKeys busiest,
            StaleKeys staleKeys,
            QueryUrlVariants queryUrlVariants,
            SharedCaches shared,
            TtlMetrics lifetimes) {
        this.clock = clock;
        this.responses = responses;
        this.busiest = busiest;
        this.staleKeys = staleKeys;
        this.queryUrlVariants = queryUrlVariants;
        this.shared = shared;
        this.lifetimes = lifetimes;
    }

    /** Returns the memory usage of the response cache. */
    public ResponseCacheUsage responseCacheUsage() {
        return new ResponseCacheUsage(responses.entryCount(), responses.usedBytes(), responses.maxBytes());
    }

    /**
     * The memory usage of the response cache: entries, bytes and their limit.
     *
     * @param maxBytes limit; beyond it the least used responses are evicted
     */
    public record ResponseCacheUsage(long entries, long bytes, long maxBytes) {}

    /** Returns the accuracy of granted times to live: one entry for objects, one for queries. */
    public List<TtlStatistics> ttlStatistics() {
        return lifetimes.statistics();
    }

    /** Returns the states of the shared caches that receive purges. */
    public List<PurgeTargetState> targets() {
        return shared.targets();
    }

    /** Returns the most read keys, the busiest first. */
    public List<BusiestKeys.Usage> busiest(int most) {
        return busiest.busiest(most);
    }

    /** Returns the response that the response cache stores for a key. */
    public Optional<CachedResponse> copy(String key) {
        return responses.peek(key);
    }

    /**
     * Returns the caching state of one key; {@code filter} is the filter as clients load it now.
     */
    public KeyState state(String key, BloomFilter filter) {
        long now = clock.millis();
        Optional<SketchContents.SketchEntry> known = staleKeys.find(key);
        long cachedUntil =
                known.map(SketchContents.SketchEntry::cachedUntilMillis).orElseGet(staleKeys::untrackedUntil);
        long stale =
                Math.max(known.map(SketchContents.SketchEntry::staleUntilMillis).orElse(0L), staleKeys.allStaleUntil());
        return new KeyState(
                copy(key),
                known.isPresent(),
                cachedUntil > now ? cachedUntil : 0,
                stale > now ? stale : 0,
                filter.contains(key),
                queryUrlVariants.of(key));
    }
}
