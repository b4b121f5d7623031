package io.invalidb.grid;

import io.invalidb.matching.cell.FilterCell;

/**
 * A task that an executor runs on its cell, with callbacks for failure and abandonment. Each of the
 * calls may come from another thread.
 */
public interface CellTask {

    void run(FilterCell cell);

    /** Called instead of {@link #run} if the cell has stopped, or after {@link #run} failed. */
    void fail(Throwable cause);

    /**
     * Called if the cell was abandoned and all its queries have ended, so that the outcome is no
     * longer needed. Replaces {@link #run}, or is called while that runs and does not return.
     */
    void abandon();
}
