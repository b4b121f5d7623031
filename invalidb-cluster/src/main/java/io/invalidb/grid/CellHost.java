package io.invalidb.grid;

import io.invalidb.matching.FilterCell;

/**
 * The executor of one cell: a thread in production, step by step in tests. It hides threads and
 * message passing from the grid. All methods may be called from any thread and return at once, but
 * for {@link #awaitStop}.
 */
public interface CellHost {

    /** A factory of hosts for cells with the given name. */
    @FunctionalInterface
    interface Factory {
        CellHost make(String name);
    }

    /**
     * Begins to run tasks, those handed over before first; the cell is this host's alone from now
     * on.
     */
    void start(FilterCell cell);

    /**
     * Hands over a task. It runs after those handed over before it, or fails if the host has
     * stopped.
     */
    void hand(CellTask task);

    /**
     * As {@link #hand}, but a sleeping host may sleep on until {@link #wake} or until more is left
     * for it.
     */
    void leave(CellTask task);

    /** Makes the host run what was left for it. */
    void wake();

    /**
     * Abandons the task that is being run, those that wait, and those that may yet come; tasks need
     * not be thread-safe.
     */
    void abandon();

    /** Ends once everything that was handed over is done. */
    void stop();

    /** Waits for the end. */
    void awaitStop() throws InterruptedException;
}
