package io.orestes.model;

/** What a write left behind. */
public sealed interface Outcome permits StoredObject, Tombstone {

    /** The object's address. */
    ObjectRef ref();
}
