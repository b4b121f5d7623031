package io.invalidb.query.expression;

import io.invalidb.query.value.LongConversion;
import io.invalidb.query.value.NumberOrder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.function.DoubleUnaryOperator;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonValue;

/**
 * The arithmetic functions of expressions, with MongoDB's rules for nulls, dates and integer
 * overflow. The result is null if an argument is null or absent. Integers stay integers until 64
 * bits overflow, then they become doubles. Decimals are not supported.
 */
final class ArithmeticFunctions {

    private ArithmeticFunctions() {}

    static BsonValue add(BsonValue[] terms) {
        BigDecimal exact = BigDecimal.ZERO;
        double inexact = 0;
        boolean allIntegers = true;
        boolean isDate = false;
        for (BsonValue term : terms) {
            if (Expression.isNullish(term)) {
                return BsonNull.VALUE;
            }
            requireNoDateIf(isDate, term);
            isDate |= term instanceof BsonDateTime;
            BsonNumber number = term instanceof BsonDateTime date ? new BsonInt64(date.getValue()) : number(term);
            allIntegers &= !(number instanceof BsonDouble);
            inexact += number.doubleValue();
            exact = Double.isFinite(number.doubleValue()) ? exact.add(NumberOrder.exact(number)) : exact;
        }
        if (!allIntegers && !Double.isFinite(inexact)) {
            return isDate ? incomputable() : new BsonDouble(inexact);
        }
        return isDate ? date(exact) : number(exact, allIntegers);
    }

    private static void requireNoDateIf(boolean isDate, BsonValue term) {
        if (isDate && term instanceof BsonDateTime) {
            throw new IncomputableException();
        }
    }

    /** Rounds to whole milliseconds, halves to even. */
    private static BsonValue date(BigDecimal millis) {
        BigDecimal whole = millis.setScale(0, RoundingMode.HALF_EVEN);
        return NumberOrder.isLong(whole) ? new BsonDateTime(whole.longValueExact()) : incomputable();
    }

    private static BsonValue number(BigDecimal exact, boolean integer) {
        return integer && NumberOrder.isLong(exact)
                ? new BsonInt64(exact.longValueExact())
                : new BsonDouble(exact.doubleValue());
    }

    static BsonValue subtract(BsonValue one, BsonValue other) {
        if (Expression.isNullish(one) || Expression.isNullish(other)) {
            return BsonNull.VALUE;
        }
        if (one instanceof BsonDateTime from) {
            return other instanceof BsonDateTime to
                    ? difference(new BsonInt64(from.getValue()), new BsonInt64(to.getValue()))
                    : earlier(from, number(other));
        }
        return difference(number(one), number(other));
    }

    private static BsonValue earlier(BsonDateTime date, BsonNumber by) {
        return Double.isFinite(by.doubleValue())
                ? date(BigDecimal.valueOf(date.getValue()).subtract(NumberOrder.exact(by)))
                : incomputable();
    }

    private static BsonValue difference(BsonNumber one, BsonNumber other) {
        return isDouble(one, other)
                ? new BsonDouble(one.doubleValue() - other.doubleValue())
                : number(NumberOrder.exact(one).subtract(NumberOrder.exact(other)), true);
    }

    static BsonValue multiply(BsonValue[] factors) {
        BsonNumber product = new BsonInt32(1);
        for (BsonValue factor : factors) {
            if (Expression.isNullish(factor)) {
                return BsonNull.VALUE;
            }
            product = product(product, number(factor));
        }
        return product;
    }

    private static BsonNumber product(BsonNumber one, BsonNumber other) {
        if (!isDouble(one, other)) {
            BigDecimal exact = NumberOrder.exact(one).multiply(NumberOrder.exact(other));
            if (NumberOrder.isLong(exact)) {
                return new BsonInt64(exact.longValueExact());
            }
        }
        return new BsonDouble(one.doubleValue() * other.doubleValue());
    }

    static BsonValue divide(BsonValue one, BsonValue other) {
        if (Expression.isNullish(one) || Expression.isNullish(other)) {
            return BsonNull.VALUE;
        }
        double divisor = notZero(number(other));
        return new BsonDouble(number(one).doubleValue() / divisor);
    }

    private static double notZero(BsonNumber number) {
        if (number.doubleValue() == 0) {
            throw new IncomputableException();
        }
        return number.doubleValue();
    }

    static BsonValue remainder(BsonValue one, BsonValue other) {
        if (Expression.isNullish(one) || Expression.isNullish(other)) {
            return BsonNull.VALUE;
        }
        BsonNumber dividend = number(one);
        BsonNumber divisor = number(other);
        double inexact = notZero(divisor);
        boolean byDouble =
                divisor instanceof BsonDouble && !LongConversion.exact(divisor).isPresent();
        return dividend instanceof BsonDouble || byDouble
                ? new BsonDouble(dividend.doubleValue() % inexact)
                : new BsonInt64(dividend.longValue() % divisor.longValue());
    }

    static BsonValue absolute(BsonValue value) {
        if (Expression.isNullish(value)) {
            return BsonNull.VALUE;
        }
        BsonNumber number = number(value);
        if (number instanceof BsonDouble d) {
            return new BsonDouble(Math.abs(d.getValue()));
        }
        return number.longValue() == Long.MIN_VALUE ? incomputable() : new BsonInt64(Math.abs(number.longValue()));
    }

    static BsonValue rounded(BsonValue value, DoubleUnaryOperator rounding) {
        if (Expression.isNullish(value)) {
            return BsonNull.VALUE;
        }
        BsonNumber number = number(value);
        return number instanceof BsonDouble d ? new BsonDouble(rounding.applyAsDouble(d.getValue())) : number;
    }

    static BsonValue root(BsonValue value) {
        if (Expression.isNullish(value)) {
            return BsonNull.VALUE;
        }
        double radicand = number(value).doubleValue();
        return radicand < 0 ? incomputable() : new BsonDouble(Math.sqrt(radicand));
    }

    /** Returns a number that is an integer of 32 bits. */
    static int integer(BsonValue value) {
        long integer = LongConversion.exact(number(value)).orElseThrow(IncomputableException::new);
        if (integer != (int) integer) {
            throw new IncomputableException();
        }
        return (int) integer;
    }

    private static BsonNumber number(BsonValue value) {
        if (value instanceof BsonNumber number && !(value instanceof BsonDecimal128)) {
            return number;
        }
        throw new IncomputableException();
    }

    private static boolean isDouble(BsonNumber one, BsonNumber other) {
        return one instanceof BsonDouble || other instanceof BsonDouble;
    }

    private static BsonValue incomputable() {
        throw new IncomputableException();
    }
}
