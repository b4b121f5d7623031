package io.invalidb.grid;

import io.invalidb.matching.CellMeter;
import io.invalidb.matching.FilterCell;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * One slot of the grid: the host that runs its cell now, and the heartbeats it leaves unanswered.
 * Heartbeats are counted and not timed, so that no jump of a clock makes a cell look silent.
 * Thread-safe.
 */
final class CellSlot {

    /** Heartbeats that a cell may leave unanswered before it counts as silent. */
    private static final int MOST_UNANSWERED = 2;

    private final String name;
    private final int queryPartition;
    private final CellHost.Factory hosts;
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile CellHost host;
    private volatile CellCounters cellCounts = new CellCounters();

    CellSlot(String name, int queryPartition, CellHost.Factory hosts) {
        this.name = name;
        this.queryPartition = queryPartition;
        this.hosts = hosts;
        this.host = hosts.make(name);
    }

    /** The row it is in. */
    int queryPartition() {
        return queryPartition;
    }

    CellHost host() {
        return host;
    }

    /** Whether the cell has left too many heartbeats unanswered. */
    boolean isSilent() {
        return unanswered.get() > MOST_UNANSWERED;
    }

    /** Asks the cell for a sign of life. */
    void beat(CellTask task) {
        unanswered.incrementAndGet();
        host.hand(task);
    }

    void answered() {
        unanswered.set(0);
    }

    /**
     * Lets another host take the place of this one, which gets nothing any more from whoever looks
     * for it from now on.
     */
    CellHost replaceHost() {
        CellHost old = host;
        host = hosts.make(name);
        unanswered.set(0);
        return old;
    }

    /** A cell that was here before may go on counting, so each has its own meter. */
    void start(Function<CellMeter, FilterCell> cell) {
        cellCounts = new CellCounters();
        host.start(cell.apply(cellCounts));
    }

    /** What the cell has done since it took this place. */
    CellCounts effort() {
        return cellCounts.effort();
    }
}
