package io.orestes.model;

import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import java.util.Optional;

/** The state that a write leaves: a stored object, or a tombstone after a deletion. */
public sealed interface WriteOutcome permits StoredObject, Tombstone {

    /** The object's address. */
    ObjectRef ref();

    /** Position among all states of the object. */
    VersionStamp stamp();

    /** Returns the stored object; empty after a deletion. */
    Optional<StoredObject> storedObject();

    /** True if the write created the object, or created it anew after a deletion. */
    boolean isCreation();

    /** Returns the event by which InvaliDB matches queries against the write. */
    WriteEvent toEvent();
}
