package io.invalidb.grid;

import io.invalidb.matching.FilterCell;

/**
 * A task that a host runs on its cell, with callbacks for failure and abandonment. Each of the
 * calls may come from another thread.
 */
public interface CellTask {

    void run(FilterCell cell);

    /** Takes the place of {@link #run} if that failed, or when the cell has stopped. */
    void fail(Throwable cause);

    /**
     * The cell was given up, and all queries it held have ended: nobody needs the outcome any more.
     * Takes the place of {@link #run}, or comes while that is under way and seems not to return.
     */
    void abandon();
}
