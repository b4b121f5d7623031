package io.invalidb.query.filter;

import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.StepBudget;
import io.invalidb.query.value.LongConversion;
import io.invalidb.query.value.NumberOrder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.BitSet;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A predicate on the bits of an integer or of binary data, such as {@code $bitsAllSet}. Position 0
 * is the lowest bit of an integer, whose sign extends without end. In binary data it is the lowest
 * bit of the first byte, and zeros follow the last byte.
 *
 * @param positions ascending
 * @param mask the positions as bits of an integer; all from 63 on are the sign
 */
record BitPredicate(BitTest wanted, List<Integer> positions, long mask) implements ValuePredicate {

    private static final int MAX_POSITIONS = 10_000;

    /** The required state of the bits. */
    enum BitTest {
        ALL_SET("$bitsAllSet"),
        ALL_CLEAR("$bitsAllClear"),
        ANY_SET("$bitsAnySet"),
        ANY_CLEAR("$bitsAnyClear");

        private final String operator;

        BitTest(String operator) {
            this.operator = operator;
        }

        /** Returns whether the bits have to be set instead of clear. */
        private boolean isSet() {
            return this == ALL_SET || this == ANY_SET;
        }

        private boolean isAny() {
            return this == ANY_SET || this == ANY_CLEAR;
        }
    }

    /** Parses a mask: an integer that is not negative, an array of positions, or binary data. */
    static BitPredicate parse(BitTest wanted, BsonValue operand) {
        List<Integer> positions = positions(wanted.operator, operand);
        long mask = 0;
        for (int position : positions) {
            mask |= 1L << Math.min(position, Long.SIZE - 1);
        }
        return new BitPredicate(wanted, positions, mask);
    }

    private static List<Integer> positions(String operator, BsonValue operand) {
        BitSet bits = new BitSet();
        if (operand instanceof BsonBinary binary) {
            bits = BitSet.valueOf(binary.getData());
        } else if (operand instanceof BsonNumber) {
            bits = BitSet.valueOf(new long[] {notNegative(operator, operand, Long.MAX_VALUE)});
        } else {
            return listed(operator, operand);
        }
        requireFew(operator, bits.cardinality());
        return bits.stream().boxed().toList();
    }

    /**
     * Parses an array of positions. They are not stored in a bit set: one high position would make
     * it huge.
     */
    private static List<Integer> listed(String operator, BsonValue operand) {
        if (!(operand instanceof BsonArray array)) {
            throw new QuerySyntaxException(operator + " takes an integer, an array of positions, or binary data");
        }
        requireFew(operator, array.size());
        return array.stream()
                .map(position -> (int) notNegative(operator, position, Integer.MAX_VALUE))
                .sorted()
                .distinct()
                .toList();
    }

    private static void requireFew(String operator, int positions) {
        if (positions > MAX_POSITIONS) {
            throw new QueryNotSupportedException(operator + " takes at most " + MAX_POSITIONS + " bits");
        }
    }

    private static long notNegative(String operator, BsonValue operand, long most) {
        long integer = operand instanceof BsonNumber number
                ? LongConversion.exact(number).orElse(-1)
                : -1;
        if (integer < 0 || integer > most) {
            throw new QuerySyntaxException(operator + " takes integers that are not negative and not too large");
        }
        return integer;
    }

    @Override
    public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
        stepBudget.spend(positions.size());
        if (value instanceof BsonBinary binary) {
            return accepts(binary.getData());
        }
        return value instanceof BsonNumber number && isInteger(number) && accepts(integer(number));
    }

    private boolean accepts(byte[] data) {
        for (int i = 0; i < positions.size(); i++) {
            if ((isSet(data, positions.get(i)) == wanted.isSet()) == wanted.isAny()) {
                return wanted.isAny();
            }
        }
        return !wanted.isAny();
    }

    private static boolean isSet(byte[] data, int position) {
        int octet = position / Byte.SIZE;
        return octet < data.length && (data[octet] >> (position % Byte.SIZE) & 1) == 1;
    }

    private boolean accepts(long value) {
        long concerned = wanted.isSet() ? value & mask : ~value & mask;
        return wanted.isAny() ? concerned != 0 : concerned == mask;
    }

    /**
     * Returns whether the number has bits: doubles beyond 64 bits and fractions have none; decimals
     * always do.
     */
    private static boolean isInteger(BsonNumber number) {
        return !(number instanceof BsonDouble d)
                || (d.getValue() >= -0x1p63 && d.getValue() < 0x1p63 && d.getValue() == Math.rint(d.getValue()));
    }

    private static long integer(BsonNumber number) {
        return number instanceof BsonDecimal128 ? rounded(number) : number.longValue();
    }

    /**
     * Rounds like MongoDB: halves to even; a value out of range, or NaN, becomes the minimum
     * integer.
     */
    private static long rounded(BsonNumber decimal) {
        if (!NumberOrder.isFinite(decimal)) {
            return Long.MIN_VALUE;
        }
        BigDecimal exact = NumberOrder.exact(decimal);
        if (exact.precision() - exact.scale() > 19) {
            return Long.MIN_VALUE;
        }
        BigDecimal integer = exact.setScale(0, RoundingMode.HALF_EVEN);
        return NumberOrder.isLong(integer) ? integer.longValueExact() : Long.MIN_VALUE;
    }

    @Override
    public void writeTo(BsonDocument operators) {
        operators.put(
                wanted.operator,
                new BsonArray(positions.stream().map(BsonInt32::new).toList()));
    }
}
