package io.orestes.store.embedded.index;

import com.google.common.primitives.Longs;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bson.BsonValue;

/**
 * An order-preserving encoding of values as bytes, in which unsigned order follows MongoDB's order
 * of values. No encoding is a prefix of another one, so encodings can be joined.
 *
 * <p>It is coarse where exactness would cost much: equal values have equal encodings and a smaller
 * value never has a larger one, but different values may share one. Numbers are compared as
 * doubles, strings by their first {@value #STRING_BYTES} bytes of UTF-8, documents, arrays, binary
 * data and the rest by their type alone.
 */
public final class ValueEncoding {

    static final int STRING_BYTES = 256;

    /** Doubles of this magnitude and beyond stand for several integers. */
    private static final double EXACT_INTEGERS = 1L << 53;

    private ValueEncoding() {}

    /** Returns the bytes of a value. */
    static byte[] encode(BsonValue value) {
        ByteArrayOutputStream target = new ByteArrayOutputStream(16);
        target.write(bracket(value));
        switch (value.getBsonType()) {
            case DOUBLE, INT32, INT64 -> putDouble(target, value.asNumber().doubleValue());
            case DECIMAL128 -> putDouble(target, value.asDecimal128().getValue().doubleValue());
            case STRING -> putText(target, value.asString().getValue());
            case SYMBOL -> putText(target, value.asSymbol().getSymbol());
            case OBJECT_ID -> target.writeBytes(value.asObjectId().getValue().toByteArray());
            case BOOLEAN -> target.write(value.asBoolean().getValue() ? 1 : 0);
            case DATE_TIME -> putLong(target, value.asDateTime().getValue() ^ Long.MIN_VALUE);
            case TIMESTAMP -> putLong(target, value.asTimestamp().getValue());
            default -> {}
        }
        return target.toByteArray();
    }

    /**
     * Returns the first byte of a value, which is equal for all values that MongoDB compares with
     * one another.
     */
    public static int bracket(BsonValue value) {
        return switch (value.getBsonType()) {
            case MIN_KEY -> 0x08;
            case NULL, UNDEFINED -> 0x10;
            case DOUBLE, INT32, INT64, DECIMAL128 -> 0x20;
            case STRING, SYMBOL -> 0x30;
            case DOCUMENT -> 0x40;
            case ARRAY -> 0x50;
            case BINARY -> 0x60;
            case OBJECT_ID -> 0x70;
            case BOOLEAN -> 0x80;
            case DATE_TIME -> 0x90;
            case TIMESTAMP -> 0xa0;
            case REGULAR_EXPRESSION -> 0xb0;
            case MAX_KEY -> 0xe0;
            default -> 0xc0;
        };
    }

    /** True if all values with this encoding are equal, except decimal numbers. */
    public static boolean isExact(byte[] encoding) {
        return switch (encoding[0] & 0xff) {
            case 0x20 -> Math.abs(number(encoding)) < EXACT_INTEGERS;
            case 0x30 -> encoding.length < STRING_BYTES;
            case 0x70, 0x80, 0x90, 0xa0 -> true;
            default -> false;
        };
    }

    private static double number(byte[] encoding) {
        long bits = Longs.fromByteArray(Arrays.copyOfRange(encoding, 1, 1 + Long.BYTES));
        return Double.longBitsToDouble(bits < 0 ? bits & Long.MAX_VALUE : ~bits);
    }

    private static void putDouble(ByteArrayOutputStream target, double value) {
        if (Double.isNaN(value)) {
            putLong(target, 0);
            return;
        }
        long bits = Double.doubleToLongBits(value + 0.0); // turns -0.0 into 0.0
        putLong(target, bits < 0 ? ~bits : bits | Long.MIN_VALUE);
    }

    private static void putLong(ByteArrayOutputStream target, long value) {
        for (int shift = 56; shift >= 0; shift -= 8) {
            target.write((int) (value >>> shift));
        }
    }

    /**
     * Writes a text: zero bytes become 00 FF and the end is 00 00. A character that the substring
     * cuts in half lies behind the limit.
     */
    private static void putText(ByteArrayOutputStream target, String text) {
        byte[] octets =
                text.substring(0, Math.min(text.length(), STRING_BYTES + 1)).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < Math.min(octets.length, STRING_BYTES); i++) {
            target.write(octets[i]);
            if (octets[i] == 0) {
                target.write(0xff);
            }
        }
        target.write(0);
        target.write(0);
    }
}
