package io.orestes.histories.workload;

import io.orestes.histories.check.Transaction;
import io.orestes.histories.check.Transaction.Outcome;
import io.orestes.histories.cluster.Classes;
import io.orestes.histories.cluster.Cluster;
import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/** Clients of a cluster that run transactions until they are stopped, and their history. */
final class Workload {

    private static final int CLIENTS = 24;

    private final Journal journal = new Journal();
    private final Tally tally = new Tally();
    private final Keys keys = new Keys();
    private final WorkerThreads crowd = new WorkerThreads();
    private final Cluster cluster;
    private final long seed;

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

    /** Returns the number of objects. */
    int objects() {
        return keys.used().size();
    }

    boolean isOver() {
        return crowd.isOver();
    }

    /** Returns whether a client failed; {@link #end} reports it. */
    boolean hasFailed() {
        return crowd.hasFailed();
    }

    /** Starts all clients and the other tasks. */
    void start(Runnable... others) {
        Servers servers = new Servers(cluster.servers());
        for (int i = 0; i < CLIENTS; i++) {
            crowd.start(new TransactionClient("c" + i, servers, keys, journal, tally, this::isOver, seed * 100 + i));
        }
        List.of(others).forEach(crowd::start);
    }

    /** Waits until all clients have ended; fails if one of them failed. */
    void end() throws InterruptedException {
        crowd.end(cluster);
    }

    /**
     * Reads every object once more. Operations of unknown outcome are decided by then: servers give
     * up after seconds.
     */
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
