package io.invalidb.query.value;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.OptionalLong;
import org.bson.BsonNumber;

/** Conversions of BSON numbers of any type to 64-bit integers. */
public final class LongConversion {

    private LongConversion() {}

    /**
     * Returns the integer part; empty if it needs more than 64 bits or the number is not finite.
     */
    public static OptionalLong truncated(BsonNumber number) {
        if (!NumberOrder.isFinite(number)) {
            return OptionalLong.empty();
        }
        BigDecimal exact = NumberOrder.exact(number);
        if (exact.precision() - exact.scale() > 19) {
            return OptionalLong.empty();
        }
        BigDecimal integer = exact.setScale(0, RoundingMode.DOWN);
        return NumberOrder.isLong(integer) ? OptionalLong.of(integer.longValueExact()) : OptionalLong.empty();
    }

    public static boolean isZero(BsonNumber number) {
        return NumberOrder.isFinite(number) && NumberOrder.exact(number).signum() == 0;
    }

    /** Returns the value; empty if it is not an integer of 64 bits. */
    public static OptionalLong exact(BsonNumber number) {
        return NumberOrder.isFinite(number) && NumberOrder.isLong(NumberOrder.exact(number))
                ? truncated(number)
                : OptionalLong.empty();
    }
}
