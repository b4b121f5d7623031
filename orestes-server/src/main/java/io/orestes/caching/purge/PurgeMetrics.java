package io.orestes.caching.purge;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of purges at one target; their names are part of the operator's interface.
 * Thread-safe.
 */
final class PurgeMetrics {

    private static final double MEDIAN = 0.5;
    private static final double PERCENTILE_99 = 0.99;

    private final String name;
    private final Counter sent;
    private final Counter confirmed;
    private final Counter failed;
    private final Counter givenUp;
    private final Counter flushes;
    private final Timer latency;
    private final AtomicInteger backlog;

    /** Time of the last confirmation by {@link System#nanoTime()}; 0 if there was none. */
    private volatile long confirmedAtNanos;

    PurgeMetrics(MeterRegistry registry, PurgeTarget target) {
        name = target.toString();
        sent = registry.counter("orestes.caching.purge.sent", "target", name);
        confirmed = registry.counter("orestes.caching.purge.confirmed", "target", name);
        failed = registry.counter("orestes.caching.purge.failed", "target", name);
        givenUp = registry.counter("orestes.caching.purge.dead", "target", name);
        flushes = registry.counter("orestes.caching.purge.flushes", "target", name);
        latency = Timer.builder("orestes.caching.purge.latency")
                .description("Time from the purge request to its confirmation")
                .tag("target", name)
                .publishPercentiles(MEDIAN, PERCENTILE_99)
                .register(registry);
        backlog = new AtomicInteger();
        registry.gauge("orestes.caching.purge.backlog", Tags.of("target", name), backlog);
    }

    void countSent(PurgeRequest purgeRequest) {
        sent.increment();
        if (purgeRequest.equals(PurgeRequest.EVERYTHING)) {
            flushes.increment();
        }
    }

    void countConfirmed(long nanos) {
        confirmed.increment();
        confirmedAtNanos = System.nanoTime();
        latency.record(Duration.ofNanos(nanos));
    }

    /** Counts purges that were sent and not confirmed. */
    void countFailed(int purges) {
        failed.increment(purges);
    }

    /**
     * Counts purges that are given up permanently: refused, or unconfirmed while a copy could live.
     */
    void countGivenUp(int purges) {
        givenUp.increment(purges);
    }

    /** Adds to the number of purges that wait or are unconfirmed; negative if it shrank. */
    void addToBacklog(int purges) {
        backlog.addAndGet(purges);
    }

    PurgeTargetState state(boolean isLate) {
        return new PurgeTargetState(
                name,
                isLate,
                backlog.get(),
                (long) sent.count(),
                (long) confirmed.count(),
                (long) failed.count(),
                (long) givenUp.count(),
                (long) flushes.count(),
                sinceConfirmed(confirmedAtNanos),
                latency(latency.takeSnapshot().percentileValues()));
    }

    private static @Nullable Duration sinceConfirmed(long atNanos) {
        return atNanos == 0 ? null : Duration.ofNanos(System.nanoTime() - atNanos);
    }

    private static PurgeTargetState.PurgeLatency latency(ValueAtPercentile[] values) {
        return new PurgeTargetState.PurgeLatency(at(MEDIAN, values), at(PERCENTILE_99, values));
    }

    private static Duration at(double percentile, ValueAtPercentile[] values) {
        return Arrays.stream(values)
                .filter(value -> value.percentile() == percentile)
                .findFirst()
                .map(value -> Duration.ofNanos((long) value.value(TimeUnit.NANOSECONDS)))
                .orElse(Duration.ZERO);
    }
}
