package io.orestes.caching.sketch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A hashed timing wheel of keys by the second in which they expire (Varghese and Lauck, SOSP 1987,
 * scheme 6). It has {@value #SECONDS} buckets. Adding is O(1). A key due later than the wheel
 * reaches is returned early and is added again by its owner, once an hour. Not thread-safe; its
 * owner locks.
 */
final class ExpiryWheel {

    private static final int SECONDS = 4096;

    private final @Nullable TrackedKey[] buckets = new TrackedKey[SECONDS];

    /** Last second whose bucket was emptied, since 1970. */
    private long second;

    ExpiryWheel(long now) {
        second = Math.floorDiv(now, 1000L);
    }

    /**
     * Adds a key that is in no bucket. It is returned at {@code due} or less than a second after.
     */
    void add(TrackedKey key, long due) {
        long wanted = -Math.floorDiv(-due, 1000L);
        int bucket = bucket(Math.max(second + 1, Math.min(wanted, second + SECONDS - 1)));
        key.next = buckets[bucket];
        buckets[bucket] = key;
    }

    /** Removes a key that is due; null when none is left. The caller may add it again. */
    @Nullable
    TrackedKey poll(long now) {
        long target = Math.floorDiv(now, 1000L);
        second = Math.max(second, target - SECONDS);
        while (second < target && buckets[bucket(second)] == null) {
            second++;
        }
        return pop(bucket(second));
    }

    /** Removes all keys. */
    void clear() {
        Arrays.fill(buckets, null);
    }

    private @Nullable TrackedKey pop(int bucket) {
        TrackedKey key = buckets[bucket];
        if (key != null) {
            buckets[bucket] = key.next;
            key.next = null;
        }
        return key;
    }

    private static int bucket(long second) {
        return (int) (second & SECONDS - 1);
    }
}
