package io.invalidb.query;

/** Signals a malformed query; the message names the offending part. */
public final class QuerySyntaxException extends RuntimeException {

    public QuerySyntaxException(String message) {
        super(message, null, false, false);
    }
}
