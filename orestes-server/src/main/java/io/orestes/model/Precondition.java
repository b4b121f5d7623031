package io.orestes.model;

import java.util.Optional;

/** What must hold for the current state before a write may replace or delete it. */
public sealed interface Precondition {

    /** Whether the write may go ahead when this is the stored state; empty means there is no object. */
    boolean allows(Optional<StoredObject> current);

    /** Nothing: the write goes ahead whether or not there is an object. */
    static Precondition none() {
        return new Anything();
    }

    /** No condition; a replace inserts where there is nothing, a delete of nothing succeeds. */
    record Anything() implements Precondition {
        @Override
        public boolean allows(Optional<StoredObject> current) {
            return true;
        }
    }

    /** There must be an object, in whatever version ({@code If-Match: *}). */
    record AnyVersion() implements Precondition {
        @Override
        public boolean allows(Optional<StoredObject> current) {
            return current.isPresent();
        }
    }

    /** There must be no object yet ({@code If-None-Match: *}). */
    record NoObject() implements Precondition {
        @Override
        public boolean allows(Optional<StoredObject> current) {
            return current.isEmpty();
        }
    }

    /**
     * The stored version must be this one, in whatever life of the object ({@code If-Match: "3"}).
     *
     * @param expected a version, at least 1
     */
    record ExactVersion(long expected) implements Precondition {

        public ExactVersion {
            if (expected < 1) {
                throw new IllegalArgumentException("Versions start at 1");
            }
        }

        @Override
        public boolean allows(Optional<StoredObject> current) {
            return current.isPresent() && current.get().version() == expected;
        }
    }
    /**
     * The stored state must be this very one, not one of that version in another life of the object ({@link ObjectTag}).
     *
     * @param version a version, at least 1
     * @param updatedAt when the state was committed, milliseconds since 1970
     */
    record ExactState(long version, long updatedAt) implements Precondition {

        public ExactState {
            if (version < 1) {
                throw new IllegalArgumentException("Versions start at 1");
            }
        }

        @Override
        public boolean allows(Optional<StoredObject> current) {
            return current.isPresent()
                    && current.get().version() == version
                    && current.get().updatedAt() == updatedAt;
        }
    }
}
