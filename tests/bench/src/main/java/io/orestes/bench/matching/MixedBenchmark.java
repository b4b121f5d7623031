package io.orestes.bench.matching;

import io.invalidb.matching.cell.FilterCell;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Filter and sorting stage of one cell with queries of many kinds, against the loop that only says
 * which of them match.
 */
public final class MixedBenchmark implements Benchmark {

    private static final int QUERIES = 100_000;
    private static final int LIMIT = 20;

    @Override
    public String group() {
        return "invalidb";
    }

    @Override
    public List<String> ids() {
        return List.of("w3-vs-compiled");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) {
        BenchmarkEnvironment.say("w3-vs-compiled");
        Workload workload = new MixedWorkload();
        double ours = writesPerSecond(workload);
        double loop = Cells.compiledPerSecond(workload, QUERIES);
        String against = String.format(
                Locale.ROOT,
                "cell with sorting %,.0f/s, compiled loop %,.0f/s, every filter tried %,.0f/s",
                ours,
                loop,
                Cells.naivePerSecond(workload, QUERIES));
        report.accept(new Figure("w3-vs-compiled", ours / loop, "ratio", Goal.atLeast(20), against));
    }

    private static double writesPerSecond(Workload workload) {
        FilterCell cell = Cells.filled(workload, QUERIES);
        SortedWindows windows = new SortedWindows("number0", LIMIT);
        for (int i = 0; i < QUERIES; i++) {
            if (MixedWorkload.isSorted(i)) {
                windows.add(workload.query(i).id());
            }
        }
        return Cells.writesPerSecond(cell, workload, events -> events.stream()
                .mapToInt(windows::apply)
                .sum());
    }
}
