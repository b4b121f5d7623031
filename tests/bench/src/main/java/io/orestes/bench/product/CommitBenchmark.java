package io.orestes.bench.product;

import io.orestes.bench.client.SingleWrites;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Compares the commit of a small transaction with a durable write, one at a time and alternating,
 * on the embedded store.
 */
public final class CommitBenchmark implements Benchmark {

    private static final int WARM_UP = 8_000;
    private static final int ROUNDS = 4_000;

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("commit-vs-write");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("commit-vs-write");
        try (Orestes orestes = Orestes.start(lab);
                SingleWrites writes = new SingleWrites(List.of(orestes))) {
            report.accept(writes.compareCommitWithReplace("commit-vs-write", WARM_UP, ROUNDS, Goal.atMost(3)));
        }
    }
}
