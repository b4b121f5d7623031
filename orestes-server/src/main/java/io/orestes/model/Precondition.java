package io.orestes.model;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the current state of an object that must hold before a write may replace or delete
 * it.
 */
public sealed interface Precondition {

    /**
     * Returns whether the write is allowed when this is the stored state; {@code null} means there
     * is no object.
     */
    boolean allows(@Nullable StoredObject current);

    /** Returns whether the write is allowed when there is no object. */
    default boolean allowsAbsence() {
        return allows(null);
    }

    /** Returns the only version that the object may have; empty if it is not known in advance. */
    default OptionalLong exactVersion() {
        return OptionalLong.empty();
    }

    /** Returns the precondition that always holds, whether or not there is an object. */
    static Precondition none() {
        return new NoCondition();
    }

    /** Returns the conjunction of this precondition and another. */
    default Precondition and(Precondition other) {
        return new BothConditions(this, other);
    }

    /**
     * The precondition that always holds, whether or not the object exists. A replace then inserts
     * a missing object, and a delete of nothing succeeds.
     */
    record NoCondition() implements Precondition {
        @Override
        public boolean allows(@Nullable StoredObject current) {
            return true;
        }

        @Override
        public Precondition and(Precondition other) {
            return other;
        }
    }

    /** The precondition that the object exists in any version ({@code If-Match: *}). */
    record ObjectExists() implements Precondition {
        @Override
        public boolean allows(@Nullable StoredObject current) {
            return current != null;
        }
    }

    /** The precondition that the object does not exist yet ({@code If-None-Match: *}). */
    record ObjectAbsent() implements Precondition {
        @Override
        public boolean allows(@Nullable StoredObject current) {
            return current == null;
        }
    }

    /**
     * The precondition that the stored version is this one, in any life of the object ({@code
     * If-Match: "3"}).
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
        public boolean allows(@Nullable StoredObject current) {
            return current != null && current.version() == expected;
        }

        @Override
        public OptionalLong exactVersion() {
            return OptionalLong.of(expected);
        }
    }

    /**
     * The precondition that the stored state is exactly this one. A state of the same version in
     * another life of the object does not match ({@link ObjectETagCodec}).
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
        public boolean allows(@Nullable StoredObject current) {
            return current != null && current.version() == version && current.updatedAt() == updatedAt;
        }
    }

    /**
     * The disjunction of preconditions, of which at least one must hold ({@code If-Match: "3",
     * "5"}).
     */
    record AnyCondition(List<Precondition> states) implements Precondition {

        public AnyCondition {
            states = List.copyOf(states);
        }

        @Override
        public boolean allows(@Nullable StoredObject current) {
            return states.stream().anyMatch(state -> state.allows(current));
        }
    }

    /**
     * The negated disjunction of preconditions, none of which may hold ({@code If-None-Match: "3",
     * "5"}). It also holds without an object.
     */
    record NoneOfConditions(List<Precondition> states) implements Precondition {

        public NoneOfConditions {
            states = List.copyOf(states);
        }

        @Override
        public boolean allows(@Nullable StoredObject current) {
            return states.stream().noneMatch(state -> state.allows(current));
        }
    }

    /** The conjunction of two preconditions, both of which must hold. */
    record BothConditions(Precondition first, Precondition second) implements Precondition {
        @Override
        public boolean allows(@Nullable StoredObject current) {
            return first.allows(current) && second.allows(current);
        }
    }
}
