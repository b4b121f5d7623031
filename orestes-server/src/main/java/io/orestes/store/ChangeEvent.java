package io.orestes.store;

import io.orestes.model.ObjectRef;
import java.util.OptionalLong;

/** Something that was committed in a store. */
public sealed interface ChangeEvent {

    /** Class concerned; empty text for all of them. */
    String bucket();

    /**
     * One object was written.
     *
     * @param version the version that this write set, if it is a number
     * @param updatedAt the time that this write set, in milliseconds since 1970, if it did
     * @param committedMillis when, by the store's clock, in milliseconds since 1970 and to the second
     */
    record ObjectWriteEvent(
            ObjectRef ref, ChangeKind kind, OptionalLong version, OptionalLong updatedAt, long committedMillis)
            implements ChangeEvent {

        @Override
        public String bucket() {
            return ref.bucket();
        }
    }

    /** Objects of a class, or of all of them, are gone or others in a way that is not told one by one. */
    record BulkChangeEvent(String bucket) implements ChangeEvent {}

    /** What was done to an object. */
    enum ChangeKind {
        /** All of it was put there. */
        WHOLE,
        /** A part of it was changed in place. */
        PART,
        DELETION
    }
}
