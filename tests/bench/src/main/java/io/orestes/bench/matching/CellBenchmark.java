package io.orestes.bench.matching;

import io.invalidb.matching.cell.FilterCell;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Heap;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Writes per second that one cell matches, by workload and number of queries. */
public final class CellBenchmark implements Benchmark {

    private static final int THOUSAND = 1_000;
    private static final int MILLION = 1_000_000;
    private static final int CONJUNCTIONS = 100_000;

    /** Number of a million documents that meet the narrowest condition of a query. */
    private static final int NARROW = 500;

    private static final int WIDE = 10_000;

    @Override
    public String group() {
        return "invalidb";
    }

    @Override
    public List<String> ids() {
        return List.of("w1-cell-1k", "w1-cell-1m", "w1-bytes-per-query", "w2-cell-100k");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) {
        reportThousand(new RangeWorkload(THOUSAND), report);
        reportMillion(new RangeWorkload(MILLION), report);
        reportConjunctions(report);
    }

    private static void reportConjunctions(Consumer<Figure> report) {
        BenchmarkEnvironment.say("w2-cell-100k");
        Workload workload = new ConjunctionWorkload(NARROW);
        Workload wider = new ConjunctionWorkload(WIDE);
        double value = Cells.writesPerSecond(Cells.filled(workload, CONJUNCTIONS), workload);
        String against = String.format(
                Locale.ROOT,
                "%s; narrowest condition met by 1 %%: %,.0f/s",
                against(workload, CONJUNCTIONS),
                Cells.writesPerSecond(Cells.filled(wider, CONJUNCTIONS), wider));
        report.accept(new Figure("w2-cell-100k", value, "writes/s", Goal.atLeast(30_000), against));
    }

    private static void reportThousand(Workload workload, Consumer<Figure> report) {
        BenchmarkEnvironment.say("w1-cell-1k");
        double value = Cells.writesPerSecond(Cells.filled(workload, THOUSAND), workload);
        report.accept(new Figure("w1-cell-1k", value, "writes/s", Goal.atLeast(300_000), against(workload, THOUSAND)));
    }

    private static String against(Workload workload, int queries) {
        return String.format(
                Locale.ROOT,
                "every filter tried %,.0f/s, compiled loop %,.0f/s",
                Cells.naivePerSecond(workload, queries),
                Cells.compiledPerSecond(workload, queries));
    }

    private static void reportMillion(Workload workload, Consumer<Figure> report) {
        BenchmarkEnvironment.say("w1-cell-1m");
        long before = Heap.bytes();
        FilterCell cell = Cells.filled(workload, MILLION);
        double bytes = (Heap.bytes() - before) / (double) MILLION;
        double value = Cells.writesPerSecond(cell, workload);
        report.accept(new Figure("w1-cell-1m", value, "writes/s", Goal.atLeast(200_000), against(workload, MILLION)));
        report.accept(new Figure("w1-bytes-per-query", bytes, "bytes", Goal.atMost(400), "heap after a collection"));
    }
}
