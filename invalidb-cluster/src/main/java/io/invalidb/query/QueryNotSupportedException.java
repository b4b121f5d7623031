package io.invalidb.query;

/** The query is well-formed but uses something that cannot be evaluated here; the message names it. */
public final class QueryNotSupportedException extends RuntimeException {

    public QueryNotSupportedException(String message) {
        super(message, null, false, false);
    }
}
