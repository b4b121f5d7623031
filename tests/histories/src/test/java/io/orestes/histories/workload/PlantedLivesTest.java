package io.orestes.histories.workload;

import static org.assertj.core.api.Assertions.assertThat;

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
 * Clients and checker of {@link LivesTest} find each bug of single objects, while no part fails.
 * That test shows that they find nothing where there is no bug.
 */
final class PlantedLivesTest {

    private static final long SEED = Long.getLong("orestes.seed", 1);

    /** Number of operations after which the history is checked; the test goes on if it is right. */
    private static final int ROUND = 500;

    private static final int MOST_ROUNDS = 10;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "READS_NOT_VALIDATED")
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void checker_bugPlanted_findsIt(PlantedBug bug, @TempDir Path folder) throws Exception {
        try (Cluster cluster = Cluster.withClocksApart(bug, folder, Duration.ofSeconds(10))) {
            LivesWorkload workload = new LivesWorkload(cluster, Duration.ZERO, SEED);
            boolean isRight = true;
            for (int round = 1; isRight && round <= MOST_ROUNDS; round++) {
                play(workload, round * ROUND);
                isRight = verdict(bug, workload, folder);
            }
            assertThat(isRight).isFalse();
        }
    }

    private static void play(LivesWorkload workload, int operations) throws InterruptedException {
        workload.start();
        Waiting.until(
                "enough is done",
                Cluster.PATIENCE,
                () -> workload.hasFailed() || workload.tally().answered() >= operations);
        workload.end();
    }

    private static boolean verdict(PlantedBug bug, LivesWorkload workload, Path folder) throws Exception {
        Linearizability.Verdict verdict = workload.verdict(folder.resolve("history.jsonl"));
        System.out.printf(
                "Lives with %s, seed %d: %,d operations in %.0f s, %s: %s%n",
                bug,
                SEED,
                workload.tally().answered(),
                workload.journal().now() / 1e9,
                verdict.isRight() ? "nothing is found" : "found",
                workload.tally());
        return verdict.isRight();
    }
}
