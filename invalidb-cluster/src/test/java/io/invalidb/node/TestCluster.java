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
 * duplicates and reorders them; cells run in random turns and can stop; the test sets the time. No
 * message is delayed longer than writes are retained, since retention covers no longer delay.
 */
final class TestCluster {

    private static final Duration RETENTION = Duration.ofMinutes(1);

    private final Random random;
    private final List<ManualCellExecutor> executors = new ArrayList<>();
    private final List<WriteEvent> network = new ArrayList<>();
    private final MatchingService cluster;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    TestCluster(GridSize size, Random random, MatchListener listener) {
        this.random = random;
        this.cluster = MatchingService.start(
                new GridOptions(size, RETENTION, 10_000, () -> now), listener, name -> newExecutor());
    }

    private ManualCellExecutor newExecutor() {
        ManualCellExecutor executor = new ManualCellExecutor();
        executors.add(executor);
        return executor;
    }

    MatchingService cluster() {
        return cluster;
    }

    /** Sends a committed write to the network. */
    void send(WriteEvent write) {
        network.add(write);
    }

    /**
     * Delivers one of the writes in the network to the cluster; one in five will be delivered
     * again.
     */
    void deliverOne() {
        if (!network.isEmpty()) {
            int index = random.nextInt(network.size());
            WriteEvent write = random.nextInt(5) == 0 ? network.get(index) : network.remove(index);
            var unused = cluster.publish(write);
        }
    }

    /** Runs one queued task of some cell. */
    void runOne() {
        executors.get(random.nextInt(executors.size())).step();
    }

    /** Delivers all messages, and runs all queued tasks of the cells that have not stopped. */
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
            for (ManualCellExecutor executor : List.copyOf(executors)) {
                while (executor.step()) {
                    busy = true;
                }
            }
        }
    }

    /**
     * Ticks. An empty cell may replace one that has stopped or lags; late writes arrive first, see
     * above.
     */
    void tick() {
        deliverAll();
        var unused = cluster.tick();
    }

    /** Sets the clock forward or back. Late messages arrive first, see above. */
    void jump(Duration by) {
        settle();
        now = now.plus(by);
    }

    void stopSomeCell() {
        executors.get(random.nextInt(executors.size())).stick();
    }

    /** Ticks until no cell is unresponsive any more. */
    void replaceStoppedCells() {
        while (isSomeCellStopped()) {
            runAll();
            tick();
        }
    }

    private boolean isSomeCellStopped() {
        return executors.stream().anyMatch(ManualCellExecutor::isStuck);
    }
}
