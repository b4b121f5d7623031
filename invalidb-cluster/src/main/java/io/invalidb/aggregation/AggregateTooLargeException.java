package io.invalidb.aggregation;

/** An aggregate has more members or groups, or takes more memory, than it may; the message says which bound it is. */
public final class AggregateTooLargeException extends RuntimeException {

    AggregateTooLargeException(String message) {
        super(message, null, false, false);
    }
}
