package io.orestes.bench;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Compares the commit of a small transaction with a durable write, one at a time and alternating,
 * on the embedded store.
 */
final class CommitBenchmark implements Benchmark {

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
            report.accept(figure("commit-vs-write", writes, WARM_UP, ROUNDS, Goal.atMost(3)));
        }
    }

    /** Returns the figure, after this number of uncounted rounds of both. */
    static Figure figure(String id, SingleWrites writes, int warmUp, int rounds, Goal goal) throws IOException {
        Samples commits = new Samples();
        Samples replaces = new Samples();
        for (int i = 0; i < warmUp + rounds; i++) {
            double commit = writes.commit();
            double replace = writes.replace();
            if (i >= warmUp) {
                commits.add(commit);
                replaces.add(replace);
            }
        }
        String against = String.format(
                "medians: commit of 5 reads and 2 writes %.2f ms, replace %.2f ms; one at a time",
                commits.median(), replaces.median());
        return new Figure(id, commits.median() / replaces.median(), "ratio", goal, against);
    }
}
