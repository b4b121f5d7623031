package io.invalidb.query.expression;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.StepBudget;
import io.invalidb.query.regex.TextPattern;
import io.invalidb.query.value.BsonOrder;
import io.invalidb.query.value.LongConversion;
import io.invalidb.query.value.NumberOrder;
import io.invalidb.query.value.StepCost;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonUndefined;
import org.bson.BsonValue;

/** An expression over one document, as in {@code $expr}, which evaluates to a value. Immutable. */
public sealed interface Expression {

    /** Value of absent fields; equals a stored undefined value, as in MongoDB's comparisons. */
    BsonValue MISSING = new BsonUndefined();

    /**
     * Returns the value for a document, {@link #MISSING} if there is none.
     *
     * @throws IncomputableException if the types of values do not permit the computation
     * @throws BudgetExceededException if the budget is used up
     */
    BsonValue evaluate(BsonDocument root, StepBudget stepBudget);

    /** Returns the expression in MongoDB's form, which parses back to an equal one. */
    BsonValue toBson();

    /** Returns the value of an expression that is written as a constant. */
    default Optional<BsonValue> constantValue() {
        return Optional.empty();
    }

    /** Returns whether a value is missing; a stored undefined value is not. */
    @SuppressWarnings("ReferenceEquality")
    static boolean isMissing(BsonValue value) {
        return value == MISSING;
    }

    static boolean isNullish(BsonValue value) {
        return value instanceof BsonNull || value instanceof BsonUndefined;
    }

    static boolean isTrue(BsonValue value) {
        if (value instanceof BsonBoolean bool) {
            return bool.getValue();
        }
        return value instanceof BsonNumber number
                ? NumberOrder.isNaN(number) || !LongConversion.isZero(number)
                : !isNullish(value);
    }

    /** A constant value. */
    record Constant(BsonValue value) implements Expression {

        @Override
        public BsonValue evaluate(BsonDocument root, StepBudget stepBudget) {
            return value;
        }

        @Override
        public BsonValue toBson() {
            boolean isPlain =
                    !(value instanceof BsonString || value instanceof BsonDocument || value instanceof BsonArray);
            return isPlain ? value : new BsonDocument("$literal", value);
        }

        @Override
        public Optional<BsonValue> constantValue() {
            return Optional.of(value);
        }
    }

    /** The whole document. */
    record Root() implements Expression {

        @Override
        public BsonValue evaluate(BsonDocument root, StepBudget stepBudget) {
            return root;
        }

        @Override
        public BsonValue toBson() {
            return new BsonString("$$ROOT");
        }
    }

    /** The value at a path; through an array, the array of the values in its elements. */
    record Field(List<String> parts) implements Expression {

        @Override
        public BsonValue evaluate(BsonDocument root, StepBudget stepBudget) {
            stepBudget.spend(parts.size());
            return inDocument(root, 0, stepBudget);
        }

        private BsonValue inDocument(BsonDocument document, int depth, StepBudget stepBudget) {
            BsonValue value = document.get(parts.get(depth), MISSING);
            if (depth == parts.size() - 1) {
                return value;
            }
            if (value instanceof BsonDocument child) {
                return inDocument(child, depth + 1, stepBudget);
            }
            return value instanceof BsonArray array ? inArray(array, depth + 1, stepBudget) : MISSING;
        }

        private BsonArray inArray(BsonArray array, int depth, StepBudget stepBudget) {
            stepBudget.spend(array.size());
            BsonArray found = new BsonArray();
            for (BsonValue element : array) {
                BsonValue value =
                        element instanceof BsonDocument child ? inDocument(child, depth, stepBudget) : MISSING;
                if (!isMissing(value)) {
                    found.add(value);
                }
            }
            return found;
        }

        @Override
        public BsonValue toBson() {
            return new BsonString("$" + String.join(".", parts));
        }
    }

    /** An array; absent elements are null. */
    record ArrayOf(List<Expression> elements) implements Expression {

        @Override
        public BsonValue evaluate(BsonDocument root, StepBudget stepBudget) {
            BsonArray array = new BsonArray(elements.size());
            for (Expression element : elements) {
                BsonValue value = element.evaluate(root, stepBudget);
                array.add(isMissing(value) ? BsonNull.VALUE : value);
            }
            return array;
        }

