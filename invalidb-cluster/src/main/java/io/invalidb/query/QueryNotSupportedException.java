package io.invalidb.query;

/** Signals a well-formed query that uses something not supported here, which the message names. */
public final class QueryNotSupportedException extends RuntimeException {

    public QueryNotSupportedException(String message) {
        super(message, null, false, false);
    }
}
