package io.invalidb.grid;

import io.invalidb.matching.FilterCell;

/** Something to do on a cell, on its thread. */
interface CellTask {

    void run(FilterCell cell);

    /** Takes the place of {@link #run} if that failed, or when the cell has stopped; on any thread. */
    void fail(Throwable cause);
}
