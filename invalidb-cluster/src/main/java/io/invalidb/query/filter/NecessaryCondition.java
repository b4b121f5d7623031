package io.invalidb.query.filter;

import io.invalidb.query.text.IndexWordExtractor;
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

    /** Returns the answer of the visitor's method for this kind of condition. */
    <R> R accept(NecessaryConditionVisitor<R> visitor);

    /** Returns the parts that are all satisfied; other conditions are one part. */
    List<NecessaryCondition> conjuncts();

    /** Returns the condition without words, by which only stored documents are looked up. */
    NecessaryCondition withoutWords();

    /**
     * All of these are satisfied, each perhaps by another value; without parts nothing is known.
     */
    record All(List<NecessaryCondition> parts) implements NecessaryCondition {

        @Override
        public <R> R accept(NecessaryConditionVisitor<R> visitor) {
            return visitor.visitAll(this);
        }

        @Override
        public List<NecessaryCondition> conjuncts() {
            return parts;
        }

        @Override
        public NecessaryCondition withoutWords() {
            return NecessaryConditions.all(
                    parts.stream().map(NecessaryCondition::withoutWords).toList());
        }
    }

    /** At least one of these is satisfied; without branches no document matches. */
    record Any(List<NecessaryCondition> branches) implements NecessaryCondition {

        @Override
        public <R> R accept(NecessaryConditionVisitor<R> visitor) {
            return visitor.visitAny(this);
        }

        @Override
        public List<NecessaryCondition> conjuncts() {
            return List.of(this);
        }

        @Override
        public NecessaryCondition withoutWords() {
            return NecessaryConditions.any(
                    branches.stream().map(NecessaryCondition::withoutWords).toList());
        }
    }

    /**
     * The document has one of these {@linkplain IndexWordExtractor words}; without any no document
     * matches.
     */
    record Words(Set<String> anyOf) implements NecessaryCondition {

        @Override
        public <R> R accept(NecessaryConditionVisitor<R> visitor) {
            return visitor.visitWords(this);
        }

        @Override
        public List<NecessaryCondition> conjuncts() {
            return List.of(this);
        }

        @Override
        public NecessaryCondition withoutWords() {
            return NONE;
        }
    }
}
