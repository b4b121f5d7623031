package io.orestes.bench.matching;

import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Samples;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Delay from the submission of a write to the event of a sorted window: 10,000 windows of 20
 * objects, each on a leaderboard of 60 of its own, 5,000 writes/s of which about half change a
 * window. Grid, windows and their renewals, without HTTP and store.
 */
public final class SortedBenchmark implements Benchmark {

    private static final int WINDOWS = 10_000;
    private static final int WRITES_PER_SECOND = 5_000;
    private static final int WARM_UP_SECONDS = 10;
    private static final int SECONDS = 10;
    private static final int ROUNDS = 3;

    @Override
    public String group() {
        return "invalidb";
    }

    @Override
    public List<String> ids() {
        return List.of("sorted-10k-p99-ms");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) {
        BenchmarkEnvironment.say("sorted-10k");
        try (Leaderboards boards = new Leaderboards(WINDOWS)) {
            report.accept(measure(boards));
        }
    }

    private static Figure measure(Leaderboards boards) {
        drive(boards, WARM_UP_SECONDS);
        Samples p50 = new Samples();
        Samples p99 = new Samples();
        double eventsPerSecond = 0;
        for (int round = 0; round < ROUNDS; round++) {
            boards.latencies().clear();
            drive(boards, SECONDS);
            p50.add(boards.latencies().millis(0.50));
            p99.add(boards.latencies().millis(0.99));
            eventsPerSecond = boards.latencies().count() / (double) SECONDS;
        }
        String against = String.format(
                "%,d writes/s, %,.0f events/s, p50 %.2f ms, %,d renewals",
                WRITES_PER_SECOND, eventsPerSecond, p50.median(), boards.renewals());
        return new Figure("sorted-10k-p99-ms", p99.median(), "ms", Goal.atMost(20), against);
    }

    /**
     * Writes on a fixed schedule; late writes are done at once, and counted from their scheduled
     * time.
     */
    private static void drive(Leaderboards boards, int seconds) {
        long begin = System.nanoTime();
        long interval = 1_000_000_000L / WRITES_PER_SECOND;
        for (long i = 0; i < (long) seconds * WRITES_PER_SECOND; i++) {
            long due = begin + i * interval;
            long early = due - System.nanoTime();
            if (early > 0) {
                LockSupport.parkNanos(early);
            }
            boards.write(due);
        }
    }
}
