package io.orestes.store.embedded;

import io.orestes.model.ObjectRef;
import io.orestes.model.Tombstone;
import java.util.Optional;

/** Deletes an object if there is one. */
final class Delete extends Mutation<Optional<Tombstone>> {

    private final ObjectRef ref;
    private final WriteGuard guard;

    Delete(ObjectRef ref, WriteGuard guard, Reply<Optional<Tombstone>> reply) {
        super(reply);
        this.ref = ref;
        this.guard = guard;
    }

    @Override
    Optional<Tombstone> apply(Group group) {
        var before = group.current(ref);
        guard.check(ref, before);
        return before.map(group::delete);
    }
}
