package io.orestes.histories.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.histories.check.Anomaly;
import io.orestes.histories.check.Checker;
import io.orestes.histories.check.Transaction.Outcome;
import io.orestes.histories.cluster.Cluster;
import io.orestes.histories.cluster.PlantedBug;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The clients and checkers of {@link HistoriesTest} detect servers that have a bug, while nothing
 * fails.
 */
final class PlantedBugsTest {

    private static final long SEED = Long.getLong("orestes.seed", 1);
    private static final int COMMITTED = 300;

    @ParameterizedTest
    @EnumSource(names = "READS_NOT_VALIDATED")
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void checkers_bugPlanted_findIt(PlantedBug bug, @TempDir Path folder) throws Exception {
        Workload workload;
        try (Cluster cluster = Cluster.with(bug, folder, Duration.ofSeconds(10))) {
            workload = new Workload(cluster, SEED);
            workload.start();
            Waiting.until(
                    "enough is committed",
                    Cluster.PATIENCE,
                    () -> workload.hasFailed() || workload.tally().transactions(Outcome.COMMITTED) >= COMMITTED);
            workload.end();
            workload.readAll();
        }
        System.out.println("Histories with " + bug + ", seed " + SEED + ": " + workload.tally());

        assertThat(Checker.check(workload.journal().transactions()))
                .extracting(Anomaly::kind)
                .containsAnyOf(
                        Anomaly.Kind.LOST_UPDATE,
                        Anomaly.Kind.SINGLE_ANTI_DEPENDENCY,
                        Anomaly.Kind.ANTI_DEPENDENCY_CYCLE,
                        Anomaly.Kind.TIME_CYCLE);
        Path file = folder.resolve("history.jsonl");
        workload.journal().write(file);
        assertThat(Linearizability.of(file).isRight()).isFalse();
    }
}
