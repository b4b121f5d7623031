package io.orestes.model;

import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import java.util.Optional;

/**
 * The marker of a deleted object, stamped one version after its last state.
 *
 * @param ref the object's address
 * @param stamp one version after its last state
 */
public record Tombstone(ObjectRef ref, VersionStamp stamp) implements WriteOutcome {

    @Override
    public Optional<StoredObject> storedObject() {
        return Optional.empty();
    }

    @Override
    public boolean isCreation() {
        return false;
    }

    @Override
    public WriteEvent toEvent() {
        return new WriteEvent.Delete(ref.bucket(), ref.id(), stamp);
    }
}
