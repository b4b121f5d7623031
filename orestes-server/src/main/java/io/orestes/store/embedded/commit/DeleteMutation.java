package io.orestes.store.embedded.commit;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.orestes.store.WriteGuard;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The mutation that deletes an object, if there is one, and leaves a tombstone. */
public final class DeleteMutation extends ObjectMutation<Optional<Tombstone>> {

    public DeleteMutation(ObjectRef ref, WriteGuard guard, CallerContextPromise<Optional<Tombstone>> callerPromise) {
        super(ref, guard, callerPromise);
    }

    @Override
    Optional<Tombstone> apply(CommitGroup commitGroup, @Nullable StoredObject before) {
        return Optional.ofNullable(before).map(commitGroup::delete);
    }

    @Override
    Optional<WriteOutcome> applyInBatch(CommitGroup commitGroup) {
        return apply(commitGroup).map(tombstone -> tombstone);
    }
}
