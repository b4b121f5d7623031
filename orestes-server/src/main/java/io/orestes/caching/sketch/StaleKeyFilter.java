package io.orestes.caching.sketch;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.List;

/**
 * The set of stale keys with its counting Bloom filter, whose size follows their number. A filter
 * of another size is built from the keys themselves, so it has exactly these keys. Not thread-safe;
 * its owner locks.
 */
final class StaleKeyFilter {

    private final SketchSizeRange range;
    private final List<TrackedKey> keys = new ArrayList<>();
    private int capacity;
    private CountingBloomFilter filter;
    private long growths;
    private long shrinks;

    StaleKeyFilter(SketchSizeRange range) {
        this.range = range;
        this.capacity = range.minKeys();
        this.filter = new CountingBloomFilter(range.smallest());
    }

    /** Adds a key that is not in it; returns whether the flat filter has changed. */
    boolean add(TrackedKey key) {
        key.addToFilter(keys.size());
        keys.add(key);
        boolean flipped = filter.add(key.hashes());
        return fit() || flipped;
    }

    /** Removes a key that is in it; returns whether the flat filter has changed. */
    boolean remove(TrackedKey key) {
        TrackedKey last = keys.remove(keys.size() - 1);
        if (last != key) {
            keys.set(key.filterPosition(), last);
            last.moveTo(key.filterPosition());
        }
        boolean flipped = filter.remove(key.hashes());
        key.removeFromFilter();
        return fit() || flipped;
    }

    /** Removes all keys. */
    void clear() {
        keys.forEach(TrackedKey::removeFromFilter);
        keys.clear();
        resize(range.minKeys());
    }

    /** Returns a copy of the flat filter. */
    BloomFilter flat() {
        return filter.flat();
    }

    SketchStatistics state() {
        return new SketchStatistics(keys.size(), capacity, filter.size(), filter.fill(), growths, shrinks);
    }

    private boolean fit() {
        int fitting = range.fitting(capacity, keys.size());
        if (fitting == capacity) {
            return false;
        }
        growths += fitting > capacity ? 1 : 0;
        shrinks += fitting < capacity ? 1 : 0;
        return resize(fitting);
    }

    @CanIgnoreReturnValue
    private boolean resize(int fitting) {
        capacity = fitting;
        filter = new CountingBloomFilter(range.size(fitting));
        keys.forEach(key -> filter.add(key.hashes()));
        return true;
    }
}
