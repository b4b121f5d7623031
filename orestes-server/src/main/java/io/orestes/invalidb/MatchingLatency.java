package io.orestes.invalidb;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * A histogram of the time from the publication of a write until all results it changes are
 * reported. Writes to classes without queries take no time and do not count. Thread-safe; takes no
 * locks.
 */
public final class MatchingLatency {

    private static final Duration[] BOUNDS = LongStream.of(
                    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000)
            .mapToObj(micros -> Duration.ofNanos(micros * 1_000))
            .toArray(Duration[]::new);

    private final Timer timer;

    /** @param registry a registry with cumulative buckets, such as that of Prometheus */
    public MatchingLatency(MeterRegistry registry) {
        this.timer = Timer.builder("orestes.realtime.matching")
                .description("Time from the publication of a write until every result that it changes was reported")
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
    }

    void matched(long nanos) {
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Returns the number of writes by latency, since the start of the server; by rising bounds. */
    public List<LatencyBucket> buckets() {
        HistogramSnapshot snapshot = timer.takeSnapshot();
        List<LatencyBucket> buckets = new ArrayList<>();
        long below = 0;
        for (CountAtBucket bucket : snapshot.histogramCounts()) {
            long upTo = (long) bucket.count();
            buckets.add(new LatencyBucket(bucket.bucket(TimeUnit.NANOSECONDS) / 1e6, upTo - below));
            below = upTo;
        }
        buckets.add(new LatencyBucket(Double.POSITIVE_INFINITY, Math.max(0, snapshot.count() - below)));
        return List.copyOf(buckets);
    }

    /**
     * One bucket of the latency histogram: its upper bound in milliseconds and the number of
     * writes.
     *
     * @param atMostMillis upper bound of the latency, above that of the bucket before; infinite
     *     for the last
     */
    public record LatencyBucket(double atMostMillis, long count) {}
}
