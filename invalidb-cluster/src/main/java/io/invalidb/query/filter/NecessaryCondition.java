package io.invalidb.query.filter;

import io.invalidb.query.text.DocumentWords;
import java.util.List;
import java.util.Set;

/**
 * A necessary condition for a filter to match a document, as far as an index can look it up. The
 * filter itself may demand more.
 */
public sealed interface NecessaryCondition
        permits NecessaryCondition.All, NecessaryCondition.Any, NecessaryCondition.Words, PathConstraint {

    /** The condition without a part that can be looked up. */
    NecessaryCondition NONE = new All(List.of());

    /**
     * All of these are satisfied, each perhaps by another value; without parts nothing is known.
     */
    record All(List<NecessaryCondition> parts) implements NecessaryCondition {}

    /** At least one of these is satisfied; without branches no document matches. */
    record Any(List<NecessaryCondition> branches) implements NecessaryCondition {}

    /**
     * The document has one of these {@linkplain DocumentWords words}; without any no document
     * matches.
     */
    record Words(Set<String> anyOf) implements NecessaryCondition {}
}
