package io.invalidb.matching.cell;

/**
 * Signals that writes since the given position are no longer retained. The given result may lack
 * some of these writes. Execute the query again, with a new position.
 */
public final class RetentionExceededException extends RuntimeException {

    RetentionExceededException(String queryId) {
        super("The write stream is not retained back to the position of query " + queryId, null, false, false);
    }
}
