package io.invalidb.grid;

import io.invalidb.matching.cell.FilterCell;

/**
 * The executor of one cell: a thread in production, step by step in tests. It hides threads and
 * message passing from the grid. All methods may be called from any thread and return immediately,
 * except for {@link #awaitStop}.
 */
public interface CellExecutor {

    /** A factory of executors for cells with the given name. */
    @FunctionalInterface
    interface Factory {
        CellExecutor create(String name);
    }

    /** Starts the executor, which owns the cell from now on; it runs earlier tasks first. */
    void start(FilterCell cell);

    /** Submits a task. It runs after earlier tasks, or fails if the executor has stopped. */
    void submit(CellTask task);

    /**
     * Submits a task as {@link #submit} does, but a sleeping executor may sleep until
     * {@link #wakeUp} or until more tasks are queued.
     */
    void submitLazily(CellTask task);

    /** Wakes up the executor to run queued tasks. */
    void wakeUp();

    /**
     * Abandons the running task, the queued ones and all later ones; tasks need not be thread-safe.
     */
    void abandon();

    /** Stops the executor after all submitted tasks. */
    void stop();

    /** Waits until the executor has stopped. */
    void awaitStop() throws InterruptedException;
}
