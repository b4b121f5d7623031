package io.orestes.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A scanner for bytes that JSON strings have to escape, which examines eight at a time. Most texts
 * have no such byte, and examining each byte by itself was a tenth of the work of a write. The
 * formulas are from H. S. Warren, Hacker's Delight, section 6-1. They may report a false hit behind
 * a true one, so each hit is examined again.
 */
final class JsonEscapeScanner {

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final int FIRST_PRINTABLE = ' ';
    private static final int DELETE = 0x7f;

    private JsonEscapeScanner() {}

    /**
     * Returns the index of the first byte from {@code from} on that a JSON string must escape; the
     * length if there is none.
     */
    static int end(byte[] utf8, int from) {
        int i = from;
        while (i <= utf8.length - Long.BYTES && !mayNeedEscape((long) WORDS.get(utf8, i))) {
            i += Long.BYTES;
        }
        while (i < utf8.length && !needsEscape(utf8[i])) {
            i++;
        }
        return i;
    }

    /**
     * Returns whether all bytes are ASCII characters, without NUL, and no JSON string among them
     * can contain an escape.
     */
    static boolean isAsciiWithoutEscapes(byte[] utf8) {
        int i = 0;
        while (i <= utf8.length - Long.BYTES && !mayHoldMore((long) WORDS.get(utf8, i))) {
            i += Long.BYTES;
        }
        while (i < utf8.length && utf8[i] > 0 && utf8[i] != '\\') {
            i++;
        }
        return i == utf8.length;
    }

    private static boolean mayNeedEscape(long word) {
        long control = (word - ONES * FIRST_PRINTABLE) & ~word;
        return ((control | zeros(word ^ ONES * '"') | zeros(word ^ ONES * '\\') | zeros(word ^ ONES * DELETE))
                        & HIGH_BITS)
                != 0;
    }

    private static boolean needsEscape(byte octet) {
        return (octet >= 0 && octet < FIRST_PRINTABLE) || octet == '"' || octet == '\\' || octet == DELETE;
    }

    private static boolean mayHoldMore(long word) {
        return ((word | zeros(word) | zeros(word ^ ONES * '\\')) & HIGH_BITS) != 0;
    }

    /** Returns a word with the high bit of every byte that is zero. */
    private static long zeros(long word) {
        return (word - ONES) & ~word;
    }
}
