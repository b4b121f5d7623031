package io.orestes.caching.response;

import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The heavy hitters among requested keys with their use, found by Misra–Gries in memory of fixed
 * size. Thread-safe and without locks.
 *
 * <p>Keys share sets of a few entries by their hashes. Each set follows Misra and Gries (Finding
 * repeated elements, 1982): every read gives the key a point. A key without an entry takes that of
 * a key without points, or costs each of them one. So a key with more than a fifth of the reads of
 * its set has an entry. Counts are exact from when the key took the entry. Races between threads
 * may lose a point or enter a key twice. That costs an entry for a while, and no count is wrong.
 */
public final class BusiestKeys {

    private static final int SETS = 1 << 8;
    private static final int PLACES = 4;

    /**
     * Maximum number of points, so that a formerly hot key loses its entry after as many reads of
     * others.
     */
    private static final int MAX_POINTS = 1_000;

    /** Maximum number of characters of a key; longer keys are not counted. */
    static final int MAX_KEY_LENGTH = 1_000;

    private final InstantSource clock;
    private final AtomicReferenceArray<@Nullable Entry> entries = new AtomicReferenceArray<>(SETS * PLACES);

    public BusiestKeys(InstantSource clock) {
        this.clock = clock;
    }

    /** Counts a read that the response cache answered. */
    public void hit(String key) {
        Entry entry = asked(key);
        if (entry != null) {
            entry.hits.increment();
        }
    }

    /** Counts a read of the store. */
    public void recordStoreRead(String key) {
        Entry entry = asked(key);
        if (entry != null) {
            entry.misses.increment();
        }
    }

    /** Counts the eviction of a response by a change. */
    public void invalidated(String key) {
        Entry entry = find(key);
        if (entry != null) {
            entry.invalidations.increment();
        }
    }

    /** Returns the most read keys, the busiest first. */
    public List<Usage> busiest(int most) {
        Map<String, Usage> byKey = new LinkedHashMap<>();
        IntStream.range(0, entries.length())
                .mapToObj(i -> Optional.ofNullable(entries.get(i)))
                .flatMap(Optional::stream)
                .map(Entry::usage)
                .sorted(Comparator.comparingLong(Usage::reads).reversed())
                .forEach(usage -> byKey.putIfAbsent(usage.key(), usage));
        return byKey.values().stream().limit(most).toList();
    }

    private @Nullable Entry asked(String key) {
        Entry present = find(key);
        if (present == null) {
            return key.length() <= MAX_KEY_LENGTH ? enter(key) : null;
        }
        present.points = Math.min(present.points + 1, MAX_POINTS);
        return present;
    }

    private @Nullable Entry find(String key) {
        int first = first(key);
        for (int i = first; i < first + PLACES; i++) {
            Entry entry = entries.get(i);
            if (entry != null && entry.key.equals(key)) {
                return entry;
            }
        }
        return null;
    }

    private @Nullable Entry enter(String key) {
        int first = first(key);
        for (int i = first; i < first + PLACES; i++) {
            Entry holder = entries.get(i);
            if (holder == null || holder.points <= 0) {
                Entry own = new Entry(key, clock.millis());
                return entries.compareAndSet(i, holder, own) ? own : null;
            }
        }
        takePoints(first);
        return null;
    }

    private void takePoints(int first) {
        for (int i = first; i < first + PLACES; i++) {
            Entry holder = entries.get(i);
            if (holder != null) {
                holder.points--;
            }
        }
    }

    /** Returns the start of the set of a key. */
    static int first(String key) {
        return ((key.hashCode() * 0x9e3779b9) >>> 24) * PLACES;
    }

    /**
     * The use of a key.
     *
     * @param sinceMillis start of the counts, in milliseconds since 1970
     * @param hits reads that the response cache answered
     * @param misses reads of the store
     * @param invalidations evictions from the response cache by changes
     */
    public record Usage(String key, long sinceMillis, long hits, long misses, long invalidations) {

        long reads() {
            return hits + misses;
        }
    }

    private static final class Entry {
        private final String key;
        private final long sinceMillis;
        private final LongAdder hits = new LongAdder();
        private final LongAdder misses = new LongAdder();
        private final LongAdder invalidations = new LongAdder();

        /** Written by concurrent threads without synchronisation. */
        private int points = 1;

        private Entry(String key, long sinceMillis) {
            this.key = key;
            this.sinceMillis = sinceMillis;
        }

        private Usage usage() {
            return new Usage(key, sinceMillis, hits.sum(), misses.sum(), invalidations.sum());
        }
    }
}
