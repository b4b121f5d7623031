package io.orestes.store.embedded;

import io.orestes.model.StoredObject;
import io.orestes.store.WriteGuard;
import java.util.Optional;

/** Writes a whole object, new or in place of the current one. */
final class Put extends SingleMutation<StoredObject> {

    private final Draft draft;

    Put(Draft draft, WriteGuard guard, Reply<StoredObject> reply) {
        super(draft.ref(), guard, reply);
        this.draft = draft;
    }

    @Override
    StoredObject apply(Group group, Optional<StoredObject> before) {
        StoredObject after = before.map(stored -> draft.succeed(stored, group.timeAfter(stored.updatedAt())))
                .orElseGet(() -> first(group));
        group.put(before, after, draft.encoded());
        return after;
    }

    private StoredObject first(Group group) {
        long born = group.timeAfter(group.endOfLastLife(draft.ref()));
        return draft.complete(1, born, born);
    }
}
