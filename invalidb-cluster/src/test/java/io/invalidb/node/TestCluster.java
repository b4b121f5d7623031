package io.invalidb.node;

import io.invalidb.grid.GridSize;
import io.invalidb.model.WriteEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A cluster in one thread which does nothing by itself. Writes wait in a network that delays,
 * doubles and reorders them; cells run in random turns and can stop; time is what the test says. No
 * message is delayed longer than writes are retained: that is what retention promises to cover.
 */
final class TestCluster {

    private static final Duration RETENTION = Duration.ofMinutes(1);

    private final Random random;
    private final List<ManualHost> hosts = new ArrayList<>();
    private final List<WriteEvent> network = new ArrayList<>();
    private final InvalidbCluster cluster;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    TestCluster(GridSize size, Random random, MatchListener listener) {
        this.random = random;
        this.cluster =
                InvalidbCluster.start(new GridOptions(size, RETENTION, 10_000, () -> now), listener, name -> newHost());
    }

    private ManualHost newHost() {
        ManualHost host = new ManualHost();
        hosts.add(host);
        return host;
    }

    InvalidbCluster cluster() {
        return cluster;
    }

    /** Hands a committed write to the network. */
    void send(WriteEvent write) {
        network.add(write);
    }

    /** Any of the writes in the network reaches the cluster; one in five will do so again. */
    void deliverOne() {
        if (!network.isEmpty()) {
            int index = random.nextInt(network.size());
            WriteEvent write = random.nextInt(5) == 0 ? network.get(index) : network.remove(index);
            var unused = cluster.publish(write);
        }
    }

    /** Some cell does one of the things that wait for it. */
    void runOne() {
        hosts.get(random.nextInt(hosts.size())).step();
    }

    /**
     * Everything on its way arrives, and the cells that have not stopped do all that waits for
     * them.
     */
    void settle() {
        deliverAll();
        runAll();
    }

    private void deliverAll() {
        while (!network.isEmpty()) {
            deliverOne();
        }
    }

    private void runAll() {
        boolean busy = true;
        while (busy) {
            busy = false;
            for (ManualHost host : List.copyOf(hosts)) {
                while (host.step()) {
                    busy = true;
                }
            }
        }
    }

    /**
     * An empty cell may take the place of one that has stopped or lags; late writes arrive first,
     * see above.
     */
    void tick() {
        deliverAll();
        var unused = cluster.tick();
    }

    /** The clock is put forward or back. Late messages arrive first, see above. */
    void jump(Duration by) {
        settle();
        now = now.plus(by);
    }

    void stopSomeCell() {
        hosts.get(random.nextInt(hosts.size())).stick();
    }

    /** Ticks go by until no cell is silent any more. */
    void replaceStoppedCells() {
        while (isSomeCellStopped()) {
            runAll();
            tick();
        }
    }

    private boolean isSomeCellStopped() {
        return hosts.stream().anyMatch(ManualHost::isStuck);
    }
}
