package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.orestes.store.Update;
import java.util.Optional;

/** Puts what an update makes of an object in its place; the guard sees to it that there is one. */
final class Revision extends SingleMutation<StoredObject> {

    private final Update update;

    Revision(ObjectRef ref, Update update, WriteGuard guard, Reply<StoredObject> reply) {
        super(ref, guard, reply);
        this.update = update;
    }

    @Override
    Optional<StoredObject> before(Group group) {
        return group.decoded(ref());
    }

    @Override
    StoredObject apply(Group group, Optional<StoredObject> current) {
        StoredObject before = current.orElseThrow();
        long updated = group.timeAfter(before.updatedAt());
        Draft draft = new Draft(ref(), update.apply(before.document(), updated));
        requireRoom(draft);
        StoredObject after = draft.succeed(before, updated);
        group.put(current, after, draft.encoded());
        return after;
    }

    private static void requireRoom(Draft draft) {
        if (draft.encoded().length > ObjectStore.LARGEST_UPDATED) {
            throw new ApiException(
                    ErrorCode.PAYLOAD_TOO_LARGE, "The object " + draft.ref().id() + " would become larger than 16 MB");
        }
    }
}
