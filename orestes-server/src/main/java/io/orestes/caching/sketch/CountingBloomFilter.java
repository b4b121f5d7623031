package io.orestes.caching.sketch;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.List;

/**
 * A counting Bloom filter, from which keys can be removed, with a flat filter maintained beside it.
 * It has one counter for each bit. The flat filter makes publishing a mere copy. Every added key
 * must be removed exactly as often as it was added. Not thread-safe; its owner locks.
 */
public final class CountingBloomFilter {

    private final SketchSize size;
    private final int[] counters;
    private final byte[] bits;
    private int bitsSet;

    public CountingBloomFilter(SketchSize size) {
        this.size = size;
        this.counters = new int[size.bits()];
        this.bits = new byte[BloomFilter.bytes(size)];
    }

    /** Adds a key; returns whether the flat filter has changed. */
    @CanIgnoreReturnValue
    public boolean add(String key) {
        return add(BloomHash.all(key));
    }

    /** Removes an added key; returns whether the flat filter has changed. */
    public boolean remove(String key) {
        return remove(BloomHash.all(key));
    }

    /** Adds the key that has these hashes. */
    @CanIgnoreReturnValue
    boolean add(List<BloomHash> key) {
        return count(key, 1);
    }

    /** Removes the key that has these hashes. */
    boolean remove(List<BloomHash> key) {
        return count(key, -1);
    }

    SketchSize size() {
        return size;
    }

    /** Returns the share of the bits that are set. */
    double fill() {
        return bitsSet / (double) size.bits();
    }

    /** Returns a copy of the flat filter. */
    public BloomFilter flat() {
        return BloomFilter.wrap(size, bits.clone());
    }

    private boolean count(List<BloomHash> key, int step) {
        boolean flipped = false;
        for (BloomHash hash : key) {
            flipped |= count(hash, step);
        }
        return flipped;
    }

    private boolean count(BloomHash hash, int step) {
        boolean flipped = false;
        int position = hash.first(size.bits());
        int distance = hash.step(size.bits());
        for (int i = 0; i < size.hashes(); i++) {
            flipped |= count(position, step);
            position = BloomHash.next(position, distance, size.bits());
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
            bitsSet += step;
        }
        return flips;
    }
}
