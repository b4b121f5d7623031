package io.orestes.caching.sketch;

import java.time.Duration;

/**
 * The configuration of the sketch ({@link StaleKeys}): range of filter sizes, number of tracked
 * keys and overlap of reads.
 *
 * @param range sizes of the filter; by default 1 % false positives at 10,000 stale keys (95,851
 *     bits, 12 KB) to 160,000 (192 KB), 7 hashes
 * @param maxKeys keys tracked one by one, at least 1, by default 200,000 (some 250 bytes each).
 *     As many again may be tracked while they are stale. A long key counts as several
 * @param overlap time after an invalidation in which a reported read is assumed to have
 *     overlapped with it and to have read the old state, by default 30 s. Longer than any read
 *     takes, much shorter than the usual time to live
 */
public record SketchConfig(SketchSizeRange range, int maxKeys, Duration overlap) {

    public static final SketchConfig DEFAULTS =
            new SketchConfig(new SketchSizeRange(10_000, 160_000, 0.01), 200_000, Duration.ofSeconds(30));

    public SketchConfig {
        if (maxKeys < 1 || overlap.isNegative()) {
            throw new IllegalArgumentException("maxKeys " + maxKeys + ", overlap " + overlap);
        }
    }
}
