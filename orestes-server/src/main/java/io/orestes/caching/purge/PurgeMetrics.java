package io.orestes.caching.purge;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The metrics of purges at one target; their names are part of the operator's interface.
 * Thread-safe.
 */
final class PurgeMetrics {

    private static final double MEDIAN = 0.5;
    private static final double MOST = 0.99;

    private final String name;
    private final Counter sent;
    private final Counter confirmed;
    private final Counter failed;
    private final Counter dead;
    private final Counter flushes;
    private final Timer latency;
    private final AtomicInteger backlog;

    /** Time of the last confirmation by {@link System#nanoTime()}; 0 if there was none. */
    private volatile long confirmedAt;

    PurgeMetrics(MeterRegistry registry, PurgeTarget target) {
        name = target.toString();
        sent = registry.counter("orestes.caching.purge.sent", "target", name);
        confirmed = registry.counter("orestes.caching.purge.confirmed", "target", name);
        failed = registry.counter("orestes.caching.purge.failed", "target", name);
        dead = registry.counter("orestes.caching.purge.dead", "target", name);
        flushes = registry.counter("orestes.caching.purge.flushes", "target", name);
        latency = Timer.builder("orestes.caching.purge.latency")
                .description("Time from the purge request to its confirmation")
                .tag("target", name)
                .publishPercentiles(MEDIAN, MOST)
                .register(registry);
        backlog = new AtomicInteger();
        registry.gauge("orestes.caching.purge.backlog", Tags.of("target", name), backlog);
    }

    void sent(PurgeRequest purgeRequest) {
        sent.increment();
        if (purgeRequest.equals(PurgeRequest.EVERYTHING)) {
            flushes.increment();
        }
    }

    void confirmed(long nanos) {
        confirmed.increment();
        confirmedAt = System.nanoTime();
        latency.record(Duration.ofNanos(nanos));
    }

    /** Counts purges that were sent and not confirmed. */
    void failed(int purges) {
        failed.increment(purges);
    }

    /**
     * Counts purges that are given up permanently: refused, or unconfirmed while a copy could live.
     */
    void dead(int purges) {
        dead.increment(purges);
    }

    /** Adds to the number of purges that wait or are unconfirmed; negative if it shrank. */
    void backlogGrew(int purges) {
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
                (long) dead.count(),
                (long) flushes.count(),
                sinceConfirmed(confirmedAt),
                latency(latency.takeSnapshot().percentileValues()));
    }

    private static Optional<Duration> sinceConfirmed(long atNanos) {
        return atNanos == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(System.nanoTime() - atNanos));
    }

    private static PurgeTargetState.PurgeLatency latency(ValueAtPercentile[] values) {
        return new PurgeTargetState.PurgeLatency(at(MEDIAN, values), at(MOST, values));
    }

    private static Duration at(double percentile, ValueAtPercentile[] values) {
        return Arrays.stream(values)
                .filter(value -> value.percentile() == percentile)
                .findFirst()
                .map(value -> Duration.ofNanos((long) value.value(TimeUnit.NANOSECONDS)))
                .orElse(Duration.ZERO);
    }
}
