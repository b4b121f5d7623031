package io.orestes.store;

import io.orestes.model.ObjectRef;
import java.util.OptionalLong;

/** An event of the change feed: a write of one object, or an unspecified change of a class. */
public sealed interface ChangeEvent {

    /** Class concerned; empty text for all of them. */
    String bucket();

    /**
     * The change event of one written object, with the version and time that the write set.
     *
     * @param version the version that this write set, if it is a number
     * @param updatedAt the time that this write set, in milliseconds since 1970, if it did
     * @param committedMillis when, by the store's clock, in milliseconds since 1970 and to the
     *     second
     */
    record ObjectWriteEvent(
            ObjectRef ref, ChangeKind kind, OptionalLong version, OptionalLong updatedAt, long committedMillis)
            implements ChangeEvent {

        @Override
        public String bucket() {
            return ref.bucket();
        }
    }

    /**
     * The change event of a class, or of all classes, whose objects changed without one event for
     * each, as when it is dropped.
     */
    record BulkChangeEvent(String bucket) implements ChangeEvent {}

    /** The kind of a change to one object: whole document, part of it, or deletion. */
    enum ChangeKind {
        /** All of it was put there. */
        WHOLE,
        /** A part of it was changed in place. */
        PART,
        DELETION
    }
}
