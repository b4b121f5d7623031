package io.invalidb.grid;

import io.invalidb.matching.cell.FilterCell;

/**
 * The executor of one cell: a thread in production, step by step in tests. It hides threads and
 * message passing from the grid. All methods may be called from any thread and return immediately,
 * except for {@link #awaitStop}.
 */
public interface CellHost {

    /** A factory of hosts for cells with the given name. */
    @FunctionalInterface
    interface Factory {
        CellHost create(String name);
    }

    /** Starts the host, which owns the cell from now on; it runs earlier tasks first. */
    void start(FilterCell cell);

    /** Submits a task. It runs after earlier tasks, or fails if the host has stopped. */
    void submit(CellTask task);

    /**
     * Submits a task as {@link #submit} does, but a sleeping host may sleep until {@link #wakeUp}
     * or until more tasks are queued.
     */
    void submitLazily(CellTask task);

    /** Wakes up the host to run queued tasks. */
    void wakeUp();

    /**
     * Abandons the running task, the queued ones and all later ones; tasks need not be thread-safe.
     */
    void abandon();

    /** Stops the host after all submitted tasks. */
    void stop();

    /** Waits until the host has stopped. */
    void awaitStop() throws InterruptedException;
}
