package io.invalidb.query.value;

import java.math.BigDecimal;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * Order of numbers by exact value across the four numeric types. NaN is below everything else,
 * minus zero equals zero.
 */
public final class NumberOrder {

    /** Magnitude up to which integers are exact as doubles. */
    private static final long EXACT_IN_DOUBLE = 1L << 53;

    /** The first double that is too large for a long. */
    private static final double TWO_TO_63 = 0x1p63;

    private NumberOrder() {}

    static int compare(BsonNumber one, BsonNumber other) {
        if (one instanceof BsonDecimal128 || other instanceof BsonDecimal128) {
            return compareDecimals(one, other);
        }
        if (one instanceof BsonDouble d) {
            return other instanceof BsonDouble e
                    ? compareDoubles(d.getValue(), e.getValue())
                    : -compareLongToDouble(other.longValue(), d.getValue());
        }
        return other instanceof BsonDouble e
                ? compareLongToDouble(one.longValue(), e.getValue())
                : Long.compare(one.longValue(), other.longValue());
    }

    public static boolean isNaN(BsonValue value) {
        return (value instanceof BsonDouble d && Double.isNaN(d.getValue()))
                || (value instanceof BsonDecimal128 e && e.getValue().isNaN());
    }

    /**
     * Returns one representation for all spellings of a number: the first that is exact of int32,
     * int64, double, decimal.
     */
    public static BsonNumber canonical(BsonNumber number) {
        if (number instanceof BsonInt32 || !isFinite(number)) {
            return number instanceof BsonInt32 ? number : new BsonDouble(asDouble(number));
        }
        if (number instanceof BsonInt64 exact) {
            return integer(exact.getValue());
        }
        BigDecimal value = exact(number);
        return isLong(value) ? integer(value.longValueExact()) : fraction(value);
    }

    private static BsonNumber integer(long value) {
        return value == (int) value ? new BsonInt32((int) value) : new BsonInt64(value);
    }

    private static BsonNumber fraction(BigDecimal value) {
        double nearest = value.doubleValue();
        return Double.isFinite(nearest) && new BigDecimal(nearest).compareTo(value) == 0
                ? new BsonDouble(nearest)
                : new BsonDecimal128(new Decimal128(value.stripTrailingZeros()));
    }

    /**
     * Returns whether the value fits a long. It checks the magnitude first: writing out 1E6144
     * would cost thousands of digits.
     */
    public static boolean isLong(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() <= 0
                && stripped.precision() - stripped.scale() <= 19
                && stripped.toBigInteger().bitLength() < Long.SIZE;
    }

    public static boolean isFinite(BsonNumber number) {
        return Double.isFinite(infiniteOrNaN(number));
    }

    /**
     * Returns infinity or NaN exactly if the number is one, and otherwise any finite value; large
     * decimals are finite though no double is near.
     */
    private static double infiniteOrNaN(BsonNumber number) {
        if (number instanceof BsonDecimal128 decimal) {
            return decimal.getValue().isFinite() ? 0 : asDouble(number);
        }
        return number.doubleValue();
    }

    /**
     * Returns the double that is nearest to the exact value; rounding preserves the order of
     * numbers.
     */
    static double nearestDouble(BsonNumber number) {
        return number instanceof BsonDecimal128 && isFinite(number)
                ? exact(number).doubleValue()
                : asDouble(number);
    }

    private static double asDouble(BsonNumber number) {
        if (number instanceof BsonDecimal128 decimal) {
            Decimal128 value = decimal.getValue();
            if (value.isNaN()) {
                return Double.NaN;
            }
            return value.isNegative() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return number.doubleValue();
    }

    /** Returns the exact value of a finite number; minus zero becomes zero. */
    public static BigDecimal exact(BsonNumber number) {
        if (number instanceof BsonDecimal128 decimal) {
            Decimal128 value = decimal.getValue();
            return isZero(value) ? BigDecimal.ZERO : value.bigDecimalValue();
        }
        return number instanceof BsonDouble d ? new BigDecimal(d.getValue()) : BigDecimal.valueOf(number.longValue());
    }

    /**
     * Returns whether a decimal is zero; {@code bigDecimalValue} refuses minus zero, with any
     * exponent.
     */
    private static boolean isZero(Decimal128 value) {
        return (value.isNegative()
                                ? Decimal128.fromIEEE754BIDEncoding(value.getHigh() & Long.MAX_VALUE, value.getLow())
                                : value)
                        .bigDecimalValue()
                        .signum()
                == 0;
    }

    private static int compareDecimals(BsonNumber one, BsonNumber other) {
        if (isFinite(one) && isFinite(other)) {
            return exact(one).compareTo(exact(other));
        }
        return compareDoubles(infiniteOrNaN(one), infiniteOrNaN(other));
    }

    private static int compareDoubles(double one, double other) {
        if (one < other) {
            return -1;
        }
        if (one > other) {
            return 1;
        }
        return Boolean.compare(Double.isNaN(other), Double.isNaN(one));
    }

    private static int compareLongToDouble(long one, double other) {
        if (Double.isNaN(other) || (-EXACT_IN_DOUBLE <= one && one <= EXACT_IN_DOUBLE)) {
            return compareDoubles((double) one, other);
        }
        if (other >= TWO_TO_63) {
            return -1;
        }
        return other < -TWO_TO_63 ? 1 : Long.compare(one, (long) other);
    }
}
