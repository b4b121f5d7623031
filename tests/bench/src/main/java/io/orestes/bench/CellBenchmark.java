package io.orestes.bench;

import io.invalidb.matching.FilterCell;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Writes per second that one cell matches, by workload and number of queries. */
final class CellBenchmark implements Benchmark {

    private static final int MILLION = 1_000_000;

    @Override
    public String group() {
        return "invalidb";
    }

    @Override
    public List<String> ids() {
        return List.of("w1-cell-1k", "w1-cell-1m", "w1-bytes-per-query", "w2-cell-100k");
    }

    @Override
    public void run(Lab lab, Consumer<Figure> report) {
        report.accept(figure("w1-cell-1k", new RangeWorkload(1_000), 1_000, 300_000));
        reportMillion(new RangeWorkload(MILLION), report);
        report.accept(figure("w2-cell-100k", new ConjunctionWorkload(500), 100_000, 30_000));
        report.accept(figure("w2b", new ConjunctionWorkload(10_000), 100_000, 30_000));
    }

    private static Figure figure(String id, Workload workload, int queries, double goal) {
        Lab.say(id);
        double value = Cells.writesPerSecond(Cells.filled(workload, queries), workload);
        return new Figure(id, value, "writes/s", Goal.atLeast(goal), against(workload, queries));
    }

    private static String against(Workload workload, int queries) {
        return String.format(
                Locale.ROOT,
                "every filter tried %,.0f/s, compiled loop %,.0f/s",
                Cells.naivePerSecond(workload, queries),
                Cells.compiledPerSecond(workload, queries));
    }

    private static void reportMillion(Workload workload, Consumer<Figure> report) {
        Lab.say("w1-cell-1m");
        long before = Heap.bytes();
        FilterCell cell = Cells.filled(workload, MILLION);
        double bytes = (Heap.bytes() - before) / (double) MILLION;
        double value = Cells.writesPerSecond(cell, workload);
        report.accept(new Figure("w1-cell-1m", value, "writes/s", Goal.atLeast(200_000), against(workload, MILLION)));
        report.accept(new Figure("w1-bytes-per-query", bytes, "bytes", Goal.atMost(400), "heap after a collection"));
    }
}
