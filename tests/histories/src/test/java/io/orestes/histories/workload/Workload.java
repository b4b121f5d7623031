package io.orestes.histories.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.histories.check.Transaction;
import io.orestes.histories.check.Transaction.Outcome;
import io.orestes.histories.cluster.Classes;
import io.orestes.histories.cluster.Cluster;
import io.orestes.histories.cluster.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/** Clients of a cluster that run transactions until it is enough, and what they did and saw. */
final class Workload {

    private static final int CLIENTS = 24;
    private static final Duration LONGEST_END = Duration.ofMinutes(3);

    private final Journal journal = new Journal();
    private final Tally tally = new Tally();
    private final Keys keys = new Keys();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Cluster cluster;
    private final long seed;
    private volatile boolean isOver;

    /** Creates the classes. */
    Workload(Cluster cluster, long seed) throws IOException, InterruptedException {
        this.cluster = cluster;
        this.seed = seed;
        Classes classes = new Classes(cluster);
        classes.create(Keys.LISTS, "{\"items\":{\"name\":\"items\",\"type\":\"/db/collection.List[/db/Integer]\"}}");
        classes.create(Keys.REGISTERS, "{\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}");
    }

    Journal journal() {
        return journal;
    }

    Tally tally() {
        return tally;
    }

    /** How many objects there are. */
    int objects() {
        return keys.used().size();
    }

    boolean isOver() {
        return isOver;
    }

    /** Whether anything broke, of which {@link #end} tells. */
    boolean hasFailed() {
        return failure.get() != null;
    }

    /** Has all clients begin, and what else is to happen meanwhile. */
    void start(Runnable... others) {
        Servers servers = new Servers(cluster.servers());
        for (int i = 0; i < CLIENTS; i++) {
            start(new Actor("c" + i, servers, keys, journal, tally, this::isOver, seed * 100 + i));
        }
        List.of(others).forEach(this::start);
    }

    private void start(Runnable work) {
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
        threads.add(thread);
        thread.start();
    }

    /** Waits until all have come to an end; fails if anything did not go well. */
    void end() throws InterruptedException {
        isOver = true;
        for (Thread thread : threads) {
            thread.join(LONGEST_END.toMillis());
            assertThat(thread.isAlive()).as(thread.getName() + " ends").isFalse();
        }
        if (hasFailed()) {
            throw new AssertionError(cluster.lastWords(), failure.get());
        }
    }

    /** Reads every object once more. What nobody knows about has happened or will not by then: servers give up after seconds. */
    void readAll() {
        Waiting.pause(Servers.LATER);
        Servers servers = new Servers(cluster.servers());
        Reader reader = new Reader(servers, journal, tally, new Random(seed));
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
}
