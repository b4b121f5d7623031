package io.orestes.store.embedded;

import io.orestes.model.StoredObject;
import java.util.Optional;

/** Writes a whole object, new or in place of the current one. */
final class Put extends Mutation<StoredObject> {

    private final Draft draft;
    private final WriteGuard guard;

    Put(Draft draft, WriteGuard guard, Reply<StoredObject> reply) {
        super(reply);
        this.draft = draft;
        this.guard = guard;
    }

    @Override
    StoredObject apply(Group group) {
        Optional<StoredObject> before = group.current(draft.ref());
        guard.check(draft.ref(), before);
        StoredObject after = before.map(stored -> successor(stored, group)).orElseGet(() -> first(group));
        group.put(before, after, draft.encoded());
        return after;
    }

    private StoredObject successor(StoredObject before, Group group) {
        return draft.complete(before.version() + 1, before.createdAt(), group.timeAfter(before.updatedAt()));
    }

    private StoredObject first(Group group) {
        long born = group.timeAfter(group.endOfLastLife(draft.ref()));
        return draft.complete(1, born, born);
    }
}
