package io.orestes.store.embedded.commit;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.WriteGuard;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A mutation of one object that is applied if its write guard allows it. */
public abstract sealed class ObjectMutation<T> extends Mutation<T> permits PutMutation, UpdateMutation, DeleteMutation {

    private final ObjectRef ref;
    private final WriteGuard guard;

    ObjectMutation(ObjectRef ref, WriteGuard guard, CallerContextPromise<T> callerPromise) {
        super(callerPromise);
        this.ref = ref;
        this.guard = guard;
    }

    final ObjectRef ref() {
        return ref;
    }

    /** Returns the guard that decides whether the mutation is applied. */
    final WriteGuard guard() {
        return guard;
    }

    @Override
    public final T apply(CommitGroup commitGroup) {
        StoredObject before = before(commitGroup).orElse(null);
        guard.check(ref, before);
        return apply(commitGroup, before);
    }

    @Override
    List<UpdateMutation> updates() {
        return List.of();
    }

    /**
     * Returns the bytes of the current state that were not prepared and took the committer's time.
     */
    int unpreparedBytes() {
        return 0;
    }

    /** Returns the current state, decoded as far as it will be read. */
    Optional<StoredObject> before(CommitGroup commitGroup) {
        return commitGroup.current(ref);
    }

    /**
     * Adds the change to the group, or throws and adds nothing.
     *
     * @param before the current state, null if there is no object
     */
    abstract T apply(CommitGroup commitGroup, @Nullable StoredObject before);

    /**
     * Adds the change of a batch to the group and returns its outcome; empty for a deletion of
     * nothing.
     */
    abstract Optional<WriteOutcome> applyInBatch(CommitGroup commitGroup);
}
