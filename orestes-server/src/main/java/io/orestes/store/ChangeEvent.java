package io.orestes.store;

import io.orestes.model.ObjectRef;
import java.util.OptionalLong;

/** An event of the change feed: a write of one object, or an unspecified change of a class. */
public sealed interface ChangeEvent {

    /** Class concerned; empty text for all classes. */
    String bucket();

    /**
     * The change event of one written object, with the version and time that the write set.
     *
     * @param version the version that this write set, if it is a number
     * @param updatedAt the time that this write set, in milliseconds since 1970; empty if it set
     *     none
     * @param committedMillis the time of the commit by the store's clock, in milliseconds since
     *     1970, to the second
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
        /** The whole object was inserted or replaced. */
        WHOLE,
        /** A part of it was changed in place. */
        PART,
        DELETION
    }
}
