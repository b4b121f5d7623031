package io.orestes.histories.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.histories.check.Anomaly;
import io.orestes.histories.check.Checker;
import io.orestes.histories.check.Transaction.Outcome;
import io.orestes.histories.cluster.Cluster;
import io.orestes.histories.cluster.Nemesis;
import io.orestes.histories.cluster.Nemesis.Fault;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Thousands of transactions through three servers, while servers, ZooKeeper, MongoDB and the
 * network fail.
 */
final class HistoriesTest {

    private static final long SEED = Long.getLong("orestes.seed", 1);
    private static final int STANDARD = 5_000;

    /**
     * Number of transactions that have to end; with fewer ({@code orestes.transactions}), for a
     * first look, not all faults happen.
     */
    private static final int TRANSACTIONS = Integer.getInteger("orestes.transactions", STANDARD);

    /**
     * Minimum of committed transactions: the others have read old copies, or were slower than
     * others on the few shared objects.
     */
    private static final int COMMITTED = TRANSACTIONS * 2 / 5;

    /** Duration of a soak in minutes; 0 if this is none. */
    private static final int SOAK = Integer.parseInt(
            Optional.ofNullable(System.getenv("ORESTES_TEST_SOAK")).orElse("0"));

    /** Time limit after which the run has failed on a machine that is too slow. */
    private static final Duration LONGEST = Duration.ofMinutes(15 + SOAK);

    /** Number of anomalies shown of each kind. */
    private static final int SHOWN = 2;

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void transactions_whateverFails_canHaveComeOneAfterTheOther(@TempDir Path folder) throws Exception {
        System.out.println("Histories, seed " + SEED);
        Workload workload;
        try (Cluster cluster = new Cluster(folder, Duration.ofSeconds(10))) {
            workload = new Workload(cluster, SEED);
            play(cluster, List.of(Fault.values()), workload);
            workload.readAll();
        }
        Tally tally = workload.tally();
        System.out.printf(
                "Histories, seed %d: %,d transactions, %,d of them committed, on %,d objects: %s%n",
                SEED, tally.transactions(), tally.transactions(Outcome.COMMITTED), workload.objects(), tally);

        check(workload.journal());
        assertThat(tally.transactions()).isGreaterThanOrEqualTo(TRANSACTIONS);
        assertThat(tally.transactions(Outcome.COMMITTED)).isGreaterThanOrEqualTo(COMMITTED);
    }

    private static void play(Cluster cluster, List<Fault> faults, Workload workload) throws InterruptedException {
        Nemesis nemesis = new Nemesis(cluster, faults, workload::isOver, what -> tell(workload, what), SEED);
        workload.start(nemesis);
        long begin = System.nanoTime();
        while (!workload.hasFailed() && !isEnough(workload.tally(), nemesis, System.nanoTime() - begin)) {
            Waiting.pause(Duration.ofMillis(100));
        }
        workload.end();
    }

    private static void tell(Workload workload, String what) {
        System.out.printf("%7.1f s  %s, %s%n", workload.journal().now() / 1e9, what, workload.tally());
    }

    private static boolean isEnough(Tally tally, Nemesis nemesis, long nanos) {
        assertThat(nanos).as("%s, %d rounds of faults", tally, nemesis.rounds()).isLessThan(LONGEST.toNanos());
        return (nemesis.rounds() > 0 || TRANSACTIONS < STANDARD)
                && tally.transactions() >= TRANSACTIONS
                && tally.transactions(Outcome.COMMITTED) >= COMMITTED
                && nanos > Duration.ofMinutes(SOAK).toNanos();
    }

    private static void check(Journal journal) throws Exception {
        List<Anomaly> anomalies = Checker.check(journal.transactions());
        Path file = Path.of("target", "history-" + SEED + ".jsonl");
        journal.write(file);
        Linearizability.Verdict objects = Linearizability.of(file);
        System.out.print(objects.text());
        assertThat(some(anomalies))
                .as(
                        "%d anomalies with seed %d; single objects, in %s: %s",
                        anomalies.size(), SEED, file, objects.text())
                .isEmpty();
        assertThat(objects.isRight())
                .as("single objects with seed %d, in %s: %s", SEED, file, objects.text())
                .isTrue();
    }

    private static List<Anomaly> some(List<Anomaly> anomalies) {
        Map<Anomaly.Kind, Integer> shown = new EnumMap<>(Anomaly.Kind.class);
        return anomalies.stream()
                .filter(anomaly -> shown.merge(anomaly.kind(), 1, Integer::sum) <= SHOWN)
                .toList();
    }
}
