package io.invalidb.query.value;

import java.security.SecureRandom;

/**
 * A universal hash of client-chosen values with a seed that every process draws anew. Clients
 * therefore cannot make values collide. The words of a value are the coefficients of a polynomial
 * modulo 2^61 - 1, and the seed is the point of its evaluation. Two different sequences of n words
 * have the same hash at n of all points at most (Carter, Wegman, "Universal classes of hash
 * functions", 1979). A hash takes one multiplication for three characters and no memory. Not to be
 * stored.
 */
public final class SeededHash {

    /** Hash of the empty sequence of words. */
    public static final long START = 1;

    private static final long PRIME = (1L << 61) - 1;
    private static final long SEED = new SecureRandom().nextLong(1L << 60, PRIME);
    private static final long WORD = 0xffff_ffffL;
    private static final int CHARACTERS_PER_WORD = 3;

    private SeededHash() {}

    /** Returns the hash of a text. */
    public static long of(String text) {
        return spread(extend(START, text));
    }

    /** Returns the hash of two numbers. */
    public static long of(long one, long other) {
        return spread(extend(extend(START, one), other));
    }

    /** Returns the hash extended by a word. */
    public static long extend(long hash, long word) {
        return step(step(hash, word >>> Integer.SIZE), word & WORD);
    }

    /** Returns the hash extended by a text. */
    public static long extend(long hash, String text) {
        int length = text.length();
        long longer = step(hash, length);
        for (int i = 0; i < length; i += CHARACTERS_PER_WORD) {
            longer = step(longer, characters(text, i, Math.min(length, i + CHARACTERS_PER_WORD)));
        }
        return longer;
    }

    private static long characters(String text, int from, int to) {
        long word = 0;
        for (int i = from; i < to; i++) {
            word = word << Character.SIZE | text.charAt(i);
        }
        return word;
    }

    /** Returns the hash extended by bytes. */
    public static long extend(long hash, byte[] bytes) {
        long longer = step(hash, bytes.length);
        for (byte each : bytes) {
            longer = step(longer, each & 0xff);
        }
        return longer;
    }

    /**
     * Multiplies and adds a word that is less than the prime; the remainder of a product is the sum
     * of its lower and higher 61 bits.
     */
    private static long step(long hash, long word) {
        long low = hash * SEED;
        long sum = (low & PRIME) + (Math.multiplyHigh(hash, SEED) << 3 | low >>> 61) + word;
        long folded = (sum & PRIME) + (sum >>> 61);
        return folded >= PRIME ? folded - PRIME : folded;
    }

    /** Mixes the bits, for tables that use some of them (the finalizer of MurmurHash3). */
    public static long spread(long hash) {
        long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }
}
