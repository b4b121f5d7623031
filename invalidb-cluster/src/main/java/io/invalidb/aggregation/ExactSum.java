package io.invalidb.aggregation;

import java.math.BigDecimal;
import java.math.MathContext;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * A sum of numbers of all types from which numbers can be removed exactly. Finite numbers are added
 * exactly and rounded once, when the sum is read; NaN and infinities are counted separately. The
 * type of the sum is the widest among its numbers (MongoDB manual, "$sum").
 */
final class ExactSum {

    private static final int MAX_DIGITS = 2_048;
    /**
     * Number of digits up to which a sum surely fits 64 bits; a longer one is read by its digits.
     */
    private static final int MAX_LONG_DIGITS = 18;

    private static final long STEPS_PER_READ = 200;

    /** Pairs of digits per step: each removal of a trailing zero costs a pass over all digits. */
    private static final long PAIRS_OF_DIGITS_PER_STEP = 128;

    private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private BigDecimal finite = BigDecimal.ZERO;
    private long longs;
    private long doubles;
    private long decimals;
    private long numbers;
    private long notANumber;
    private long positiveInfinite;
    private long negativeInfinite;

    void add(BsonNumber number) {
        count(number, 1);
        DecimalConversions.finite(number).ifPresent(value -> finite = finite.add(value));
    }

    /** Returns the cost to add or remove the number and to read the sum, in steps of a budget. */
    long cost(BsonValue value) {
        if (!(value instanceof BsonNumber number)) {
            return 1;
        }
        long digits = DecimalConversions.finite(number).map(this::digitsWith).orElse(1L);
        return 4 + (digits > MAX_LONG_DIGITS ? STEPS_PER_READ + digits * digits / PAIRS_OF_DIGITS_PER_STEP : 0);
    }

    /** Returns the number of digits from the first of either to the last. */
    private long digitsWith(BigDecimal value) {
        long first = Math.max(finite.precision() - (long) finite.scale(), value.precision() - (long) value.scale());
        return first + Math.max(finite.scale(), value.scale());
    }

    void remove(BsonNumber number) {
        count(number, -1);
        DecimalConversions.finite(number).ifPresent(value -> finite = shortened(finite.subtract(value)));
    }

    /**
     * Removes the trailing zeros of a long value or zero, so that the digits of a removed long
     * number disappear.
     */
    private static BigDecimal shortened(BigDecimal value) {
        boolean isLong = value.scale() > Long.SIZE || value.precision() > MAX_DIGITS;
        return isLong || value.signum() == 0 ? value.stripTrailingZeros() : value;
    }

    private void count(BsonNumber number, int change) {
        numbers += change;
        switch (number.getBsonType()) {
            case INT64 -> longs += change;
            case DOUBLE -> doubles += change;
            case DECIMAL128 -> decimals += change;
            default -> {}
        }
        double special = DecimalConversions.special(number);
        notANumber += Double.isNaN(special) ? change : 0;
        positiveInfinite += special == Double.POSITIVE_INFINITY ? change : 0;
        negativeInfinite += special == Double.NEGATIVE_INFINITY ? change : 0;
    }

    /** Returns the number of numbers in the sum. */
    long count() {
        return numbers;
    }

    boolean isDecimal() {
        return decimals > 0;
    }

    /**
     * Returns the sum in the widest type of the numbers; an integer beyond 64 bits becomes a
     * double.
     */
    BsonValue value() {
        if (isDecimal()) {
            return new BsonDecimal128(toDecimal());
        }
        return doubles > 0 || isBeyondLong() ? new BsonDouble(toDouble()) : whole(finite.longValueExact());
    }

    private BsonValue whole(long sum) {
        return longs == 0 && sum == (int) sum ? new BsonInt32((int) sum) : new BsonInt64(sum);
    }

    private boolean isBeyondLong() {
        return finite.compareTo(LONG_MIN) < 0 || finite.compareTo(LONG_MAX) > 0;
    }

    double toDouble() {
        return isFinite() ? finite.doubleValue() : special();
    }

    Decimal128 toDecimal() {
        return isFinite() ? DecimalConversions.rounded(finite) : DecimalConversions.of(special());
    }

    /** Returns the sum divided by the number of numbers, in decimals. */
    Decimal128 decimalMean() {
        Decimal128 sum = toDecimal();
        return sum.isFinite()
                ? DecimalConversions.rounded(
                        DecimalConversions.value(sum).divide(BigDecimal.valueOf(numbers), MathContext.DECIMAL128))
                : sum;
    }

    private boolean isFinite() {
        return notANumber + positiveInfinite + negativeInfinite == 0;
    }

    private double special() {
        if (notANumber > 0 || (positiveInfinite > 0 && negativeInfinite > 0)) {
            return Double.NaN;
        }
        return positiveInfinite > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }
}
