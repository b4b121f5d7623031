package io.orestes.caching.sketch;

/**
 * The range of sizes within which the Bloom filter grows and shrinks with the number of stale keys.
 * A filter with more keys than its capacity is replaced by one of twice the capacity. A filter of
 * which a quarter or less is used is replaced by one of half the capacity. So the number of keys
 * has to double or to halve between two changes of direction. For each key that is added or removed
 * about two are entered anew.
 *
 * @param minKeys keys at which the smallest filter reaches the rate, at least 1
 * @param maxKeys keys at which the largest filter reaches the rate, at least
 *     {@code minKeys}; with more stale keys the rate rises
 * @param falsePositiveRate maximum rate of every filter within the bounds, between 0 and 1,
 *     both excluded
 */
public record SketchSizeRange(int minKeys, int maxKeys, double falsePositiveRate) {

    public SketchSizeRange {
        if (minKeys > maxKeys) {
            throw new IllegalArgumentException("At least " + minKeys + " keys, at most " + maxKeys);
        }
        var ignored = SketchSize.of(minKeys, falsePositiveRate);
    }

    SketchSize smallest() {
        return size(minKeys);
    }

    /** Returns the size of a filter for {@code capacity} keys. */
    SketchSize size(int capacity) {
        return SketchSize.of(capacity, falsePositiveRate);
    }

    /**
     * Returns the capacity for a filter of {@code capacity} that contains {@code keys} keys now.
     */
    int fitting(int capacity, int keys) {
        if (keys > capacity) {
            return (int) Math.min(maxKeys, 2L * capacity);
        }
        return keys <= capacity / 4 ? Math.max(minKeys, capacity / 2) : capacity;
    }
}
