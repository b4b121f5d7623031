package io.orestes.model;

import io.invalidb.model.VersionStamp;

/** What a write left behind. */
public sealed interface WriteOutcome permits StoredObject, Tombstone {

    /** The object's address. */
    ObjectRef ref();

    /** Its place among all states of the object. */
    VersionStamp stamp();
}
