package io.orestes.histories.workload;

import io.orestes.histories.cluster.Classes;
import io.orestes.histories.cluster.Cluster;
import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Clients of a cluster that write single objects with lives until they are stopped, and their
 * history.
 */
final class LivesWorkload {

    private static final int CLIENTS = 24;

    private final Journal journal = new Journal();
    private final Tally tally = new Tally();
    private final LifeKeys keys = new LifeKeys();
    private final Cluster cluster;
    private final Duration breath;
    private final Random seeds;
    private WorkerThreads crowd = new WorkerThreads();

    /**
     * Creates the class.
     *
     * @param breath the mean time between two requests of a client
     */
    LivesWorkload(Cluster cluster, Duration breath, long seed) throws IOException, InterruptedException {
        this.cluster = cluster;
        this.breath = breath;
        this.seeds = new Random(seed);
        new Classes(cluster).create(LifeKeys.BUCKET, "{\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}");
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

    boolean hasFailed() {
        return crowd.hasFailed();
    }

    /** Starts all clients and the other tasks. Can be repeated after the end. */
    void start(Runnable... others) {
        WorkerThreads next = new WorkerThreads();
        crowd = next;
        Servers servers = new Servers(cluster.servers());
        for (int i = 0; i < CLIENTS; i++) {
            next.start(new LifeClient("c" + i, servers, keys, journal, tally, next::isOver, breath, seeds.nextLong()));
        }
        List.of(others).forEach(next::start);
    }

    /** Waits until all clients have ended; fails if one of them failed. */
    void end() throws InterruptedException {
        crowd.end(cluster);
    }

    /**
     * Reads every object once more. Writes of unknown outcome are decided by then: servers give up
     * after seconds.
     */
    void readAll() {
        Waiting.pause(Servers.LATER);
        Reader reader = new Reader(new Servers(cluster.servers()), journal, tally, new Random(seeds.nextLong()));
        for (String key : keys.used()) {
            StateTag unused = reader.freshTag(key).orElseThrow(() -> new AssertionError("cannot be read: " + key));
        }
    }

    /** Checks whether the histories of all objects can be explained; they are in the file then. */
    Linearizability.Verdict verdict(Path file) throws IOException, InterruptedException {
        journal.write(file);
        return Linearizability.of(file);
    }
}
