package io.orestes.model;

import io.invalidb.model.VersionStamp;

/** The state that a write leaves: a stored object, or a tombstone after a deletion. */
public sealed interface WriteOutcome permits StoredObject, Tombstone {

    /** The object's address. */
    ObjectRef ref();

    /** Position among all states of the object. */
    VersionStamp stamp();
}
