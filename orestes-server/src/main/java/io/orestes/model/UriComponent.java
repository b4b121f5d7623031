package io.orestes.model;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Percent-encoding as JavaScript's {@code encodeURIComponent} does it (ECMA-262, "Encode"):
 * everything but {@code A-Z a-z 0-9 - _ . ! ~ * ' ( )} becomes {@code %XX} of its UTF-8 bytes, in
 * upper-case hex. Every text has exactly one encoded form, so encoded forms can be compared as
 * strings.
 */
public final class UriComponent {

    private static final BitSet UNRESERVED = new BitSet(128);
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    static {
        UNRESERVED.set('A', 'Z' + 1);
        UNRESERVED.set('a', 'z' + 1);
        UNRESERVED.set('0', '9' + 1);
        "-_.!~*'()".chars().forEach(UNRESERVED::set);
    }

    private UriComponent() {}

    /** Returns the canonical encoded form of {@code text}. */
    public static String encode(String text) {
        if (isUnreserved(text)) {
            return text;
        }
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            appendEncoded(encoded, octet);
        }
        return encoded.toString();
    }

    /**
     * Decodes {@code encoded}; empty if an escape is cut off, is not hex, or the bytes are not
     * UTF-8.
     */
    public static Optional<String> decode(String encoded) {
        if (encoded.indexOf('%') < 0) {
            return Optional.of(encoded);
        }
        byte[] source = encoded.getBytes(StandardCharsets.UTF_8);
        ByteBuffer octets = ByteBuffer.allocate(source.length);
        for (int i = 0; i < source.length; i++) {
            if (source[i] != '%') {
                octets.put(source[i]);
                continue;
            }
            int octet = i + 2 < source.length ? hexPair(source[i + 1], source[i + 2]) : -1;
            if (octet < 0) {
                return Optional.empty();
            }
            octets.put((byte) octet);
            i += 2;
        }
        return decodeUtf8(octets.flip());
    }

    /**
     * Returns a path in which each segment has its canonical encoded form; empty if one cannot be
     * decoded.
     */
    public static Optional<String> canonicalPath(String path) {
        List<Optional<String>> segments =
                Stream.of(path.split("/", -1)).map(UriComponent::decode).toList();
        return segments.stream().allMatch(Optional::isPresent)
                ? Optional.of(segments.stream()
                        .map(segment -> encode(segment.orElseThrow()))
                        .collect(Collectors.joining("/")))
                : Optional.empty();
    }

    private static boolean isUnreserved(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!UNRESERVED.get(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static void appendEncoded(StringBuilder target, byte octet) {
        int value = octet & 0xff;
        if (UNRESERVED.get(value)) {
            target.append((char) value);
        } else {
            target.append('%').append(HEX[value >> 4]).append(HEX[value & 0xf]);
        }
    }

    private static int hexPair(byte high, byte low) {
        int upper = Character.digit(high, 16);
        int lower = Character.digit(low, 16);
        return upper < 0 || lower < 0 ? -1 : upper << 4 | lower;
    }

    private static Optional<String> decodeUtf8(ByteBuffer octets) {
        try {
            return Optional.of(
                    StandardCharsets.UTF_8.newDecoder().decode(octets).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
