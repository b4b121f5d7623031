package io.invalidb.grid;

/**
 * Signals that a cell with the query stopped answering heartbeats and was replaced by an empty one.
 * Subscribe the query again.
 */
public final class UnresponsiveCellException extends RuntimeException {

    public UnresponsiveCellException() {
        super("The cell with the query does not answer any more", null, false, false);
    }
}
