package io.orestes.caching;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.caching.response.ResponseCache;
import io.orestes.caching.sketch.StaleKeys;

/** The metrics of response cache and sketch; their names are part of the operator's interface. */
final class CachingMetrics {

    private CachingMetrics() {}

    static void bind(MeterRegistry registry, ResponseCache responses, StaleKeys staleKeys) {
        FunctionCounter.builder("orestes.caching.response.requests", responses, ResponseCache::hitCount)
                .tag("result", "hit")
                .description("Look-ups in the response cache")
                .register(registry);
        FunctionCounter.builder("orestes.caching.response.requests", responses, ResponseCache::missCount)
                .tag("result", "miss")
                .description("Look-ups in the response cache")
                .register(registry);
        Gauge.builder("orestes.caching.response.entries", responses, ResponseCache::entryCount)
                .description("Responses in the response cache")
                .register(registry);
        Gauge.builder("orestes.caching.response.size", responses, ResponseCache::usedBytes)
                .description("Heap that the response cache uses")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("orestes.caching.sketch.stale", staleKeys, StaleKeys::staleCount)
                .description("Keys in the filter of stale keys")
                .register(registry);
        Gauge.builder("orestes.caching.sketch.tracked", staleKeys, StaleKeys::trackedCount)
                .description("Tracked keys that caches may retain")
                .register(registry);
        bindFilter(registry, staleKeys);
    }

    private static void bindFilter(MeterRegistry registry, StaleKeys staleKeys) {
        Gauge.builder("orestes.caching.sketch.capacity", staleKeys, keys -> keys.state()
                        .capacity())
                .description("Capacity of the filter in stale keys; beyond it false positives increase")
                .register(registry);
        Gauge.builder("orestes.caching.sketch.bits", staleKeys, keys -> keys.state()
                        .size()
                        .bits())
                .description("Length of the filter of stale keys")
                .register(registry);
        Gauge.builder("orestes.caching.sketch.fill", staleKeys, keys -> keys.state()
                        .fill())
                .description("Share of the filter's bits that are set")
                .register(registry);
        FunctionCounter.builder("orestes.caching.sketch.resizes", staleKeys, keys -> keys.state()
                        .growths())
                .tag("to", "larger")
                .description("Replacements of the filter by one of another size")
                .register(registry);
        FunctionCounter.builder("orestes.caching.sketch.resizes", staleKeys, keys -> keys.state()
                        .shrinks())
                .tag("to", "smaller")
                .description("Replacements of the filter by one of another size")
                .register(registry);
    }
}
