package io.orestes.json;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growable buffer of UTF-8 bytes that can append quoted JSON strings. */
final class Utf8Buffer {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes;
    private int length;

    Utf8Buffer(int capacity) {
        bytes = new byte[capacity];
    }

    void append(byte octet) {
        reserve(1);
        bytes[length++] = octet;
    }

    void append(byte[] octets) {
        append(octets, 0, octets.length);
    }

    private void append(byte[] octets, int from, int to) {
        reserve(to - from);
        System.arraycopy(octets, from, bytes, length, to - from);
        length += to - from;
    }

    /** Appends a text of ASCII characters unchanged. */
    @SuppressWarnings("deprecation") // the only way to copy Latin-1 characters without an intermediate array
    void ascii(String text) {
        reserve(text.length());
        text.getBytes(0, text.length(), bytes, length);
        length += text.length();
    }

    /**
     * Appends a JSON string; an unpaired surrogate, which every reader refuses, becomes a question
     * mark.
     */
    void quoted(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        append((byte) '"');
        for (int from = 0, plain; from < utf8.length; from = plain + 1) {
            plain = JsonEscapeScanner.end(utf8, from);
            append(utf8, from, plain);
            if (plain < utf8.length) {
                escaped(utf8[plain]);
            }
        }
        append((byte) '"');
    }

    Buffer toBuffer() {
        return Buffer.buffer(length).appendBytes(bytes, 0, length);
    }

    private void escaped(byte octet) {
        append((byte) '\\');
        switch (octet) {
            case '"', '\\' -> append(octet);
            case '\n' -> append((byte) 'n');
            case '\r' -> append((byte) 'r');
            case '\t' -> append((byte) 't');
            default -> {
                ascii("u00");
                append(HEX[octet >> 4]);
                append(HEX[octet & 0xf]);
            }
        }
    }

    private void reserve(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
