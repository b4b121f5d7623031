package io.orestes.caching;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.caching.response.ResponseCache;
import io.orestes.caching.sketch.StaleKeys;

/** Every meter of this package; the names are part of the operator's interface. */
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
                .description("Heap taken by the response cache")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("orestes.caching.sketch.stale", staleKeys, StaleKeys::staleCount)
                .description("Keys in the filter of stale keys")
                .register(registry);
        Gauge.builder("orestes.caching.sketch.tracked", staleKeys, StaleKeys::trackedCount)
                .description("Keys that caches may hold, as far as tracked one by one")
                .register(registry);
    }
}
