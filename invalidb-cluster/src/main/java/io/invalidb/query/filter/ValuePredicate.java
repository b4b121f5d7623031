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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /** Returns the predicate as an element of {@code $all}. */
    default BsonValue toElementOfAll() {
        return NormalForm.ofTests(List.of(this));
    }

    /** Returns whether the predicate is a negation. */
    default boolean isNegation() {
        return false;
    }

    /** Returns the condition that the values at the path pass, in one form for all spellings. */
    default Condition at(FieldPath path) {
        return new Condition.PathCondition(path, this);
    }

    /** Returns the complement of the condition that {@link #at} returns. */
    default Condition complementAt(FieldPath path) {
        return new Condition.PathCondition(path, new Not(List.of(this)));
    }

    /** Returns the number of near predicates in the predicate, at any depth. */
    default int nearPredicates() {
        return 0;
    }

    /** Returns the proximity that the predicate measures at the path. */
    default Optional<ProximityCriterion> proximityAt(FieldPath path) {
        return Optional.empty();
    }

    /** Returns a condition that documents with such values at the path satisfy. */
    default NecessaryCondition necessaryCondition(String path) {
        return valueCondition(path);
    }

    /** Returns a condition that one value at the path satisfies if it passes by itself. */
    default NecessaryCondition valueCondition(String path) {
        return NecessaryCondition.NONE;
    }

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

        @Override
        public BsonValue toElementOfAll() {
            return operand;
        }

        @Override
        public NecessaryCondition valueCondition(String path) {
            return new PathConstraint.OneOf(path, List.of(operand));
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

        @Override
        public NecessaryCondition valueCondition(String path) {
            if (operand.isNull() && relation.orEqual()) {
                return new PathConstraint.OneOf(path, List.of(operand));
            }
            return isBound() ? bound(path) : NecessaryCondition.NONE;
        }

        private boolean isBound() {
            BsonType type = operand.getBsonType();
            return !(operand.isArray()
                    || operand.isNull()
                    || operandIsNaN
                    || type == BsonType.MIN_KEY
                    || type == BsonType.MAX_KEY);
        }

        private PathConstraint.Range bound(String path) {
            return relation.isLowerBound()
                    ? new PathConstraint.Range(path, operand, null)
                    : new PathConstraint.Range(path, null, operand);
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

        @Override
        public Condition at(FieldPath path) {
            return isSmall() ? small(path) : ValuePredicate.super.at(path);
        }

        @Override
        public Condition complementAt(FieldPath path) {
            return isSmall() ? small(path).complement() : ValuePredicate.super.complementAt(path);
        }

        private boolean isSmall() {
            return values.asList().size() + patterns.size() <= 1;
        }

        /** Returns the condition of one operand or none. */
        private Condition small(FieldPath path) {
            if (!patterns.isEmpty()) {
                return new RegexMatch(patterns.get(0)).at(path);
            }
            return values.asList().isEmpty()
                    ? Conditions.NEVER
                    : new Equal(values.asList().get(0)).at(path);
        }

        @Override
        public NecessaryCondition valueCondition(String path) {
            List<NecessaryCondition> branches = new ArrayList<>();
            if (!values.asList().isEmpty()) {
                branches.add(new PathConstraint.OneOf(path, values.asList()));
            }
            patterns.forEach(pattern -> branches.add(NecessaryConditions.prefix(path, pattern)));
            return branches.size() == 1 ? branches.get(0) : NecessaryConditions.any(branches);
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

        @Override
        public BsonValue toElementOfAll() {
            return pattern.toBson();
        }

        @Override
        public NecessaryCondition valueCondition(String path) {
            return NecessaryConditions.prefix(path, pattern);
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

        @Override
        public int nearPredicates() {
            return condition.nearPredicates();
        }

        @Override
        public NecessaryCondition necessaryCondition(String path) {
            return NecessaryConditions.needingField(condition.necessaryCondition(path + "."));
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

        @Override
        public int nearPredicates() {
            return sumOfNearPredicates(tests);
        }

        @Override
        public NecessaryCondition necessaryCondition(String path) {
            return NecessaryConditions.ofElement(
                    path, tests.stream().map(test -> test.valueCondition(path)).toList());
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

        @Override
        public Condition at(FieldPath path) {
            return tests.isEmpty()
                    ? Conditions.NEVER
                    : Conditions.and(tests.stream().map(test -> test.at(path)).toList());
        }

        @Override
        public Condition complementAt(FieldPath path) {
            return tests.isEmpty()
                    ? Conditions.ALWAYS
                    : Conditions.or(
                            tests.stream().map(test -> test.complementAt(path)).toList());
        }

        @Override
        public int nearPredicates() {
            return sumOfNearPredicates(tests);
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

        @Override
        public boolean isNegation() {
            return true;
        }

        @Override
        public Condition at(FieldPath path) {
            return Conditions.or(
                    tests.stream().map(test -> test.complementAt(path)).toList());
        }

        @Override
        public Condition complementAt(FieldPath path) {
            return Conditions.and(tests.stream().map(test -> test.at(path)).toList());
        }

        @Override
        public int nearPredicates() {
            return sumOfNearPredicates(tests);
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

    private static int sumOfNearPredicates(List<ValuePredicate> tests) {
        return tests.stream().mapToInt(ValuePredicate::nearPredicates).sum();
    }

    /**
     * Returns null for absent and stored undefined values, which comparisons do not distinguish.
     */
    private static BsonValue defined(@Nullable BsonValue value) {
        return value == null || value instanceof BsonUndefined ? BsonNull.VALUE : value;
    }
}
