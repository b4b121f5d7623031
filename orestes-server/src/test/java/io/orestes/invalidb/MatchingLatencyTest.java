package io.orestes.invalidb;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.orestes.invalidb.MatchingLatency.LatencyBucket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The histogram in the form that operators receive. */
final class MatchingLatencyTest {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MatchingLatency latency = new MatchingLatency(registry);

    @Test
    void buckets_nothingMatched_areEmptyAndRise() {
        List<LatencyBucket> buckets = latency.buckets();

        assertThat(buckets).extracting(LatencyBucket::count).containsOnly(0L);
        assertThat(buckets).extracting(LatencyBucket::atMostMillis).isSorted().startsWith(0.1, 0.25);
        assertThat(buckets.get(buckets.size() - 1).atMostMillis()).isInfinite();
    }

    @Test
    void buckets_writesOfSeveralLatencies_countEachOnce() {
        matched(Duration.ofNanos(100_000));
        matched(Duration.ofNanos(100_001));
        matched(Duration.ofMillis(2));
        matched(Duration.ofSeconds(20));

        assertThat(latency.buckets().stream().filter(bucket -> bucket.count() > 0))
                .containsExactly(
                        new LatencyBucket(0.1, 1),
                        new LatencyBucket(0.25, 1),
                        new LatencyBucket(2.5, 1),
                        new LatencyBucket(Double.POSITIVE_INFINITY, 1));
        assertThat(registry.scrape()).contains("orestes_realtime_matching_seconds_bucket{le=\"0.0025\"} 3");
    }

    private void matched(Duration took) {
        latency.matched(took.toNanos());
    }
}
