package io.orestes.bench.matching;

import io.invalidb.grid.GridSize;
import io.invalidb.matching.QuerySpec;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.node.GridOptions;
import io.invalidb.node.MatchingService;
import io.invalidb.node.SubscriberLease;
import io.invalidb.query.PeriodicStepBudget;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Delay from a write's scheduled time to its event from a grid of four cells with a million
 * queries. Writes follow a fixed schedule: a write that is submitted late counts from its scheduled
 * time.
 */
public final class GridBenchmark implements Benchmark {

    private static final int QUERIES = 1_000_000;
    private static final int WRITES_PER_SECOND = 10_000;
    private static final int WARM_UP_SECONDS = 10;
    private static final int SECONDS = 60;
    private static final long NANOS_PER_WRITE = 1_000_000_000L / WRITES_PER_SECOND;
    private static final int SUBSCRIBED_AT_A_TIME = 10_000;

    @Override
    public String group() {
        return "invalidb";
    }

    @Override
    public List<String> ids() {
        return List.of("w1-grid-1m-p50-ms", "w1-grid-1m-p99-ms", "w1-grid-1m-p999-ms");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws InterruptedException {
        BenchmarkEnvironment.say("w1-grid-1m");
        Arrivals arrivals = new Arrivals();
        try (MatchingService matchingService =
                MatchingService.start(GridOptions.defaults().withSize(new GridSize(2, 2)), arrivals::note)) {
            subscribe(matchingService);
            Writes writes = new Writes(new RangeWorkload(QUERIES).documents());
            long next = run(matchingService, arrivals, writes, 0, WARM_UP_SECONDS);
            arrivals.clear();
            long end = run(matchingService, arrivals, writes, next, SECONDS);
            report(arrivals, end - next, report);
        }
    }

    private static void subscribe(MatchingService matchingService) {
        Workload workload = new RangeWorkload(QUERIES);
        SubscriberLease subscriberLease = matchingService.openLease();
        StreamPosition start = matchingService.position(Workload.BUCKET);
        List<CompletableFuture<Void>> held = new ArrayList<>();
        for (int i = 0; i < QUERIES; i++) {
            QuerySpec query = workload.query(i);
            held.add(matchingService
                    .subscribe(subscriberLease, query, start, Map.of())
                    .toCompletableFuture());
            if (held.size() == SUBSCRIBED_AT_A_TIME) {
                held.forEach(CompletableFuture::join);
                held.clear();
            }
        }
    }

    /** Submits writes for some seconds, waits for the last, and returns the next number. */
    private static long run(
            MatchingService matchingService, Arrivals arrivals, Writes writes, long first, int seconds) {
        arrivals.begin(first, System.nanoTime());
        long last = first + (long) seconds * WRITES_PER_SECOND;
        CompletableFuture<Void> matched = CompletableFuture.completedFuture(null);
        for (long number = first; number < last; number++) {
            long wait = arrivals.due(number) - System.nanoTime();
            if (wait > 0) {
                LockSupport.parkNanos(wait);
            }
            matched = matchingService.publish(writes.write(number)).toCompletableFuture();
        }
        matched.join();
        return last;
    }

    private static void report(Arrivals arrivals, long writes, Consumer<Figure> report) {
        Latencies latencies = arrivals.latencies();
        String against =
                String.format(Locale.ROOT, "%,d writes in %d s, %,d events", writes, SECONDS, latencies.count());
        report.accept(figure("w1-grid-1m-p50-ms", latencies.millis(0.5), 1, against));
        report.accept(figure("w1-grid-1m-p99-ms", latencies.millis(0.99), 10, against));
        report.accept(figure("w1-grid-1m-p999-ms", latencies.millis(0.999), 50, against));
    }

    private static Figure figure(String id, double millis, double most, String against) {
        return new Figure(id, millis, "ms", Goal.atMost(most), against);
    }

    /** Compares the times of events with the scheduled times of their writes. */
    private static final class Arrivals {
        private final Latencies latencies = new Latencies();
        private long first;
        private long begin;

        synchronized void begin(long firstNumber, long nanos) {
            first = firstNumber;
            begin = nanos;
        }

        /** Returns when the write of that number is to be submitted. */
        synchronized long due(long number) {
            return begin + (number - first) * NANOS_PER_WRITE;
        }

        synchronized void note(MatchEvent event, PeriodicStepBudget unused) {
            long number = event.write().stamp().version() - 1;
            latencies.addNanos(System.nanoTime() - (begin + (number - first) * NANOS_PER_WRITE));
        }

        synchronized void clear() {
            latencies.clear();
        }

        synchronized Latencies latencies() {
            return latencies;
        }
    }
}
