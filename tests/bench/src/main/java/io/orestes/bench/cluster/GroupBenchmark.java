package io.orestes.bench.cluster;

import io.orestes.bench.client.SingleWrites;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import io.orestes.bench.harness.Samples;
import io.orestes.bench.harness.ServerGroup;
import io.orestes.support.mongo.Mongod;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes one at a time by three servers, each of which replicates them to the others before it
 * answers, and by one alone on another database of the same MongoDB.
 */
public final class GroupBenchmark implements Benchmark {

    private static final int WARM_UP = 1_500;
    private static final int ROUNDS = 1_500;

    @Override
    public String group() {
        return "servers";
    }

    @Override
    public List<String> ids() {
        return List.of("commit-vs-write-group", "group-write-lag");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws Exception {
        BenchmarkEnvironment.say("commit-vs-write-group, group-write-lag");
        try (Mongod mongo = lab.mongod();
                ServerGroup group = ServerGroup.start(lab, mongo, "group", List.of());
                SingleWrites many = new SingleWrites(group.servers())) {
            report.accept(many.compareCommitWithReplace("commit-vs-write-group", WARM_UP, ROUNDS, Goal.NONE));
            try (Orestes alone = Orestes.start(lab, List.of(), "--mongo", mongo.connectionString("alone"));
                    SingleWrites one = new SingleWrites(List.of(alone))) {
                report.accept(lag(many, one));
            }
        }
    }

    private static Figure lag(SingleWrites many, SingleWrites one) throws IOException {
        Samples byMany = new Samples();
        Samples byOne = new Samples();
        for (int i = 0; i < WARM_UP + ROUNDS; i++) {
            double group = many.invalidate();
            double alone = one.invalidate();
            if (i >= WARM_UP) {
                byMany.add(group);
                byOne.add(alone);
            }
        }
        String against = String.format(
                "medians: replace by three servers in turn %.2f ms, by one alone %.2f ms; one at a time",
                byMany.median(), byOne.median());
        return new Figure("group-write-lag", byMany.median() - byOne.median(), "ms", Goal.atMost(5), against);
    }
}
