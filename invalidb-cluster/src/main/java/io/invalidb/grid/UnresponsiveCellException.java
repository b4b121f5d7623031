package io.invalidb.grid;

/** The cell that held the query has stopped to answer and was replaced by an empty one. Subscribe the query again. */
public final class UnresponsiveCellException extends RuntimeException {

    public UnresponsiveCellException() {
        super("The cell that held the query does not answer any more", null, false, false);
    }
}
