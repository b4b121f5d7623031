package io.orestes.read.watch;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The metrics of reads, with every meter of this package. Their names are part of the operator's
 * interface.
 */
public final class ReadMetrics {

    private ReadMetrics() {}

    /** Registers the meters. */
    public static void bind(MeterRegistry registry, CachedQueryRegistry cached) {
        Gauge.builder("orestes.read.queries.cached", cached, CachedQueryRegistry::size)
                .description("Keys of cached query results, also of those with copies in other caches only")
                .register(registry);
        FunctionCounter.builder("orestes.read.queries.evicted", cached, CachedQueryRegistry::evicted)
                .description("Queries evicted for others, with all copies of their results")
                .register(registry);
        FunctionCounter.builder("orestes.read.queries.late", cached, CachedQueryRegistry::lateCount)
                .description("Responses that are not cacheable because their queries were not watched in time")
                .register(registry);
    }
}
