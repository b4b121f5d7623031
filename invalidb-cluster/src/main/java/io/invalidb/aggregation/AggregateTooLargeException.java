package io.invalidb.aggregation;

/** Signals that an aggregate exceeds one of its limits, which the message names. */
public final class AggregateTooLargeException extends RuntimeException {

    AggregateTooLargeException(String message) {
        super(message, null, false, false);
    }
}
