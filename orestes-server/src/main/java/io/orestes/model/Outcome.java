package io.orestes.model;

import io.invalidb.model.Stamp;

/** What a write left behind. */
public sealed interface Outcome permits StoredObject, Tombstone {

    /** The object's address. */
    ObjectRef ref();

    /** Its place among all states of the object. */
    Stamp stamp();
}
