package io.orestes.store.mongo.driver;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure of a conditional write that changed nothing and is retried with the current state.
 * Never leaves the store.
 */
public final class RetriableWriteException extends RuntimeException {

    private final @Nullable String parallelArraysBucket;
    private final boolean isNoResponse;

    private RetriableWriteException(@Nullable String parallelArraysBucket, boolean isNoResponse) {
        super("Another writer was faster, or MongoDB did not respond", null, false, false);
        this.parallelArraysBucket = parallelArraysBucket;
        this.isNoResponse = isNoResponse;
    }

    /** Creates the failure of a write whose object another process has changed. */
    public static RetriableWriteException byConcurrentWrite() {
        return new RetriableWriteException(null, false);
    }

    /**
     * Creates the failure of a transaction that is not committed for a temporary reason: another
     * one was faster, MongoDB has not responded to its work, or no connection was available.
     */
    static RetriableWriteException byTemporaryFailure(Throwable failure) {
        return new RetriableWriteException(null, MongoErrors.isNoResponseError(failure));
    }

    /**
     * Creates the failure of a write that needs reduced indexes first, since MongoDB takes no two
     * arrays of one document into one.
     */
    public static RetriableWriteException byParallelArrays(String bucket) {
        return new RetriableWriteException(bucket, false);
    }

    /** Returns the bucket in which a document does not fit into an index. */
    public Optional<String> parallelArraysBucket() {
        return Optional.ofNullable(parallelArraysBucket);
    }

    /**
     * True if MongoDB has not responded or was not reached, so that other attempts at the moment
     * would fail alike.
     */
    public boolean isNoResponse() {
        return isNoResponse;
    }
}
