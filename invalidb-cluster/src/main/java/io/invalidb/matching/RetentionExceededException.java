package io.invalidb.matching;

/**
 * Writes since the position given are no longer retained, so that the result given may lack some of them. Execute the query
 * again, with a new position.
 */
public final class RetentionExceededException extends RuntimeException {

    RetentionExceededException(String queryId) {
        super("The write stream is not retained back to the position of query " + queryId, null, false, false);
    }
}
