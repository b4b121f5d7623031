package io.orestes.model;

/** What must hold for the current state before a write may replace or delete it. */
public sealed interface Precondition {

    /** Whether the write may go ahead when the stored version is {@code current}; 0 means there is no object. */
    boolean allows(long current);

    /** Nothing: the write goes ahead whether or not there is an object. */
    static Precondition none() {
        return new Anything();
    }

    /** No condition; a replace inserts where there is nothing, a delete of nothing succeeds. */
    record Anything() implements Precondition {
        @Override
        public boolean allows(long current) {
            return true;
        }
    }

    /** There must be an object, in whatever version ({@code If-Match: *}). */
    record AnyVersion() implements Precondition {
        @Override
        public boolean allows(long current) {
            return current > 0;
        }
    }

    /** There must be no object yet ({@code If-None-Match: *}). */
    record NoObject() implements Precondition {
        @Override
        public boolean allows(long current) {
            return current == 0;
        }
    }

    /**
     * The stored version must be this one ({@code If-Match: "3"}).
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
        public boolean allows(long current) {
            return current == expected;
        }
    }
}
