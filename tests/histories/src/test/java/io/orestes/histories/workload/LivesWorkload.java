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
 * Clients of a cluster that write single objects with lives until it is enough, and what they did
 * and saw.
 */
final class LivesWorkload {

    private static final int CLIENTS = 24;

    private final Journal journal = new Journal();
    private final Tally tally = new Tally();
    private final LifeKeys keys = new LifeKeys();
    private final Cluster cluster;
    private final Duration breath;
    private final Random seeds;
    private Crowd crowd = new Crowd();

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

    /** How many objects there are. */
    int objects() {
        return keys.used().size();
    }

    boolean isOver() {
        return crowd.isOver();
    }

    boolean hasFailed() {
        return crowd.hasFailed();
    }

    /**
     * Has all clients begin, and what else is to happen meanwhile. Can be repeated after the end.
     */
    void start(Runnable... others) {
        Crowd next = new Crowd();
        crowd = next;
        Servers servers = new Servers(cluster.servers());
        for (int i = 0; i < CLIENTS; i++) {
            next.start(new LifeActor("c" + i, servers, keys, journal, tally, next::isOver, breath, seeds.nextLong()));
        }
        List.of(others).forEach(next::start);
    }

    /** Waits until all have come to an end; fails if anything did not go well. */
    void end() throws InterruptedException {
        crowd.end(cluster);
    }

    /**
     * Reads every object once more. Writes of which nobody knows have happened or will not by then:
     * servers give up after seconds.
     */
    void readAll() {
        Waiting.pause(Servers.LATER);
        Reader reader = new Reader(new Servers(cluster.servers()), journal, tally, new Random(seeds.nextLong()));
        for (String key : keys.used()) {
            StateTag unused = reader.freshTag(key).orElseThrow(() -> new AssertionError("cannot be read: " + key));
        }
    }

    /** Whether the histories of all objects can be explained; they stand in the file then. */
    Linearizability.Verdict verdict(Path file) throws IOException, InterruptedException {
        journal.write(file);
        return Linearizability.of(file);
    }
}
