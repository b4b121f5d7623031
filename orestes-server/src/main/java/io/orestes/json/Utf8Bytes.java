package io.orestes.json;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of UTF-8 bytes. */
final class Utf8Bytes {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes;
    private int length;

    Utf8Bytes(int capacity) {
        bytes = new byte[capacity];
    }

    void append(byte octet) {
        reserve(1);
        bytes[length++] = octet;
    }

    void append(byte[] octets) {
        reserve(octets.length);
        System.arraycopy(octets, 0, bytes, length, octets.length);
        length += octets.length;
    }

    /** Appends a text of ASCII characters as it is. */
    void ascii(String text) {
        ascii(text, text.length());
    }

    @SuppressWarnings("deprecation") // the only way to copy Latin-1 characters without an intermediate array
    private void ascii(String text, int end) {
        reserve(end);
        text.getBytes(0, end, bytes, length);
        length += end;
    }

    /** Appends a JSON string. */
    void quoted(String text) {
        append((byte) '"');
        int plain = plainPrefix(text);
        for (int i = plain; i < text.length(); i++) {
            i += character(text, i);
        }
        append((byte) '"');
    }

    Buffer toBuffer() {
        return Buffer.buffer(length).appendBytes(bytes, 0, length);
    }

    /** Copies the leading characters that stand for themselves and tells how many there were. */
    private int plainPrefix(String text) {
        int end = 0;
        while (end < text.length() && isPlain(text.charAt(end))) {
            end++;
        }
        ascii(text, end);
        return end;
    }

    private static boolean isPlain(char unit) {
        return unit >= ' ' && unit < 0x7f && unit != '"' && unit != '\\';
    }

    /** Appends the character at {@code index}; returns how many further code units it took. */
    private int character(String text, int index) {
        char unit = text.charAt(index);
        if (isPlain(unit)) {
            append((byte) unit);
            return 0;
        }
        if (unit < 0x80) {
            escaped(unit);
            return 0;
        }
        int codePoint = text.codePointAt(index);
        encoded(codePoint);
        return Character.charCount(codePoint) - 1;
    }

    private void escaped(char unit) {
        append((byte) '\\');
        switch (unit) {
            case '"', '\\' -> append((byte) unit);
            case '\n' -> append((byte) 'n');
            case '\r' -> append((byte) 'r');
            case '\t' -> append((byte) 't');
            default -> {
                ascii("u00");
                append(HEX[unit >> 4]);
                append(HEX[unit & 0xf]);
            }
        }
    }

    /** RFC 3629, section 3; an unpaired surrogate, which no reader lets in, becomes a replacement character. */
    private void encoded(int codePoint) {
        if (codePoint < 0x800) {
            append((byte) (0xc0 | (codePoint >> 6)));
        } else if (codePoint < 0x10000) {
            int valid = codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
            append((byte) (0xe0 | (valid >> 12)));
            continuation(valid >> 6);
            continuation(valid);
            return;
        } else {
            append((byte) (0xf0 | (codePoint >> 18)));
            continuation(codePoint >> 12);
            continuation(codePoint >> 6);
        }
        continuation(codePoint);
    }

    private void continuation(int bits) {
        append((byte) (0x80 | (bits & 0x3f)));
    }

    private void reserve(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
