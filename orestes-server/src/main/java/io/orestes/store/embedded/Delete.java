package io.orestes.store.embedded;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.WriteGuard;
import java.util.Optional;

/** Deletes an object if there is one. */
final class Delete extends SingleMutation<Optional<Tombstone>> {

    Delete(ObjectRef ref, WriteGuard guard, Reply<Optional<Tombstone>> reply) {
        super(ref, guard, reply);
    }

    @Override
    Optional<Tombstone> apply(Group group, Optional<StoredObject> before) {
        return before.map(group::delete);
    }
}
