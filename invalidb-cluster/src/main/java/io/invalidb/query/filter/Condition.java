package io.invalidb.query.filter;

import io.invalidb.query.StepBudget;
import io.invalidb.query.expression.Expression;
import io.invalidb.query.expression.IncomputableException;
import io.invalidb.query.jsonschema.JsonSchema;
import io.invalidb.query.text.TextSearch;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/**
 * A condition on a document: predicates on paths, expressions, schemas and searches, joined by
 * "and" and "or". Negations are pushed down to these parts, where {@link ValuePredicate.Not} is the
 * complement, so that no other form exists. Build conditions by {@link Conditions}.
 */
sealed interface Condition {

    /** Returns whether the document satisfies the condition; fails if the budget is used up. */
    boolean test(BsonDocument document, StepBudget stepBudget);

    /** Returns the condition as a MongoDB filter, which parses back to an equal condition. */
    BsonDocument toBson();

    /** Returns the complement, with "and" and "or" exchanged down to the paths. */
    Condition complement();

    /** Returns the parts whose conjunction the condition is; other conditions are one part. */
    default List<Condition> conjuncts() {
        return List.of(this);
    }

    /** Returns the parts whose disjunction the condition is; other conditions are one part. */
    default List<Condition> disjuncts() {
        return List.of(this);
    }

    /** Returns whether the condition, or a part of it, is a search. */
    default boolean hasSearch() {
        return false;
    }

    /** Returns the condition with another one in the place of a search. */
    default Condition replaceSearch(Function<TextSearch, Condition> other) {
        return this;
    }

    /** Returns the number of near predicates in the condition, at any depth. */
    default int nearPredicates() {
        return 0;
    }

    /** Returns the proximity that the condition measures; empty for a combination of conditions. */
    default Optional<ProximityCriterion> proximity() {
        return Optional.empty();
    }

    /**
     * Returns a condition that is necessary for this one and that an index can look up.
     *
     * @param prefix the prefix of all paths, empty or ending in a dot
     */
    default NecessaryCondition necessaryCondition(String prefix) {
        return NecessaryCondition.NONE;
    }

    /** A conjunction; without parts every document satisfies it. */
    record And(List<Condition> parts) implements Condition {

        @Override
        public boolean test(BsonDocument document, StepBudget stepBudget) {
            for (int i = 0; i < parts.size(); i++) {
                if (!parts.get(i).test(document, stepBudget)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public BsonDocument toBson() {
            return NormalForm.ofAnd(parts);
        }

        @Override
        public Condition complement() {
            return Conditions.or(parts.stream().map(Condition::complement).toList());
        }

        @Override
        public List<Condition> conjuncts() {
            return parts;
        }

        @Override
        public boolean hasSearch() {
            return parts.stream().anyMatch(Condition::hasSearch);
        }

        @Override
        public Condition replaceSearch(Function<TextSearch, Condition> other) {
            return Conditions.and(
                    parts.stream().map(part -> part.replaceSearch(other)).toList());
        }

        @Override
        public int nearPredicates() {
            return parts.stream().mapToInt(Condition::nearPredicates).sum();
        }

        @Override
        public NecessaryCondition necessaryCondition(String prefix) {
            return NecessaryConditions.all(
                    parts.stream().map(part -> part.necessaryCondition(prefix)).toList());
        }
    }

    /** A disjunction; without parts no document satisfies it. */
    record Or(List<Condition> parts) implements Condition {

        @Override
        public boolean test(BsonDocument document, StepBudget stepBudget) {
            for (int i = 0; i < parts.size(); i++) {
                if (parts.get(i).test(document, stepBudget)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public BsonDocument toBson() {
            return NormalForm.ofOr(parts);
        }

        @Override
        public Condition complement() {
            return Conditions.and(parts.stream().map(Condition::complement).toList());
        }

        @Override
        public List<Condition> disjuncts() {
            return parts;
        }

        @Override
        public boolean hasSearch() {
            return parts.stream().anyMatch(Condition::hasSearch);
        }

        @Override
        public Condition replaceSearch(Function<TextSearch, Condition> other) {
            return Conditions.or(
                    parts.stream().map(part -> part.replaceSearch(other)).toList());
        }

        @Override
        public int nearPredicates() {
            return parts.stream().mapToInt(Condition::nearPredicates).sum();
        }

        @Override
        public NecessaryCondition necessaryCondition(String prefix) {
            return NecessaryConditions.any(
                    parts.stream().map(part -> part.necessaryCondition(prefix)).toList());
        }
    }

    /** A condition that the values at a path pass a predicate. */
    record PathCondition(FieldPath path, ValuePredicate condition) implements Condition {

        @Override
        public boolean test(BsonDocument document, StepBudget stepBudget) {
            return condition.test(document, path, stepBudget);
        }

        @Override
        public BsonDocument toBson() {
            return new BsonDocument(path.toString(), NormalForm.ofTests(List.of(condition)));
        }

        @Override
        public Condition complement() {
            return condition.complementAt(path);
        }

        @Override
        public int nearPredicates() {
            return condition.nearPredicates();
        }

        @Override
        public Optional<ProximityCriterion> proximity() {
            return condition.proximityAt(path);
        }

        @Override
        public NecessaryCondition necessaryCondition(String prefix) {
            return path.isPositional() ? NecessaryCondition.NONE : condition.necessaryCondition(prefix + path);
        }
    }

    /** A condition that an expression evaluates to true, or to false if that is expected. */
    record ExpressionCondition(Expression expression, boolean expected) implements Condition {

        @Override
        public boolean test(BsonDocument document, StepBudget stepBudget) {
            try {
                return Expression.isTrue(expression.evaluate(document, stepBudget)) == expected;
            } catch (IncomputableException e) {
                return false;
            }
        }

        @Override
        public BsonDocument toBson() {
            BsonDocument form = new BsonDocument("$expr", expression.toBson());
            return expected ? form : new BsonDocument("$nor", new BsonArray(List.of(form)));
        }

        @Override
        public Condition complement() {
            return new ExpressionCondition(expression, !expected);
        }
    }

    /** A condition that the document conforms to a JSON schema, or does not if that is expected. */
    record SchemaCondition(JsonSchema schema, boolean expected) implements Condition {

        @Override
        public boolean test(BsonDocument document, StepBudget stepBudget) {
            return schema.accepts(document, stepBudget) == expected;
        }

        @Override
        public BsonDocument toBson() {
            BsonDocument form = new BsonDocument("$jsonSchema", schema.form());
            return expected ? form : new BsonDocument("$nor", new BsonArray(List.of(form)));
        }

        @Override
        public Condition complement() {
            return new SchemaCondition(schema, !expected);
        }
    }

    /** A condition that a text search finds the document. It is never negated. */
    record SearchCondition(TextSearch search) implements Condition {

        @Override
        public boolean test(BsonDocument document, StepBudget stepBudget) {
            return search.isFoundIn(document, stepBudget);
        }

        @Override
        public BsonDocument toBson() {
            return search.toBson();
        }

        @Override
        public Condition complement() {
            throw new IllegalStateException("A search is never negated");
        }

        @Override
        public boolean hasSearch() {
            return true;
        }

        @Override
        public Condition replaceSearch(Function<TextSearch, Condition> other) {
            return other.apply(search);
        }

        @Override
        public NecessaryCondition necessaryCondition(String prefix) {
            return new NecessaryCondition.Words(search.indexedWords());
        }
    }
}
