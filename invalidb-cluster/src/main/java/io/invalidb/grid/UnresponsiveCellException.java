package io.invalidb.grid;

/**
 * Signals that the cell which held a query stopped answering heartbeats and was replaced by an
 * empty one. Subscribe the query again.
 */
public final class UnresponsiveCellException extends RuntimeException {

    public UnresponsiveCellException() {
        super("The cell that held the query does not answer any more", null, false, false);
    }
}
