package io.invalidb.query.filter;

import io.invalidb.query.StepBudget;
import io.invalidb.query.expression.Expression;
import io.invalidb.query.expression.IncomputableException;
import io.invalidb.query.jsonschema.JsonSchema;
import io.invalidb.query.text.TextSearch;
import java.util.List;
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
    }
}
