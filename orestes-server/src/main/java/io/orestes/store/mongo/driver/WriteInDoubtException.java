package io.orestes.store.mongo.driver;

/**
 * A failure of a write whose outcome is unknown because its response is lost. Never leaves the
 * store.
 */
public final class WriteInDoubtException extends RuntimeException {

    /** @param lost the failure in place of the response */
    WriteInDoubtException(Throwable lost) {
        super("The outcome of a write is unknown: " + lost.getMessage(), lost, false, false);
    }

    /** Converts the failure of a write that was sent alone, without a transaction. */
    public static Throwable unlessRefused(Throwable failure) {
        return MongoErrors.mayHaveBeenApplied(failure) ? new WriteInDoubtException(failure) : failure;
    }
}
