package io.orestes.update;

import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * A pure function that an update operation applies to one value; {@code null} represents an unset
 * one. Given values are never changed, because older states may contain them.
 */
sealed interface ValueChange {

    /**
     * Returns the new value; fails with {@code ArithmeticException} if it is a number beyond the
     * range that can be stored.
     */
    BsonValue apply(BsonValue before, long at);

    /**
     * True if values of that type can be changed so. Called only inside JSON; elsewhere the schema
     * has been checked.
     */
    boolean accepts(BsonType type);

    /** The change that assigns a value ({@code $set}). */
    record Assignment(BsonValue value) implements ValueChange {

        @Override
        public BsonValue apply(BsonValue before, long at) {
            return value;
        }

        @Override
        public boolean accepts(BsonType type) {
            return true;
        }
    }

    /** The change that sets a value to the time of the commit ({@code $currentDate}). */
    record CurrentTimeChange(LongFunction<BsonValue> form) implements ValueChange {

        @Override
        public BsonValue apply(BsonValue before, long at) {
            return form.apply(at);
        }

        @Override
        public boolean accepts(BsonType type) {
            return false;
        }
    }

    /**
     * The change that adds, subtracts or multiplies a number ({@code $inc}, {@code $dec}, {@code
     * $mul}). It is exact as long as both operands are integers, else in double precision.
     *
     * @param unset value for an unset field: zero of the field's type
     * @param isWhole whether fractions of the result are cut off
     */
    record ArithmeticChange(
            BsonNumber operand,
            BsonNumber unset,
            boolean isWhole,
            LongBinaryOperator exact,
            DoubleBinaryOperator rounded)
            implements ValueChange {

        private static final double TWO_TO_63 = 0x1p63;

        @Override
        public BsonValue apply(BsonValue before, long at) {
            BsonNumber left = before.isNull() ? unset : before.asNumber();
            if (left.isInt64() && operand.isInt64()) {
                return new BsonInt64(exact.applyAsLong(left.longValue(), operand.longValue()));
            }
            return stored(rounded.applyAsDouble(left.doubleValue(), operand.doubleValue()));
        }

        private BsonValue stored(double result) {
            if (isWhole ? !(result >= -TWO_TO_63 && result < TWO_TO_63) : !Double.isFinite(result)) {
                throw new ArithmeticException();
            }
            // adding 0.0 removes the sign of a negative zero
            return isWhole ? new BsonInt64((long) result) : new BsonDouble(result + 0.0);
        }

        @Override
        public boolean accepts(BsonType type) {
            return FieldOperation.isNumber(type);
        }
    }

    /**
     * The change that takes the minimum or maximum of value and operand ({@code $min},
     * {@code $max}). An unset value becomes the operand.
     */
    record ExtremumChange(BsonNumber bound, boolean isLower) implements ValueChange {

        @Override
        public BsonValue apply(BsonValue before, long at) {
            return before.isNull() || exceeds(before.asNumber()) ? bound : before;
        }

        private boolean exceeds(BsonNumber value) {
            int order = value.isInt64() && bound.isInt64()
                    ? Long.compare(value.longValue(), bound.longValue())
                    : Double.compare(value.doubleValue(), bound.doubleValue());
            return isLower ? order < 0 : order > 0;
        }

        @Override
        public boolean accepts(BsonType type) {
            return FieldOperation.isNumber(type);
        }
    }

    /**
     * The change that combines an integer with a mask bit by bit ({@code $and}, {@code $or},
     * {@code $xor}). An unset value is 0.
     */
    record BitwiseChange(long mask, LongBinaryOperator operator) implements ValueChange {

        @Override
        public BsonValue apply(BsonValue before, long at) {
            long bits = before.isNull() ? 0 : before.asInt64().getValue();
            return new BsonInt64(operator.applyAsLong(bits, mask));
        }

        @Override
        public boolean accepts(BsonType type) {
            return type == BsonType.INT64;
        }
    }

    /**
     * The change that inserts an element at an end of a list ({@code $push}, {@code $unshift}). An
     * unset list is empty.
     */
    record ListInsertion(BsonValue element, boolean atEnd) implements ValueChange {

        @Override
        public BsonValue apply(BsonValue before, long at) {
            BsonArray list = modifiableCopy(before, 1);
            list.add(atEnd ? list.size() : 0, element);
            return list;
        }

