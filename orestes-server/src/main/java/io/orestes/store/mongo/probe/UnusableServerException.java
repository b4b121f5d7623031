package io.orestes.store.mongo.probe;

import io.orestes.store.mongo.driver.MongoErrors;

/**
 * A failure to open the store, because the server at the MongoDB address is unsuitable or
 * unreachable. The message gives the reason, for the operator.
 */
public final class UnusableServerException extends RuntimeException {

    UnusableServerException(String message) {
        super(message);
    }

    private UnusableServerException(String message, Throwable cause) {
        super(message, cause);
    }

    /** True if it may be usable later: it did not respond, or not in time. */
    public boolean isTransient() {
        return getCause() != null && MongoErrors.isTransient(getCause());
    }

    /** Returns the reason why the store cannot be opened. */
    public static UnusableServerException of(Throwable failure, String server) {
        return failure instanceof UnusableServerException unusable
                ? unusable
                : new UnusableServerException(
                        server + " cannot be used: " + hint(failure) + failure.getMessage(), failure);
    }

    private static String hint(Throwable failure) {
        return MongoErrors.isUnauthorizedError(failure)
                ? "the address has to name a user with the role readWrite on that database: "
                : "";
    }
}
