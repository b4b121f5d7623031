package io.invalidb.aggregation;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonNumber;
import org.bson.types.Decimal128;

/** Conversions between BSON numbers and their exact decimal values. */
final class DecimalConversions {

    /**
     * Minimum exponent of an IEEE 754-2008 decimal128; the next constant is the first magnitude
     * that is too large.
     */
    private static final int MIN_EXPONENT = -6176;

    private static final BigDecimal TOO_LARGE = BigDecimal.ONE.scaleByPowerOfTen(6145);

    private DecimalConversions() {}

    /** Returns the exact value; empty for NaN and infinities. */
    static Optional<BigDecimal> finite(BsonNumber number) {
        if (!Double.isFinite(special(number))) {
            return Optional.empty();
        }
        if (number instanceof BsonDecimal128 decimal) {
            return Optional.of(value(decimal.getValue()));
        }
        return Optional.of(
                number instanceof BsonDouble d ? new BigDecimal(d.getValue()) : BigDecimal.valueOf(number.longValue()));
    }

    /** Returns NaN or an infinity if the number is one; else zero. */
    static double special(BsonNumber number) {
        if (number instanceof BsonDecimal128 decimal) {
            return special(decimal.getValue());
        }
        return number instanceof BsonDouble d && !Double.isFinite(d.getValue()) ? d.getValue() : 0;
    }

    private static double special(Decimal128 decimal) {
        if (decimal.isFinite()) {
            return 0;
        }
        if (decimal.isNaN()) {
            return Double.NaN;
        }
        return decimal.isNegative() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }

    /**
     * Returns the value of a finite decimal. Its sign is removed first: {@code bigDecimalValue}
     * refuses minus zero.
     */
    static BigDecimal value(Decimal128 decimal) {
        if (!decimal.isNegative()) {
            return decimal.bigDecimalValue();
        }
        return Decimal128.fromIEEE754BIDEncoding(decimal.getHigh() & Long.MAX_VALUE, decimal.getLow())
                .bigDecimalValue()
                .negate();
    }

    /** Converts NaN or an infinity. */
    static Decimal128 of(double special) {
        if (Double.isNaN(special)) {
            return Decimal128.NaN;
        }
        return special > 0 ? Decimal128.POSITIVE_INFINITY : Decimal128.NEGATIVE_INFINITY;
    }

    /**
     * Returns the nearest decimal of 34 digits in a canonical form: without trailing zeros, and
     * without an exponent if possible.
     */
    static Decimal128 rounded(BigDecimal value) {
        BigDecimal nearest = value.round(MathContext.DECIMAL128);
        if (nearest.abs().compareTo(TOO_LARGE) >= 0) {
            return of(nearest.signum() * Double.POSITIVE_INFINITY);
        }
        BigDecimal representable =
                nearest.scale() > -MIN_EXPONENT ? nearest.setScale(-MIN_EXPONENT, RoundingMode.HALF_EVEN) : nearest;
        return new Decimal128(spelled(representable.stripTrailingZeros()));
    }

    private static BigDecimal spelled(BigDecimal stripped) {
        boolean isPlain = stripped.scale() < 0
                && stripped.precision() - stripped.scale() <= MathContext.DECIMAL128.getPrecision();
        return isPlain ? stripped.setScale(0) : stripped;
    }
}
