package io.orestes.histories.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.histories.check.Anomaly;
import io.orestes.histories.check.Checker;
import io.orestes.histories.check.Transaction;
import io.orestes.histories.check.Transaction.Outcome;
import io.orestes.histories.cluster.Classes;
import io.orestes.histories.cluster.Cluster;
import io.orestes.histories.cluster.MongoDb;
import io.orestes.histories.cluster.Nemesis;
import io.orestes.histories.cluster.Nemesis.Fault;
import io.orestes.histories.cluster.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Thousands of transactions through three servers, while servers, ZooKeeper, MongoDB and the network fail. */
final class HistoriesTest {

    private static final long SEED = Long.getLong("orestes.seed", 1);
    private static final int CLIENTS = 24;

    /** With fewer ({@code orestes.transactions}), for a first look, not all faults happen. */
    private static final int TRANSACTIONS = Integer.getInteger("orestes.transactions", 5_000);

    /** Minutes of a soak; 0 if this is none. */
    private static final int SOAK = Integer.parseInt(
            Optional.ofNullable(System.getenv("ORESTES_TEST_SOAK")).orElse("0"));

    /** On a machine that is too slow for all of it in that time the run has failed. */
    private static final Duration LONGEST = Duration.ofMinutes(15 + SOAK);

    /** Of each kind. */
    private static final int SHOWN = 2;

    private final Journal journal = new Journal();
    private final Tally tally = new Tally();
    private final Keys keys = new Keys();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean isOver;

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void transactions_whateverFails_canHaveComeOneAfterTheOther(MongoDb.Shape shape, @TempDir Path folder)
            throws Exception {
        System.out.println("Histories, " + shape + ", seed " + SEED);
        try (Cluster cluster = new Cluster(folder, shape, Duration.ofSeconds(10))) {
            Classes classes = new Classes(cluster);
            classes.create(
                    Keys.LISTS, "{\"items\":{\"name\":\"items\",\"type\":\"/db/collection.List[/db/Integer]\"}}");
            classes.create(Keys.REGISTERS, "{\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}");
            play(cluster, Fault.of(shape));
            readAll(cluster);
        }
        System.out.println("Histories, " + shape + ", seed " + SEED + ": " + tally + ", "
                + keys.used().size() + " objects");

        check(shape);
        assertThat(tally.transactions()).isGreaterThanOrEqualTo(TRANSACTIONS);
        assertThat(tally.transactions(Outcome.COMMITTED)).isGreaterThan(tally.transactions() / 4);
    }

    private void play(Cluster cluster, List<Fault> faults) throws Exception {
        Servers servers = new Servers(cluster.servers());
        Nemesis nemesis = new Nemesis(cluster, faults, () -> isOver, this::tell, SEED);
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(started(new Actor("c" + i, servers, keys, journal, tally, () -> isOver, SEED * 100 + i)));
        }
        Thread breaking = started(nemesis);
        long begin = System.nanoTime();
        while (failure.get() == null && !isEnough(nemesis, System.nanoTime() - begin)) {
            Waiting.pause(Duration.ofMillis(100));
        }
        isOver = true;
        clients.add(breaking);
        for (Thread thread : clients) {
            thread.join(Duration.ofMinutes(3).toMillis());
            assertThat(thread.isAlive()).as(thread.getName() + " ends").isFalse();
        }
        if (failure.get() != null) {
            throw new AssertionError(cluster.lastWords(), failure.get());
        }
    }

    private void tell(String what) {
        System.out.printf("%7.1f s  %s, %s%n", journal.now() / 1e9, what, tally);
    }

    private boolean isEnough(Nemesis nemesis, long nanos) {
        assertThat(nanos).as("%s, %d rounds of faults", tally, nemesis.rounds()).isLessThan(LONGEST.toNanos());
        return (nemesis.rounds() > 0 || TRANSACTIONS < 5_000)
                && tally.transactions() >= TRANSACTIONS
                && nanos > Duration.ofMinutes(SOAK).toNanos();
    }

    private Thread started(Runnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException | AssertionError broken) {
                        failure.compareAndSet(null, broken);
                    }
                },
                work.getClass().getSimpleName());
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** What nobody knows about has happened or will not by then: servers give up after seconds. */
    private void readAll(Cluster cluster) {
        Waiting.pause(Servers.LATER);
        Servers servers = new Servers(cluster.servers());
        Reader reader = new Reader(servers, journal, tally, new Random(SEED));
        for (String key : keys.used()) {
            long called = journal.now();
            State state = reader.fresh(key).orElseThrow(() -> new AssertionError("cannot be read: " + key));
            journal.note(new Transaction(
                    "final read",
                    Transaction.Kind.SINGLE,
                    Outcome.COMMITTED,
                    called,
                    journal.now(),
                    List.of(state.read())));
        }
    }

    private void check(MongoDb.Shape shape) throws Exception {
        boolean fences = shape == MongoDb.Shape.STANDALONE;
        List<Anomaly> anomalies = Checker.check(journal.transactions(), fences);
        Path file = Path.of("target", "history-" + shape + "-" + SEED + ".jsonl");
        journal.write(file);
        Linearizability.Verdict objects = Linearizability.of(file, fences);
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
