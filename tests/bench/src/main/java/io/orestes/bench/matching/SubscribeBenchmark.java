package io.orestes.bench.matching;

import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.cell.FilterCell;
import io.invalidb.model.StreamPosition;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Loop;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Rate at which one cell adds a query and removes another, while it has 100,000 and has matched
 * writes.
 */
public final class SubscribeBenchmark implements Benchmark {

    private static final int ACTIVE = 100_000;
    private static final int QUERIES = 2 * ACTIVE;
    private static final int WRITES = 5_000;

    @Override
    public String group() {
        return "invalidb";
    }

    @Override
    public List<String> ids() {
        return List.of("subscribe-per-s");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) {
        BenchmarkEnvironment.say("subscribe-per-s");
        Workload ranges = new RangeWorkload(QUERIES);
        String against = String.format(
                Locale.ROOT,
                "queries of W3 %,.0f/s, parsing a query of W1 %,.0f/s",
                pairsPerSecond(new MixedWorkload()),
                Loop.perSecond(number -> ranges.query((int) (number % QUERIES)).hashCode()));
        report.accept(new Figure("subscribe-per-s", pairsPerSecond(ranges), "pairs/s", Goal.atLeast(100_000), against));
    }

    /** Measures queries that are parsed already. */
    private static double pairsPerSecond(Workload workload) {
        List<QuerySpec> queries =
                IntStream.range(0, QUERIES).mapToObj(workload::query).toList();
        FilterCell cell = Cells.empty();
        int ignored = queries.subList(0, ACTIVE).stream()
                .mapToInt(query -> subscribe(cell, query))
                .sum();
        write(cell, workload);
        return Loop.perSecond(number -> {
            cell.unsubscribe(queries.get((int) (number % QUERIES)).id());
            return subscribe(cell, queries.get((int) ((number + ACTIVE) % QUERIES)));
        });
    }

    private static int subscribe(FilterCell cell, QuerySpec query) {
        return cell.subscribe(query, new StreamPosition(WRITES), Map.of()).size();
    }

    private static void write(FilterCell cell, Workload workload) {
        Writes writes = new Writes(workload.documents());
        for (int i = 0; i < WRITES; i++) {
            var ignored = cell.onWrite(i + 1, writes.write(i), Instant.EPOCH);
        }
    }
}
