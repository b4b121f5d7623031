package io.orestes.histories.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.histories.cluster.Cluster;
import io.orestes.histories.cluster.Nemesis;
import io.orestes.histories.cluster.Nemesis.Fault;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Thousands of insertions, replacements, increments and deletions of single objects through three
 * servers whose clocks differ, while servers, ZooKeeper, MongoDB and the network fail.
 */
final class LivesTest {

    private static final long SEED = Long.getLong("orestes.seed", 1);

    /** Number of operations with a definite answer, done or refused. */
    private static final int OPERATIONS = Integer.getInteger("orestes.operations", 5_000);

    /** Number of operations while nothing fails, where each write has an answer. */
    private static final int HEALTHY_OPERATIONS = 5_000;

    /** Maximum share of writes without a definite answer among all operations, while parts fail. */
    private static final double MAX_UNKNOWN_SHARE = 0.3;

    /** Mean pause, so that the faults happen within a short history. */
    private static final Duration BREATH = Duration.ofMillis(600);

    /** Time limit after which the run has failed on a machine that is too slow. */
    private static final Duration LONGEST = Duration.ofMinutes(15);

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void objectsWithLives_whateverFails_areLinearizable(@TempDir Path folder) throws Exception {
        LivesWorkload workload;
        try (Cluster cluster = Cluster.withClocksApart(folder, Duration.ofSeconds(10))) {
            workload = new LivesWorkload(cluster, BREATH, SEED);
            play(cluster, workload);
            workload.readAll();
        }
        assertRight(workload, "faulty");
        Tally tally = workload.tally();
        assertThat((double) tally.unknown() / (tally.answered() + tally.unknown()))
                .as("%s", tally)
                .isLessThan(MAX_UNKNOWN_SHARE);
    }

    /** No answer is a 5xx then, however many clients write one object. */
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void objectsWithLives_nothingFails_areAnsweredAndLinearizable(@TempDir Path folder) throws Exception {
        try (Cluster cluster = Cluster.withClocksApart(folder, Duration.ofSeconds(10))) {
            LivesWorkload workload = new LivesWorkload(cluster, Duration.ZERO, SEED);
            workload.start();
            Waiting.until(
                    "enough is done",
                    Cluster.PATIENCE,
                    () -> workload.hasFailed() || workload.tally().answered() >= HEALTHY_OPERATIONS);
            workload.end();

            assertRight(workload, "healthy");
            assertThat(workload.tally().unknown()).as("%s", workload.tally()).isZero();
        }
    }

    private static void assertRight(LivesWorkload workload, String name) throws Exception {
        Path file = Path.of("target", "lives-" + name + "-" + SEED + ".jsonl");
        Linearizability.Verdict verdict = workload.verdict(file);
        System.out.printf(
                "Lives, %s, seed %d: %,d operations on %,d objects in %.0f s: %s%n%s",
                name,
                SEED,
                workload.tally().answered(),
                workload.objects(),
                workload.journal().now() / 1e9,
                workload.tally(),
                verdict.text());
        assertThat(verdict.isRight())
                .as("seed %d, in %s: %s", SEED, file, verdict.text())
                .isTrue();
    }

    private static void play(Cluster cluster, LivesWorkload workload) throws InterruptedException {
        Nemesis nemesis =
                new Nemesis(cluster, List.of(Fault.values()), workload::isOver, what -> tell(workload, what), SEED);
        workload.start(nemesis);
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!workload.hasFailed()
                && (nemesis.rounds() == 0 || workload.tally().answered() < OPERATIONS)) {
            assertThat(System.nanoTime() - end)
                    .as("%s, %d rounds of faults", workload.tally(), nemesis.rounds())
                    .isNegative();
            Waiting.pause(Duration.ofMillis(100));
        }
        workload.end();
    }

    private static void tell(LivesWorkload workload, String what) {
        System.out.printf(
                "%7.1f s  %s, %,d operations%n",
                workload.journal().now() / 1e9, what, workload.tally().answered());
    }
}
