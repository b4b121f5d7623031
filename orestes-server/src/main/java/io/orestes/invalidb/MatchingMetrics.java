package io.orestes.invalidb;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** The metrics of query matching; their names are part of the operator's interface. */
public final class MatchingMetrics {

    private MatchingMetrics() {}

    /** Registers the metrics, and measures the matching latency from now on. */
    public static MatchingLatency bind(MeterRegistry registry, InvalidbClient matching) {
        Gauge.builder("orestes.realtime.late", matching, each -> each.isLate() ? 1 : 0)
                .description("1 while writes wait too long to be matched and no result of a query is cached, else 0")
                .register(registry);
        FunctionCounter.builder("orestes.realtime.lags", matching, InvalidbClient::lags)
                .description("How often writes began to wait too long; all cached results of queries were dropped")
                .register(registry);
        FunctionCounter.builder("orestes.realtime.unmatched", matching, InvalidbClient::unmatched)
                .description("Writes that could not be matched; all cached results of queries were dropped")
                .register(registry);
        Gauge.builder("orestes.realtime.queries", matching, InvalidbClient::activeQueries)
                .description("Distinct queries that are matched, live or cached")
                .register(registry);
        MatchingLatency latency = new MatchingLatency(registry);
        matching.listenToLatency(latency::matched);
        return latency;
    }
}
