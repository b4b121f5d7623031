package io.invalidb.query;

/** The query is malformed; the message names the offending part. */
public final class QuerySyntaxException extends RuntimeException {

    public QuerySyntaxException(String message) {
        super(message, null, false, false);
    }
}
