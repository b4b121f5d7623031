package io.invalidb.grid;

import io.invalidb.matching.CellMeter;
import io.invalidb.matching.cell.FilterCell;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * One slot of the grid: the current executor of its cell, and the number of unanswered heartbeats.
 * Heartbeats are counted and not timed, so that no jump of a clock makes a cell appear
 * unresponsive. Thread-safe.
 */
final class CellSlot {

    /** Maximum number of unanswered heartbeats of a responsive cell. */
    private static final int MAX_UNANSWERED_HEARTBEATS = 2;

    private final String name;
    private final int queryPartition;
    private final CellExecutor.Factory executors;
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile CellExecutor executor;
    private volatile CellCounters counters = new CellCounters();

    CellSlot(String name, int queryPartition, CellExecutor.Factory executors) {
        this.name = name;
        this.queryPartition = queryPartition;
        this.executors = executors;
        this.executor = executors.create(name);
    }

    /** Returns the row of the slot. */
    int queryPartition() {
        return queryPartition;
    }

    CellExecutor executor() {
        return executor;
    }

    /** Returns whether the cell has left too many heartbeats unanswered. */
    boolean isUnresponsive() {
        return unanswered.get() > MAX_UNANSWERED_HEARTBEATS;
    }

    /** Sends a heartbeat to the cell. */
    void sendHeartbeat(CellTask task) {
        unanswered.incrementAndGet();
        executor.submit(task);
    }

    void acknowledgeHeartbeat() {
        unanswered.set(0);
    }

    /** Replaces the executor; later calls reach the new one only. */
    CellExecutor replaceExecutor() {
        CellExecutor old = executor;
        executor = executors.create(name);
        unanswered.set(0);
        return old;
    }

    /** Starts a cell with its own meter, since the previous cell may continue to count. */
    void start(Function<CellMeter, FilterCell> cell) {
        counters = new CellCounters();
        executor.start(cell.apply(counters));
    }

    /** Returns the work of the present cell. */
    CellLoadCounters counts() {
        return counters.counts();
    }
}
