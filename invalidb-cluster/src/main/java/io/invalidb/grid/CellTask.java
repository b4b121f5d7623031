package io.invalidb.grid;

import io.invalidb.matching.FilterCell;

/** Something to do on a cell. Each of the calls may come from another thread. */
public interface CellTask {

    void run(FilterCell cell);

    /** Takes the place of {@link #run} if that failed, or when the cell has stopped. */
    void fail(Throwable cause);

    /**
     * The cell was given up, and all queries it held have ended: nobody needs the outcome any more. Takes the place of {@link
     * #run}, or comes while that is under way and seems not to return.
     */
    void abandon();
}
