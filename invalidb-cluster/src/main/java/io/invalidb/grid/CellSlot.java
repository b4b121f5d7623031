package io.invalidb.grid;

import io.invalidb.matching.CellMeter;
import io.invalidb.matching.cell.FilterCell;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * One slot of the grid: the current host of its cell, and the number of unanswered heartbeats.
 * Heartbeats are counted and not timed, so that no jump of a clock makes a cell appear
 * unresponsive. Thread-safe.
 */
final class CellSlot {

    /** Maximum number of unanswered heartbeats of a responsive cell. */
    private static final int MAX_UNANSWERED_HEARTBEATS = 2;

    private final String name;
    private final int queryPartition;
    private final CellHost.Factory hosts;
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile CellHost host;
    private volatile CellCounters counters = new CellCounters();

    CellSlot(String name, int queryPartition, CellHost.Factory hosts) {
        this.name = name;
        this.queryPartition = queryPartition;
        this.hosts = hosts;
        this.host = hosts.create(name);
    }

    /** Returns the row of the slot. */
    int queryPartition() {
        return queryPartition;
    }

    CellHost host() {
        return host;
    }

    /** Returns whether the cell has left too many heartbeats unanswered. */
    boolean isUnresponsive() {
        return unanswered.get() > MAX_UNANSWERED_HEARTBEATS;
    }

    /** Sends a heartbeat to the cell. */
    void sendHeartbeat(CellTask task) {
        unanswered.incrementAndGet();
        host.submit(task);
    }

    void acknowledgeHeartbeat() {
        unanswered.set(0);
    }

    /** Replaces the host; later calls reach the new one only. */
    CellHost replaceHost() {
        CellHost old = host;
        host = hosts.create(name);
        unanswered.set(0);
        return old;
    }

    /** Starts a cell with its own meter, since the previous cell may continue to count. */
    void start(Function<CellMeter, FilterCell> cell) {
        counters = new CellCounters();
        host.start(cell.apply(counters));
    }

    /** Returns the work of the present cell. */
    CellLoadCounters counts() {
        return counters.counts();
    }
}
