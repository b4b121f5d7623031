package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A write request for the committer: the changes to apply and the caller to notify. */
abstract sealed class Mutation<T> implements CommitterTask permits ObjectMutation, BatchMutation {

    /** Who is overtaken so often would be so for long. */
    private static final int MOST_PREPARATIONS = 10;

    /** Bytes of states that are in memory while updates of several objects are prepared. */
    private static final long MOST_PREPARED = 32 << 20;

    private final CallerPromise<T> callerPromise;
    private Future<T> outcome = Future.failedFuture("not evaluated");
    private @Nullable RuntimeException refusal;
    private int preparations;

    Mutation(CallerPromise<T> callerPromise) {
        this.callerPromise = callerPromise;
    }

    /**
     * Adds the change to the group and returns what to answer once that is committed, or throws and
     * adds nothing.
     */
    abstract T apply(CommitGroup commitGroup);

    /** Those of its changes that follow from the states they meet. */
    abstract List<UpdateMutation> revisions();

    /** Applies it and keeps the outcome; returns false if it has to be prepared first. */
    final boolean evaluate(CommitGroup commitGroup) {
        try {
            requireAcceptable();
            outcome = Future.succeededFuture(apply(commitGroup));
        } catch (PreparationRequiredException later) {
            // what waits must not take memory
            revisions().forEach(UpdateMutation::forget);
            return false;
        } catch (RuntimeException e) {
            outcome = Future.failedFuture(ApiException.of(e));
        }
        return true;
    }

    private void requireAcceptable() {
        RuntimeException reason = refusal;
        if (reason != null) {
            throw reason;
        }
    }

    /**
     * Works out what it makes of the states that are committed now; called by another thread than
     * the committer's, while that has not got it.
     */
    final void prepare(RocksDatabase rocksDatabase, InstantSource clock) {
        try {
            preparations++;
            if (preparations > MOST_PREPARATIONS) {
                throw new ApiException(
                        ErrorCode.UNAVAILABLE, "Others change the object while its update is worked out; try again");
            }
            prepareAll(rocksDatabase, clock);
        } catch (RuntimeException e) {
            refusal = e;
        }
    }

    private void prepareAll(RocksDatabase rocksDatabase, InstantSource clock) {
        List<UpdateMutation> revisions = revisions();
        long bytes = 0;
        for (UpdateMutation updateMutation : revisions) {
            Optional<byte[]> state = rocksDatabase.get(
                    ColumnFamily.OBJECTS,
                    StoredDocumentCodec.key(updateMutation.ref().id()));
            bytes += state.map(encoded -> encoded.length).orElse(0);
            if (revisions.size() > 1 && bytes > MOST_PREPARED) {
                throw new ApiException(
                        ErrorCode.PAYLOAD_TOO_LARGE, "The objects that are updated together have more than 32 MB");
            }
            state.ifPresent(encoded -> updateMutation.prepare(encoded, clock));
        }
    }

    /** Answers the caller with what {@link #evaluate} found. */
    final void answer(CompletionBatch completionBatch) {
        completionBatch.add(callerPromise, outcome);
    }

    @Override
    public final void abort(ApiException reason, CompletionBatch completionBatch) {
        completionBatch.add(callerPromise, Future.failedFuture(reason));
    }
}
