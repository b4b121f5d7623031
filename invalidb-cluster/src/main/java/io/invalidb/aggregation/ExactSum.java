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
 * A sum of numbers of all types from which numbers can be taken out again without a trace. What is
 * finite is added up exactly and rounded once, when it is read; NaN and infinities are counted
 * apart. The type of the sum is the widest among the numbers that are in (MongoDB manual, "$sum").
 */
final class ExactSum {

    private static final int LONGEST = 2_048;
    /** A sum that has left 64 bits is read by way of its digits. */
    private static final int SHORT = 18;

    private static final long READING = 200;

    /** Zeros at the end are taken off one by one, at the cost of all digits each. */
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
        Decimals.finite(number).ifPresent(value -> finite = finite.add(value));
    }

    /** What it takes to add or remove the number and to read the sum, in steps of a budget. */
    long effort(BsonValue value) {
        if (!(value instanceof BsonNumber number)) {
            return 1;
        }
        long digits = Decimals.finite(number).map(this::digitsWith).orElse(1L);
        return 4 + (digits > SHORT ? READING + digits * digits / PAIRS_OF_DIGITS_PER_STEP : 0);
    }

    /** From the first digit of either to the last. */
    private long digitsWith(BigDecimal value) {
        long first = Math.max(finite.precision() - (long) finite.scale(), value.precision() - (long) value.scale());
        return first + Math.max(finite.scale(), value.scale());
    }

    void remove(BsonNumber number) {
        count(number, -1);
        Decimals.finite(number).ifPresent(value -> finite = shortened(finite.subtract(value)));
    }

    /** A number with very many digits that has left takes its digits with it. */
    private static BigDecimal shortened(BigDecimal value) {
        boolean isLong = value.scale() > Long.SIZE || value.precision() > LONGEST;
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
        double special = Decimals.special(number);
        notANumber += Double.isNaN(special) ? change : 0;
        positiveInfinite += special == Double.POSITIVE_INFINITY ? change : 0;
        negativeInfinite += special == Double.NEGATIVE_INFINITY ? change : 0;
    }

    /** How many numbers are in. */
    long count() {
        return numbers;
    }

    boolean isDecimal() {
        return decimals > 0;
    }

    /**
     * The sum in the widest type of the numbers; whole numbers that 64 bits cannot hold become a
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
        return isFinite() ? Decimals.rounded(finite) : Decimals.of(special());
    }

    /** The sum divided by how many numbers are in, in decimals. */
    Decimal128 decimalMean() {
        Decimal128 sum = toDecimal();
        return sum.isFinite()
                ? Decimals.rounded(Decimals.value(sum).divide(BigDecimal.valueOf(numbers), MathContext.DECIMAL128))
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
