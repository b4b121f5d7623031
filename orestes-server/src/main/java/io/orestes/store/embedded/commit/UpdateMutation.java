package io.orestes.store.embedded.commit;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.ObjectStore;
import io.orestes.store.UpdateFunction;
import io.orestes.store.WriteGuard;
import io.orestes.store.embedded.codec.PreEncodedObject;
import io.orestes.store.embedded.codec.StoredDocumentCodec;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The mutation that applies an update function to an object, computed in the background for large
 * objects. The guard ensures that there is an object. {@link MutationPreparer} computes the next
 * state of a large one. It is computed again if the committer meets another state.
 */
public final class UpdateMutation extends ObjectMutation<StoredObject> {

    /**
     * Maximum bytes of states on which one mutation lets the committer work, which takes about a
     * millisecond.
     */
    public static final int MAX_UNPREPARED_BYTES = 128 << 10;

    private final UpdateFunction updateFunction;
    private @Nullable PreparedUpdate prepared;
    private int unprepared;

    public UpdateMutation(
            ObjectRef ref,
            UpdateFunction updateFunction,
            WriteGuard guard,
            CallerContextPromise<StoredObject> callerPromise) {
        super(ref, guard, callerPromise);
        this.updateFunction = updateFunction;
    }

    @Override
    List<UpdateMutation> updates() {
        return List.of(this);
    }

    @Override
    int unpreparedBytes() {
        return unprepared;
    }

    @Override
    Optional<StoredObject> before(CommitGroup commitGroup) {
        return commitGroup.encoded(ref()).map(this::before);
    }

    private StoredObject before(byte[] encoded) {
        unprepared = prepared == null ? encoded.length : 0;
        return prepared != null || encoded.length > MAX_UNPREPARED_BYTES
                ? StoredDocumentCodec.lazy(ref(), encoded)
                : StoredDocumentCodec.whole(ref(), encoded);
    }

    @Override
    StoredObject apply(CommitGroup commitGroup, @Nullable StoredObject current) {
        PreparedUpdate step = step(commitGroup, Objects.requireNonNull(current));
        StoredObject after = step.draft.completeAfter(step.before, step.updated);
        commitGroup.put(step.before, after, step.draft.encoded());
        return after;
    }

    @Override
    Optional<WriteOutcome> applyInBatch(CommitGroup commitGroup) {
        return Optional.of(apply(commitGroup));
    }

    private PreparedUpdate step(CommitGroup commitGroup, StoredObject before) {
        PreparedUpdate preparedUpdate = prepared;
        if (preparedUpdate != null && preparedUpdate.isFrom(before)) {
            return preparedUpdate;
        }
        if (preparedUpdate != null || unprepared > MAX_UNPREPARED_BYTES) {
            throw new PreparationRequiredException();
        }
        return from(before, commitGroup.timeAfter(before.updatedAt()));
    }

    /** Computes the state that follows a given one; fails as the update does. */
    void prepare(byte[] encoded, InstantSource clock) {
        StoredObject before = StoredDocumentCodec.whole(ref(), encoded);
        prepared = from(before, Math.max(clock.millis(), before.updatedAt() + 1));
    }

    /** Discards the computed state. */
    void discardPrepared() {
        prepared = null;
    }

    private PreparedUpdate from(StoredObject before, long updated) {
        PreEncodedObject draft = new PreEncodedObject(ref(), updateFunction.apply(before.document(), updated));
        requireRoom(draft);
        return new PreparedUpdate(before, updated, draft);
    }

    private static void requireRoom(PreEncodedObject draft) {
        if (draft.encoded().length > ObjectStore.MAX_UPDATED_BYTES) {
            throw new ApiException(
                    ErrorCode.PAYLOAD_TOO_LARGE, "The object " + draft.ref().id() + " would become larger than 16 MB");
        }
    }

    /** The transition from one state to the next. */
    private record PreparedUpdate(StoredObject before, long updated, PreEncodedObject draft) {

        private boolean isFrom(StoredObject current) {
            return before.createdAt() == current.createdAt() && before.version() == current.version();
        }
    }
}
