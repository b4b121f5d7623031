package io.orestes.caching.sketch;

/**
 * The range of sizes within which the Bloom filter grows and shrinks with the number of stale keys.
 * A filter that holds more keys than its capacity is replaced by one of twice the capacity. A
 * filter of which a quarter or less is used is replaced by one of half the capacity. So the number
 * of keys has to double or to halve between two changes of direction, and for each key that comes
 * or goes about two are entered anew.
 *
 * @param leastKeys keys at which the smallest filter reaches the rate, at least 1
 * @param mostKeys keys at which the largest does; when more are stale the rate rises. At least
 *     {@code leastKeys}
 * @param falsePositiveRate what no filter within the bounds exceeds, between 0 and 1, both excluded
 */
public record SketchSizeRange(int leastKeys, int mostKeys, double falsePositiveRate) {

    public SketchSizeRange {
        if (leastKeys > mostKeys) {
            throw new IllegalArgumentException("At least " + leastKeys + " keys, at most " + mostKeys);
        }
        var ignored = SketchSize.of(leastKeys, falsePositiveRate);
    }

    SketchSize smallest() {
        return size(leastKeys);
    }

    /** The filter that is made for {@code capacity} keys. */
    SketchSize size(int capacity) {
        return SketchSize.of(capacity, falsePositiveRate);
    }

    /**
     * For how many keys a filter made for {@code capacity} has to be made now that it holds {@code
     * keys}.
     */
    int fitting(int capacity, int keys) {
        if (keys > capacity) {
            return (int) Math.min(mostKeys, 2L * capacity);
        }
        return keys <= capacity / 4 ? Math.max(leastKeys, capacity / 2) : capacity;
    }
}
