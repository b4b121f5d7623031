package io.orestes.caching.sketch;

import com.google.errorprone.annotations.CanIgnoreReturnValue;

/**
 * A Bloom filter that keys can leave again: one counter per bit, with the flat filter kept beside it so that publishing
 * is a copy. Every added key must be removed exactly as often as it was added. Not thread-safe; its owner locks.
 */
final class CountingFilter {

    private final SketchSize size;
    private final int[] counters;
    private final byte[] bits;

    CountingFilter(SketchSize size) {
        this.size = size;
        this.counters = new int[size.bits()];
        this.bits = new byte[BloomFilter.bytes(size)];
    }

    /** Adds a key; whether the flat filter is now another one. */
    @CanIgnoreReturnValue
    boolean add(String key) {
        return count(key, 1);
    }

    /** Takes a key out that was added; whether the flat filter is now another one. */
    boolean remove(String key) {
        return count(key, -1);
    }

    /** The flat filter as it is now. */
    BloomFilter flat() {
        return BloomFilter.wrap(size, bits.clone());
    }

    private boolean count(String key, int step) {
        boolean flipped = false;
        for (String spelling : BloomHash.spellings(key)) {
            BloomHash hash = BloomHash.of(spelling);
            for (int i = 0; i < size.hashes(); i++) {
                flipped |= count(hash.position(i, size.bits()), step);
            }
        }
        return flipped;
    }

    private boolean count(int position, int step) {
        int before = counters[position];
        int after = before + step;
        if (after < 0) {
            throw new IllegalStateException("A key left the filter more often than it entered");
        }
        counters[position] = after;
        boolean flips = (before == 0) != (after == 0);
        if (flips) {
            bits[position >>> 3] ^= (byte) (1 << (position & 7));
        }
        return flips;
    }
}
