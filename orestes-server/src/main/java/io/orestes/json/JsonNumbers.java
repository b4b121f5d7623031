package io.orestes.json;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.math.BigDecimal;
import java.util.Optional;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNumber;

/** The conversion of numbers between JSON literals and 64-bit values. */
final class JsonNumbers {

    /** Bound below which every integral double is exact, so it may be printed as an integer. */
    private static final double EXACT = 1L << 53;

    private static final int MAX_INT64_LENGTH = "-9223372036854775808".length();

    private JsonNumbers() {}

    /** Parses a valid JSON literal; empty if it is an integer or a magnitude beyond 64 bits. */
    static Optional<BsonNumber> parse(String literal) {
        if (isFraction(literal)) {
            return finite(literal).map(BsonDouble::new);
        }
        if (literal.length() <= MAX_INT64_LENGTH) {
            try {
                return Optional.of(new BsonInt64(Long.parseLong(literal)));
            } catch (NumberFormatException beyond) {
                return wide(literal);
            }
        }
        return wide(literal);
    }

    /**
     * Prints a number like JavaScript, except for the form of the exponent; {@code null} if JSON
     * has no number for it.
     */
    static String print(double value) {
        if (Math.abs(value) < EXACT && value == (long) value) {
            return Long.toString((long) value);
        }
        return Double.isFinite(value) ? shortest(value).replace(".0E", "E") : "null";
    }

    private static boolean isFraction(String literal) {
        return literal.indexOf('.') >= 0 || literal.indexOf('e') >= 0 || literal.indexOf('E') >= 0;
    }

    private static Optional<Double> finite(String literal) {
        return Optional.of(Double.valueOf(literal)).filter(value -> !value.isInfinite());
    }

    /**
     * Parses an integer beyond 64 bits. JavaScript prints doubles up to 1e21 as integers; only such
     * a print stands for its double.
     */
    private static Optional<BsonNumber> wide(String literal) {
        return finite(literal)
                .filter(value -> new BigDecimal(shortest(value)).compareTo(new BigDecimal(literal)) == 0)
                .map(BsonDouble::new);
    }

    /**
     * Returns the shortest digits that read back as the same double; {@code Double.toString} has
     * that property from JDK 19 on only.
     */
    private static String shortest(double value) {
        return NumberOutput.toString(value, true);
    }
}
