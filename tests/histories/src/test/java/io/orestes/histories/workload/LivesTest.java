package io.orestes.histories.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.histories.cluster.Cluster;
import io.orestes.histories.cluster.MongoDb;
import io.orestes.histories.cluster.Nemesis;
import io.orestes.histories.cluster.Nemesis.Fault;
import io.orestes.histories.cluster.Waiting;
import java.nio.file.Path;
import java.time.Duration;
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

    /** That have to end. */
    private static final int OPERATIONS = Integer.getInteger("orestes.operations", 5_000);

    /** So that the faults happen among a history that is no longer than it has to be. */
    private static final Duration BREATH = Duration.ofMillis(600);

    /** On a machine that is too slow for all of it in that time the run has failed. */
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
        Path file = Path.of("target", "lives-" + SEED + ".jsonl");
        Linearizability.Verdict verdict = workload.verdict(file);
        System.out.printf(
                "Lives, seed %d: %,d operations on %,d objects in %.0f s: %s%n%s",
                SEED,
                workload.journal().operations(),
                workload.objects(),
                workload.journal().now() / 1e9,
                workload.tally(),
                verdict.text());

        assertThat(verdict.isRight())
                .as("seed %d, in %s: %s", SEED, file, verdict.text())
                .isTrue();
        assertThat(workload.journal().operations()).isGreaterThanOrEqualTo(OPERATIONS);
    }

    private static void play(Cluster cluster, LivesWorkload workload) throws InterruptedException {
        Nemesis nemesis = new Nemesis(
                cluster, Fault.of(MongoDb.Shape.REPLICA_SET), workload::isOver, what -> tell(workload, what), SEED);
        workload.start(nemesis);
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!workload.hasFailed()
                && (nemesis.rounds() == 0 || workload.journal().operations() < OPERATIONS)) {
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
                workload.journal().now() / 1e9, what, workload.journal().operations());
    }
}
