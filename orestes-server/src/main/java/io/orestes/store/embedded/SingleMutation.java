package io.orestes.store.embedded;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import java.util.Optional;

/** A change of one object, if its guard lets it happen. */
abstract sealed class SingleMutation<T> extends Mutation<T> permits Put, Revision, Delete {

    private final ObjectRef ref;
    private final WriteGuard guard;

    SingleMutation(ObjectRef ref, WriteGuard guard, Reply<T> reply) {
        super(reply);
        this.ref = ref;
        this.guard = guard;
    }

    final ObjectRef ref() {
        return ref;
    }

    /** Throws the reason why it could not be done now. */
    final void check(Group group) {
        guard.check(ref, group.current(ref));
    }

    @Override
    final T apply(Group group) {
        Optional<StoredObject> before = before(group);
        guard.check(ref, before);
        return apply(group, before);
    }

    /** The state it meets, decoded as far as it will be looked at. */
    Optional<StoredObject> before(Group group) {
        return group.current(ref);
    }

    /** Adds the change to the group, or throws and adds nothing. */
    abstract T apply(Group group, Optional<StoredObject> before);
}
