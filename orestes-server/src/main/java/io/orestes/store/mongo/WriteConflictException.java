package io.orestes.store.mongo;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure of a conditional write that changed nothing and is retried with the current state.
 * Never leaves the store.
 */
final class WriteConflictException extends RuntimeException {

    private final @Nullable String parallel;
    private final boolean isOfNoAnswer;

    private WriteConflictException(@Nullable String parallel, boolean isOfNoAnswer) {
        super("Another writer was faster", null, false, false);
        this.parallel = parallel;
        this.isOfNoAnswer = isOfNoAnswer;
    }

    /** Another process has changed the object. */
    static WriteConflictException byAnother() {
        return new WriteConflictException(null, false);
    }

    /**
     * A transaction is not committed, for a reason that passes: another one was faster, or MongoDB
     * has not answered its work.
     */
    static WriteConflictException by(Throwable failure) {
        return new WriteConflictException(null, MongoErrors.isOfNoAnswer(failure));
    }

    /**
     * Indexes of the bucket have to be reduced first, since MongoDB takes no two arrays of one
     * document into one.
     */
    static WriteConflictException byParallelArrays(String bucket) {
        return new WriteConflictException(bucket, false);
    }

    /** The bucket in which a document does not fit into an index. */
    Optional<String> parallel() {
        return Optional.ofNullable(parallel);
    }

    /** Whether MongoDB has not answered, so that other attempts of the moment fail alike. */
    boolean isOfNoAnswer() {
        return isOfNoAnswer;
    }
}
