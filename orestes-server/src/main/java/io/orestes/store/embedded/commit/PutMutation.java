package io.orestes.store.embedded.commit;

import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.WriteGuard;
import io.orestes.store.embedded.codec.PreEncodedObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The mutation that writes a whole object, new or in place of the current one. */
public final class PutMutation extends ObjectMutation<StoredObject> {

    private final PreEncodedObject preEncodedObject;

    public PutMutation(
            PreEncodedObject preEncodedObject, WriteGuard guard, CallerContextPromise<StoredObject> callerPromise) {
        super(preEncodedObject.ref(), guard, callerPromise);
        this.preEncodedObject = preEncodedObject;
    }

    @Override
    StoredObject apply(CommitGroup commitGroup, @Nullable StoredObject before) {
        StoredObject after = before == null
                ? first(commitGroup)
                : preEncodedObject.completeAfter(before, commitGroup.timeAfter(before.updatedAt()));
        commitGroup.put(before, after, preEncodedObject.encoded());
        return after;
    }

    @Override
    Optional<WriteOutcome> applyInBatch(CommitGroup commitGroup) {
        return Optional.of(apply(commitGroup));
    }

    private StoredObject first(CommitGroup commitGroup) {
        long createdAt = commitGroup.timeAfter(commitGroup.endOfLastLife(preEncodedObject.ref()));
        return preEncodedObject.complete(1, createdAt, createdAt);
    }
}
