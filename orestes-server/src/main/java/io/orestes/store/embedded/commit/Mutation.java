package io.orestes.store.embedded.commit;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.store.embedded.codec.StoredDocumentCodec;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.RocksDatabase;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A write request for the committer: the changes to apply and the caller to notify. */
abstract sealed class Mutation<T> implements CommitterTask permits ObjectMutation, BatchMutation {

    /**
     * Maximum number of preparations; a mutation that other writes outdated so often is refused.
     */
    private static final int MAX_PREPARATIONS = 10;

    /** Maximum bytes of states in memory while updates of several objects are prepared. */
    private static final long MAX_PREPARED_BYTES = 32 << 20;

    private final CallerContextPromise<T> callerPromise;
    private Future<T> outcome = Future.failedFuture("not evaluated");
    private @Nullable RuntimeException refusal;
    private int preparations;

    Mutation(CallerContextPromise<T> callerPromise) {
        this.callerPromise = callerPromise;
    }

    /**
     * Adds the change to the group and returns the caller's result after the commit, or throws and
     * adds nothing.
     */
    abstract T apply(CommitGroup commitGroup);

    /** Returns its changes that depend on the stored states. */
    abstract List<UpdateMutation> updates();

    /**
     * Applies the mutation and stores the outcome; returns false if it has to be prepared first.
     */
    final boolean evaluate(CommitGroup commitGroup) {
        try {
            requireAcceptable();
            outcome = Future.succeededFuture(apply(commitGroup));
        } catch (PreparationRequiredException later) {
            // a waiting mutation must not take memory
            updates().forEach(UpdateMutation::discardPrepared);
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
     * Computes the results of its updates for the currently committed states. Called by another
     * thread than the committer's, while the committer does not have the mutation.
     */
    final void prepare(RocksDatabase rocksDatabase, InstantSource clock) {
        try {
            preparations++;
            if (preparations > MAX_PREPARATIONS) {
                throw new ApiException(
                        ErrorCode.UNAVAILABLE, "Others change the object while its update is computed; try again");
            }
            prepareAll(rocksDatabase, clock);
        } catch (RuntimeException e) {
            refusal = e;
        }
    }

    private void prepareAll(RocksDatabase rocksDatabase, InstantSource clock) {
        List<UpdateMutation> revisions = updates();
        long bytes = 0;
        for (UpdateMutation updateMutation : revisions) {
            Optional<byte[]> state = rocksDatabase.get(
                    ColumnFamily.OBJECTS,
                    StoredDocumentCodec.key(updateMutation.ref().id()));
            bytes += state.map(encoded -> encoded.length).orElse(0);
            if (revisions.size() > 1 && bytes > MAX_PREPARED_BYTES) {
                throw new ApiException(
                        ErrorCode.PAYLOAD_TOO_LARGE, "The objects that are updated together have more than 32 MB");
            }
            state.ifPresent(encoded -> updateMutation.prepare(encoded, clock));
        }
    }

    /** Adds the outcome of {@link #evaluate} for delivery to the caller. */
    final void addCompletion(CompletionBatch completionBatch) {
        completionBatch.add(callerPromise, outcome);
    }

    @Override
    public final void addTo(Collection<Mutation<?>> mutations, Collection<IncrementalTask> incrementalTasks) {
        mutations.add(this);
    }

    @Override
    public final void abort(ApiException reason, CompletionBatch completionBatch) {
        completionBatch.add(callerPromise, Future.failedFuture(reason));
    }
}