        @Override
        public boolean accepts(BsonType type) {
            return type == BsonType.ARRAY;
        }
    }

    /**
     * The change that removes the first or last element of a list ({@code $shift}, {@code $pop}).
     * Nothing happens to an empty or unset list.
     */
    record ListPop(boolean atEnd) implements ValueChange {

        @Override
        public BsonValue apply(BsonValue before, long at) {
            if (before.isNull() || before.asArray().isEmpty()) {
                return before;
            }
            BsonArray list = before.asArray();
            return new BsonArray(atEnd ? list.subList(0, list.size() - 1) : list.subList(1, list.size()));
        }

        @Override
        public boolean accepts(BsonType type) {
            return type == BsonType.ARRAY;
        }
    }

    /**
     * The change that replaces the list element at one index ({@code $replace}). A list that is too
     * short is padded with null.
     */
    record ElementReplacement(int index, BsonValue element) implements ValueChange {

        /**
         * Maximum number of null elements for padding; without it a single request could fill the
         * memory.
         */
        private static final int MAX_PADDING = 10_000;

        @Override
        public BsonValue apply(BsonValue before, long at) {
            int size = before.isNull() ? 0 : before.asArray().size();
            if (index - size > MAX_PADDING) {
                throw UpdateErrors.unprocessable();
            }
            BsonArray list = modifiableCopy(before, Math.max(0, index + 1 - size));
            while (list.size() <= index) {
                list.add(BsonNull.VALUE);
            }
            list.set(index, element);
            return list;
        }

        @Override
        public boolean accepts(BsonType type) {
            return type == BsonType.ARRAY;
        }
    }

    /** The change that adds an element to a set that contains none equal to it ({@code $add}). */
    record SetAddition(BsonValue element, Predicate<BsonValue> equal) implements ValueChange {

        @Override
        public BsonValue apply(BsonValue before, long at) {
            BsonArray set = modifiableCopy(before, 1);
            if (set.stream().noneMatch(equal)) {
                set.add(element);
            }
            return set;
        }

        @Override
        public boolean accepts(BsonType type) {
            return type == BsonType.ARRAY;
        }
    }

    /**
     * The change that removes all elements equal to a value from a list or set ({@code $remove}).
     */
    record ElementRemoval(Predicate<BsonValue> equal) implements ValueChange {

        @Override
        public BsonValue apply(BsonValue before, long at) {
            return before.isNull()
                    ? before
                    : new BsonArray(
                            before.asArray().stream().filter(equal.negate()).toList());
        }

        @Override
        public boolean accepts(BsonType type) {
            return type == BsonType.ARRAY;
        }
    }

    /**
     * The change that puts some entries into a map or JSON object ({@code $put}).
     *
     * @param keepsNull false for maps, in which a null is no entry (protocol §1.5) and removes the
     *     entry with its key
     */
    record MapPut(BsonDocument entries, boolean keepsNull) implements ValueChange {

        @Override
        public BsonValue apply(BsonValue before, long at) {
            BsonDocument map = new BsonDocument();
            if (!before.isNull()) {
                map.putAll(before.asDocument());
            }
            map.putAll(entries);
            map.values().removeIf(value -> value.isNull() && !keepsNull);
            return map;
        }

        @Override
        public boolean accepts(BsonType type) {
            return type == BsonType.DOCUMENT;
        }
    }

    /** The change that removes an entry from a map ({@code $remove}). */
    record EntryRemoval(String key) implements ValueChange {

        @Override
        public BsonValue apply(BsonValue before, long at) {
            if (before.isNull()) {
                return before;
            }
            BsonDocument map = new BsonDocument();
            map.putAll(before.asDocument());
            map.keySet().remove(key);
            return map;
        }

        @Override
        public boolean accepts(BsonType type) {
            return type == BsonType.DOCUMENT;
        }
    }

    /**
     * Returns a modifiable copy of a stored list or set, empty for null, with capacity for that
     * many more elements.
     */
    private static BsonArray modifiableCopy(BsonValue list, int more) {
        List<BsonValue> elements = list.isNull() ? List.of() : list.asArray();
        BsonArray copy = new BsonArray(elements.size() + more);
        copy.addAll(elements);
        return copy;
    }
}
