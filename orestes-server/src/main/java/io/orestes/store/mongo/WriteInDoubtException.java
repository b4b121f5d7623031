package io.orestes.store.mongo;

/**
 * A failure of a write whose outcome is unknown because its response is lost. Never leaves the
 * store.
 */
final class WriteInDoubtException extends RuntimeException {

    /** @param lost what came instead of the answer */
    WriteInDoubtException(Throwable lost) {
        super("MongoDB has not said what became of a write: " + lost.getMessage(), lost, false, false);
    }

    /** The failure of a write that was sent alone, in no transaction. */
    static Throwable unlessRefused(Throwable failure) {
        return MongoErrors.isOfUnknownOutcome(failure) ? new WriteInDoubtException(failure) : failure;
    }
}
