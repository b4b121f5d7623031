package io.invalidb.query;

/** Signals a well-formed query with an unsupported part, which the message names. */
public final class QueryNotSupportedException extends RuntimeException {

    public QueryNotSupportedException(String message) {
        super(message, null, false, false);
    }
}
