package io.invalidb.query.value;

import org.bson.BsonValue;

/**
 * An order-preserving 64-bit prefix of a value's position in {@link BsonOrder}. A smaller value
 * never has a larger key, but different values may share one. The first byte is the type bracket,
 * so that keys are not negative.
 */
public final class OrderPrefix {

    private static final int BITS = 56;
    private static final long MASK = (1L << BITS) - 1;
    private static final long MIDDLE = 1L << (BITS - 1);

    private OrderPrefix() {}

    /** Returns the key of a value. */
    public static long of(BsonValue value) {
        int bracket = BsonOrder.bracket(value);
        return ((long) bracket << BITS) | within(bracket, value);
    }

    /** Returns the minimum key of all values that are comparable to this one. */
    public static long leastComparableTo(BsonValue value) {
        return (long) BsonOrder.bracket(value) << BITS;
    }

    /** Returns the maximum key of all values that are comparable to this one. */
    public static long greatestComparableTo(BsonValue value) {
        return leastComparableTo(value) | MASK;
    }

    private static long within(int bracket, BsonValue value) {
        if (bracket == BsonOrder.NUMBER_BRACKET) {
            return ofNumber(NumberOrder.nearestDouble(value.asNumber()));
        }
        return BsonOrder.isText(value) ? ofText(BsonOrder.text(value)) : ofScalar(value);
    }

    private static long ofScalar(BsonValue value) {
        return switch (value.getBsonType()) {
            case DATE_TIME -> clamped(value.asDateTime().getValue());
            case TIMESTAMP -> value.asTimestamp().getValue() >>> (Long.SIZE - BITS);
            case BOOLEAN -> value.asBoolean().getValue() ? 1 : 0;
            case OBJECT_ID -> ofBytes(value.asObjectId().getValue().toByteArray());
            default -> 0;
        };
    }

    /**
     * Returns the bits of a double, adjusted for the order of negative numbers. NaN is below all
     * others, and the zeros are equal.
     */
    private static long ofNumber(double number) {
        if (Double.isNaN(number)) {
            return 0;
        }
        long bits = Double.doubleToLongBits(number + 0.0);
        return (bits < 0 ? ~bits : bits ^ Long.MIN_VALUE) >>> (Long.SIZE - BITS);
    }

    private static long clamped(long number) {
        return Math.max(-MIDDLE, Math.min(MIDDLE - 1, number)) + MIDDLE;
    }

    /**
     * Returns seven bytes, similar to UTF-8, but in the order of {@link BsonOrder} also for
     * unpaired surrogates.
     */
    private static long ofText(String text) {
        long key = 0;
        int free = BITS;
        for (int i = 0; i < text.length() && free > 0; i++) {
            int c = text.charAt(i);
            int length = c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            int bytes = length == 1 ? c : length == 2 ? twoBytes(c) : threeBytes(c);
            int shift = free - length * Byte.SIZE;
            key |= shift >= 0 ? (long) bytes << shift : bytes >>> -shift;
            free = shift;
        }
        return key;
    }

    private static int twoBytes(int c) {
        return ((0xC0 | (c >> 6)) << 8) | tail(c);
    }

    private static int threeBytes(int c) {
        int lead = Character.isSurrogate((char) c) ? 0xF0 : 0xE0;
        return ((lead | (c >> 12)) << 16) | (tail(c >> 6) << 8) | tail(c);
    }

    private static int tail(int c) {
        return 0x80 | (c & 0x3F);
    }

    private static long ofBytes(byte[] bytes) {
        long key = 0;
        for (int i = 0; i < BITS / Byte.SIZE; i++) {
            key = (key << Byte.SIZE) | (bytes[i] & 0xff);
        }
        return key;
    }
}
