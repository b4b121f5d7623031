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

/** The operator's view of all caches, which leaves no trace in them. Thread-safe. */
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

    /** Responses in memory and what they take. */
    public ResponseCacheUsage memory() {
        return new ResponseCacheUsage(responses.entryCount(), responses.usedBytes(), responses.maxBytes());
    }

    /**
     * The memory usage of the response cache: entries, bytes and their limit.
     *
     * @param maxBytes with more, the least used responses make room
     */
    public record ResponseCacheUsage(long entries, long bytes, long maxBytes) {}

    /** What the estimates of times to live were worth: one for objects, one for queries. */
    public List<TtlStatistics> lifetimes() {
        return lifetimes.statistics();
    }

    /** The shared caches that are told to forget. */
    public List<PurgeTargetState> targets() {
        return shared.targets();
    }

    /** The keys that are read most, the busiest first. */
    public List<BusiestKeys.Usage> busiest(int most) {
        return busiest.busiest(most);
    }

    /** What the response cache holds of a key. */
    public Optional<CachedResponse> copy(String key) {
        return responses.peek(key);
    }

    /** What is known of one key, with the filter as clients get it now. */
    public KeyState state(String key, BloomFilter filter) {
        long now = clock.millis();
        Optional<SketchContents.SketchEntry> known = staleKeys.find(key);
        long held = known.map(SketchContents.SketchEntry::heldUntilMillis).orElseGet(staleKeys::untrackedUntil);
        long stale =
                Math.max(known.map(SketchContents.SketchEntry::staleUntilMillis).orElse(0L), staleKeys.allStaleUntil());
        return new KeyState(
                copy(key),
                known.isPresent(),
                held > now ? held : 0,
                stale > now ? stale : 0,
                filter.contains(key),
                queryUrlVariants.of(key));
    }
}
