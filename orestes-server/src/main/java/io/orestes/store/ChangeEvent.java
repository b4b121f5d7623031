package io.orestes.store;

import io.orestes.model.ObjectRef;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An event of the change feed: a write of one object, or an unspecified change of a class. */
public sealed interface ChangeEvent {

    /** Class concerned; empty text for all classes. */
    String bucket();

    /** Returns this event if it is the write of one object. */
    default Stream<ObjectWriteEvent> objectWrites() {
        return Stream.empty();
    }

    /** Returns this event if it is the change of a whole class. */
    default Stream<BulkChangeEvent> bulkChanges() {
        return Stream.empty();
    }

    /**
     * The change event of one written object, with the version and time that the write set.
     *
     * @param version the version that this write set; null if it set no number
     * @param updatedAt the time that this write set, in milliseconds since 1970; null if it set
     *     none
     * @param committedMillis the time of the commit by the store's clock, in milliseconds since
     *     1970, to the second
     */
    record ObjectWriteEvent(
            ObjectRef ref, ChangeKind kind, @Nullable Long version, @Nullable Long updatedAt, long committedMillis)
            implements ChangeEvent {

        @Override
        public String bucket() {
            return ref.bucket();
        }

        @Override
        public Stream<ObjectWriteEvent> objectWrites() {
            return Stream.of(this);
        }
    }

    /**
     * The change event of a class, or of all classes, whose objects changed without one event for
     * each, as when it is dropped.
     */
    record BulkChangeEvent(String bucket) implements ChangeEvent {

        @Override
        public Stream<BulkChangeEvent> bulkChanges() {
            return Stream.of(this);
        }
    }

    /** The kind of a change to one object: whole document, part of it, or deletion. */
    enum ChangeKind {
        /** The whole object was inserted or replaced. */
        WHOLE,
        /** A part of it was changed in place. */
        PART,
        DELETION
    }
}