        @Override
        public BsonValue toBson() {
            return new BsonArray(elements.stream().map(Expression::toBson).toList());
        }
    }

    /** An object; absent fields are omitted. */
    record ObjectOf(Map<String, Expression> fields) implements Expression {

        @Override
        public BsonValue evaluate(BsonDocument root, StepBudget stepBudget) {
            BsonDocument object = new BsonDocument();
            fields.forEach((name, field) -> {
                BsonValue value = field.evaluate(root, stepBudget);
                if (!isMissing(value)) {
                    object.put(name, value);
                }
            });
            return object;
        }

        @Override
        public BsonValue toBson() {
            BsonDocument form = new BsonDocument();
            fields.forEach((name, field) -> form.put(name, field.toBson()));
            return form;
        }
    }

    /** A function of values that are all computed first. */
    record Call(ExpressionFunction function, List<Expression> arguments) implements Expression {

        /**
         * Cost factor of functions that copy their arguments, since memory has to be bounded, too.
         */
        private static final long COPY_COST_FACTOR = 4;

        @Override
        public BsonValue evaluate(BsonDocument root, StepBudget stepBudget) {
            BsonValue[] values = new BsonValue[arguments.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = arguments.get(i).evaluate(root, stepBudget);
                stepBudget.spend(COPY_COST_FACTOR * StepCost.of(values[i]));
            }
            return apply(values, stepBudget);
        }

        private BsonValue apply(BsonValue[] values, StepBudget stepBudget) {
            BsonValue result = function.apply(values);
            stepBudget.spend(result instanceof BsonArray array ? COPY_COST_FACTOR * array.size() : 1);
            return result;
        }

        @Override
        public BsonValue toBson() {
            return new BsonDocument(function.operator(), new ArrayOf(arguments).toBson());
        }
    }

    /** A function whose arguments are computed only as far as needed. */
    record Choice(Kind kind, List<Expression> arguments) implements Expression {

        enum Kind {
            AND("$and"),
            OR("$or"),
            COND("$cond"),
            IF_NULL("$ifNull");

            private final String operator;

            Kind(String operator) {
                this.operator = operator;
            }
        }

        @Override
        public BsonValue evaluate(BsonDocument root, StepBudget stepBudget) {
            return switch (kind) {
                case AND -> BsonBoolean.valueOf(!any(root, stepBudget, false));
                case OR -> BsonBoolean.valueOf(any(root, stepBudget, true));
                case COND ->
                    arguments
                            .get(isTrue(arguments.get(0).evaluate(root, stepBudget)) ? 1 : 2)
                            .evaluate(root, stepBudget);
                case IF_NULL -> firstKnown(root, stepBudget);
            };
        }

        private boolean any(BsonDocument root, StepBudget stepBudget, boolean wanted) {
            for (int i = 0; i < arguments.size(); i++) {
                if (isTrue(arguments.get(i).evaluate(root, stepBudget)) == wanted) {
                    return true;
                }
            }
            return false;
        }

        private BsonValue firstKnown(BsonDocument root, StepBudget stepBudget) {
            BsonValue value = MISSING;
            for (int i = 0; i < arguments.size() && isNullish(value); i++) {
                value = arguments.get(i).evaluate(root, stepBudget);
            }
            return value;
        }

        @Override
        public BsonValue toBson() {
            return new BsonDocument(kind.operator, new ArrayOf(arguments).toBson());
        }
    }

    /** A test whether text matches a pattern, which is constant for all documents. */
    record Match(Expression input, TextPattern pattern) implements Expression {

        @Override
        public BsonValue evaluate(BsonDocument root, StepBudget stepBudget) {
            BsonValue text = input.evaluate(root, stepBudget);
            if (!isNullish(text) && !BsonOrder.isText(text)) {
                throw new IncomputableException();
            }
            return BsonBoolean.valueOf(pattern.isFoundIn(text, stepBudget));
        }

        @Override
        public BsonValue toBson() {
            BsonDocument form = new BsonDocument("input", input.toBson())
                    .append("regex", new Constant(new BsonString(pattern.pattern())).toBson())
                    .append("options", new Constant(new BsonString(pattern.options())).toBson());
            return new BsonDocument("$regexMatch", form);
        }
    }
}
