package io.orestes.caching.sketch;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The double hash of a key, which determines its positions in a Bloom filter of any size. Position
 * <i>i</i> of a filter of <i>m</i> bits is {@code (h1 + i*h2) mod m}, with
 * {@code h1 = murmur3(seed 0)} and {@code h2 = murmur3(seed h1)} (Kirsch and Mitzenmacher, "Less
 * hashing, same performance", ESA 2006).
 *
 * <p>The hash is MurmurHash3 (x86, 32 bit) as browsers' clients compute it: over the low byte of
 * each UTF-16 code unit, with the number of code units mixed in at the end. For ASCII that is plain
 * MurmurHash3.
 *
 * @param h1 first hash, unsigned 32 bit
 * @param h2 second hash, unsigned 32 bit
 */
public record BloomHash(long h1, long h2) {

    private static final int C1 = 0xcc9e2d51;
    private static final int C2 = 0x1b873593;

    /** Returns both hashes of {@code key}. */
    public static BloomHash of(String key) {
        int first = murmur3(key, 0);
        return new BloomHash(Integer.toUnsignedLong(first), Integer.toUnsignedLong(murmur3(key, first)));
    }

    /** Returns the hashes of every text under which {@code key} is entered into a filter. */
    static List<BloomHash> all(String key) {
        List<String> spellings = spellings(key);
        return spellings.size() == 1
                ? List.of(of(key))
                : spellings.stream().map(BloomHash::of).toList();
    }

    /**
     * Returns the texts under which {@code key} is entered into a filter. These are the key itself
     * and, if it is not ASCII, its UTF-8 bytes read as Latin-1, which hash as a client would hash
     * the bytes.
     */
    static List<String> spellings(String key) {
        byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
        return utf8.length == key.length() ? List.of(key) : List.of(key, new String(utf8, StandardCharsets.ISO_8859_1));
    }

    /** Returns the first position in a filter of {@code bits} bits, from 0 to {@code bits - 1}. */
    public int first(int bits) {
        return (int) (h1 % bits);
    }

    /** Returns the distance between positions, for {@link #next}. */
    public int step(int bits) {
        return (int) (h2 % bits);
    }

    /**
     * Returns the position after {@code position}. It adds modulo {@code bits}, because a division
     * for each position would take most of the time.
     */
    public static int next(int position, int step, int bits) {
        int beyond = position - (bits - step);
        return beyond < 0 ? beyond + bits : beyond;
    }

    /** Returns MurmurHash3 (x86, 32 bit) over the low bytes of the code units of {@code text}. */
    public static int murmur3(String text, int seed) {
        int hash = seed;
        int tailStart = text.length() & ~3;
        for (int i = 0; i < tailStart; i += 4) {
            hash = Integer.rotateLeft(hash ^ scramble(lowBytes(text, i, i + 4)), 13) * 5 + 0xe6546b64;
        }
        return avalanche(hash ^ scramble(lowBytes(text, tailStart, text.length())) ^ text.length());
    }

    private static int lowBytes(String text, int from, int to) {
        int bytes = 0;
        for (int i = to - 1; i >= from; i--) {
            bytes = bytes << 8 | (text.charAt(i) & 0xff);
        }
        return bytes;
    }

    private static int scramble(int block) {
        return Integer.rotateLeft(block * C1, 15) * C2;
    }

    private static int avalanche(int hash) {
        int mixed = (hash ^ hash >>> 16) * 0x85ebca6b;
        mixed = (mixed ^ mixed >>> 13) * 0xc2b2ae35;
        return mixed ^ mixed >>> 16;
    }
}
