package io.invalidb.query.filter;

import io.invalidb.query.StepBudget;
import io.invalidb.query.regex.TextPattern;
import io.invalidb.query.value.BsonOrder;
import io.invalidb.query.value.CanonicalValue;
import io.invalidb.query.value.ComparisonOperator;
import io.invalidb.query.value.LongConversion;
import io.invalidb.query.value.NumberOrder;
import io.invalidb.query.value.StepCost;
import io.invalidb.query.value.TypeNames;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A predicate on the values at a path: one operator with its operand, such as {@code {$gt: 5}}.
 * Operands are {@linkplain CanonicalValue canonical}.
 */
sealed interface ValuePredicate extends FieldPath.Visitor
        permits BitPredicate,
                GeoPredicate,
                NearPredicate,
                ValuePredicate.Equal,
                ValuePredicate.Comparison,
                ValuePredicate.In,
                ValuePredicate.RegexMatch,
                ValuePredicate.Exists,
                ValuePredicate.TypeMatch,
                ValuePredicate.Size,
                ValuePredicate.Modulo,
                ValuePredicate.DocumentElementMatch,
                ValuePredicate.ValueElementMatch,
                ValuePredicate.All,
                ValuePredicate.Not {

    /** Returns whether this value alone passes; null stands for an absent field. */
    @Override
    boolean accepts(@Nullable BsonValue value, StepBudget stepBudget);

    /** Returns whether the document passes, with all its values at the path. */
    default boolean test(BsonDocument document, FieldPath path, StepBudget stepBudget) {
        return path.any(document, true, this, stepBudget);
    }

    /** Writes the operator into an object of operators, without replacing another one there. */
    void writeTo(BsonDocument operators);

    /** The value equals the operand; null equals an absent field, too. */
    record Equal(BsonValue operand, byte bracket) implements ValuePredicate {

        Equal(BsonValue operand) {
            this(operand, (byte) BsonOrder.bracket(operand));
        }

        @Override
        public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
            BsonValue present = defined(value);
            if (BsonOrder.bracket(present) != bracket) {
                return false;
            }
            stepBudget.spend(StepCost.ofComparing(bracket, operand, present));
            return BsonOrder.INSTANCE.areEqualWithin(bracket, present, operand);
        }

        @Override
        public void writeTo(BsonDocument operators) {
            operators.put("$eq", operand);
        }
    }

    /** A predicate that compares the value with the operand within one type bracket. */
    record Comparison(ComparisonOperator relation, BsonValue operand, byte bracket, boolean operandIsNaN)
            implements ValuePredicate {

        Comparison(ComparisonOperator relation, BsonValue operand) {
            this(relation, operand, (byte) BsonOrder.bracket(operand), NumberOrder.isNaN(operand));
        }

        @Override
        public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
            BsonValue present = defined(value);
            if (BsonOrder.bracket(present) != bracket) {
                return reachesBeyondBracket();
            }
            if (operandIsNaN || NumberOrder.isNaN(present)) {
                return relation.orEqual() && operandIsNaN && NumberOrder.isNaN(present);
            }
            stepBudget.spend(StepCost.ofComparing(bracket, operand, present));
            return relation.isSatisfiedBy(BsonOrder.INSTANCE.compareWithin(bracket, present, operand));
        }

        /**
         * Returns whether the operand is MinKey or MaxKey, which every value is greater or less
         * than.
         */
        private boolean reachesBeyondBracket() {
            return (operand.getBsonType() == BsonType.MIN_KEY && relation.isSatisfiedBy(1))
                    || (operand.getBsonType() == BsonType.MAX_KEY && relation.isSatisfiedBy(-1));
        }

        @Override
        public void writeTo(BsonDocument operators) {
            operators.put(relation.operator(), operand);
        }
    }

    /** The value equals one of these or is text that one of the patterns matches. */
    record In(SortedValues values, List<TextPattern> patterns) implements ValuePredicate {

        @Override
        public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
            BsonValue present = defined(value);
            stepBudget.spend(StepCost.of(present));
            if (values.contains(present)) {
                return true;
            }
            for (int i = 0; i < patterns.size(); i++) {
                if (patterns.get(i).isFoundIn(present, stepBudget)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void writeTo(BsonDocument operators) {
            BsonArray operand = new BsonArray(values.asList());
            patterns.forEach(pattern -> operand.add(pattern.toBson()));
            operators.put("$in", operand);
        }
    }

    /** A predicate that the value is text in which the regular expression is found. */
    record RegexMatch(TextPattern pattern) implements ValuePredicate {

        @Override
        public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
            return value != null && pattern.isFoundIn(value, stepBudget);
        }

        @Override
        public void writeTo(BsonDocument operators) {
            operators.put("$regex", new BsonString(pattern.pattern()));
            if (!pattern.options().isEmpty()) {
                operators.put("$options", new BsonString(pattern.options()));
            }
        }
    }

    /** The value exists, even if it is null. */
    record Exists() implements ValuePredicate {

        @Override
        public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
            return value != null;
        }

        @Override
        public void writeTo(BsonDocument operators) {
            operators.put("$exists", BsonBoolean.TRUE);
        }
    }

    /** A predicate that the value is of one of the given types. */
    record TypeMatch(Set<BsonType> types) implements ValuePredicate {

        @Override
        public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
            return value != null && types.contains(value.getBsonType());
        }

        @Override
        public void writeTo(BsonDocument operators) {
            operators.put("$type", TypeNames.toBson(types));
        }
    }

    /** The value is an array of this many elements. */
    record Size(long size) implements ValuePredicate {

        @Override
        public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
            return value instanceof BsonArray array && array.size() == size;
        }

        @Override
        public boolean test(BsonDocument document, FieldPath path, StepBudget stepBudget) {
            return path.any(document, false, this, stepBudget);
        }

        @Override
        public void writeTo(BsonDocument operators) {
            operators.put("$size", NumberOrder.canonical(new BsonInt64(size)));
        }
    }

    /**
     * The value is a number that leaves this remainder when its integer part is divided; signs as
     * in Java.
     */
    record Modulo(long divisor, long remainder) implements ValuePredicate {

        @Override
        public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
            return value instanceof BsonNumber number
                    && hasIntegerPart(number)
                    && truncated(number) % divisor == remainder;
        }

        /** Returns whether the number has an integer part of 64 bits; others match nothing. */
        private static boolean hasIntegerPart(BsonNumber number) {
            if (number instanceof BsonDouble d) {
                return d.getValue() >= -0x1p63 && d.getValue() < 0x1p63;
            }
            return !(number instanceof BsonDecimal128)
                    || LongConversion.truncated(number).isPresent();
        }

        private static long truncated(BsonNumber number) {
            return number instanceof BsonDecimal128
                    ? LongConversion.truncated(number).orElseThrow()
                    : number.longValue();
        }

        @Override
        public void writeTo(BsonDocument operators) {
            List<BsonInt64> operand = List.of(new BsonInt64(divisor), new BsonInt64(remainder));
            operators.put("$mod", CanonicalValue.of(new BsonArray(operand)));
        }
    }

    /** A predicate that the value is an array with a document in it that satisfies a condition. */
    record DocumentElementMatch(Condition condition) implements ValuePredicate {

        @Override
        public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
            if (value instanceof BsonArray array) {
                for (int i = 0; i < array.size(); i++) {
                    if (fulfils(array.get(i), stepBudget)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean fulfils(BsonValue element, StepBudget stepBudget) {
            return (element instanceof BsonDocument document && condition.test(document, stepBudget))
                    || (element instanceof BsonArray inner && condition.test(byPosition(inner), stepBudget));
        }

        private static BsonDocument byPosition(BsonArray array) {
            BsonDocument document = new BsonDocument(array.size());
            for (int i = 0; i < array.size(); i++) {
                document.put(Integer.toString(i), array.get(i));
            }
            return document;
        }

        @Override
        public boolean test(BsonDocument document, FieldPath path, StepBudget stepBudget) {
            return path.any(document, false, this, stepBudget);
        }

        @Override
        public void writeTo(BsonDocument operators) {
            operators.put("$elemMatch", condition.toBson());
        }
    }

    /** A predicate that the value is an array with an element in it that passes all predicates. */
    record ValueElementMatch(List<ValuePredicate> tests) implements ValuePredicate {

        @Override
        public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
            if (value instanceof BsonArray array) {
                for (int i = 0; i < array.size(); i++) {
                    if (allAccept(tests, array.get(i), stepBudget)) {
                        return true;
                    }
                }
            }
            return false;
        }

        @Override
        public boolean test(BsonDocument document, FieldPath path, StepBudget stepBudget) {
            return path.any(document, false, this, stepBudget);
        }

        @Override
        public void writeTo(BsonDocument operators) {
            operators.put("$elemMatch", NormalForm.ofTests(tests));
        }
    }

    /**
     * All tests pass, each perhaps for another element. Without tests nothing passes, as in
     * MongoDB.
     */
    record All(List<ValuePredicate> tests) implements ValuePredicate {

        @Override
        public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
            return !tests.isEmpty() && allAccept(tests, value, stepBudget);
        }

        @Override
        public boolean test(BsonDocument document, FieldPath path, StepBudget stepBudget) {
            return !tests.isEmpty() && tests.stream().allMatch(test -> test.test(document, path, stepBudget));
        }

        @Override
        public void writeTo(BsonDocument operators) {
            operators.put("$all", NormalForm.ofAll(tests));
        }
    }

    /** Not all of these tests pass. */
    record Not(List<ValuePredicate> tests) implements ValuePredicate {

        @Override
        public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
            return !allAccept(tests, value, stepBudget);
        }

        @Override
        public boolean test(BsonDocument document, FieldPath path, StepBudget stepBudget) {
            for (int i = 0; i < tests.size(); i++) {
                if (!tests.get(i).test(document, path, stepBudget)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void writeTo(BsonDocument operators) {
            NormalForm.writeNegation(NormalForm.ofTests(tests), operators);
        }
    }

    private static boolean allAccept(List<ValuePredicate> tests, @Nullable BsonValue value, StepBudget stepBudget) {
        for (int i = 0; i < tests.size(); i++) {
            if (!tests.get(i).accepts(value, stepBudget)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns null for absent and stored undefined values, which comparisons do not distinguish.
     */
    private static BsonValue defined(@Nullable BsonValue value) {
        return value == null || value instanceof BsonUndefined ? BsonNull.VALUE : value;
    }
}
