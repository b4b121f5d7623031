package io.orestes.caching.sketch;

import java.util.List;

/**
 * The contents of a sketch: times of each tracked key and times common to all others. Times are
 * milliseconds since 1970.
 *
 * @param untrackedUntilMillis until when caches may retain keys that are not listed
 * @param allStaleUntilMillis until when everything counts as stale
 * @param keys the entry of each tracked key
 */
public record SketchContents(long untrackedUntilMillis, long allStaleUntilMillis, List<SketchEntry> keys) {

    public SketchContents {
        keys = List.copyOf(keys);
    }

    /** Returns these contents with all times moved; times in the past become 0. */
    public SketchContents shifted(long byMillis) {
        return new SketchContents(
                moved(untrackedUntilMillis, byMillis),
                moved(allStaleUntilMillis, byMillis),
                keys.stream().map(key -> key.shifted(byMillis)).toList());
    }

    private static long moved(long until, long byMillis) {
        return until <= 0 ? 0 : Math.max(0, until + byMillis);
    }

    /**
     * The entry of one key in a sketch: until when caches may retain it, and until when it is
     * stale.
     *
     * @param cachedUntilMillis until when caches may retain it
     * @param staleUntilMillis until when it is stale; 0 if it is not
     * @param grantedLocallyUntilMillis until when caches may retain the copies that the server
     *     itself sent; 0 if it sent none
     */
    public record SketchEntry(
            String name, long cachedUntilMillis, long staleUntilMillis, long grantedLocallyUntilMillis) {

        private SketchEntry shifted(long byMillis) {
            return new SketchEntry(
                    name,
                    moved(cachedUntilMillis, byMillis),
                    moved(staleUntilMillis, byMillis),
                    moved(grantedLocallyUntilMillis, byMillis));
        }
    }
}
