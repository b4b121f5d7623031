package io.orestes.caching;

import io.orestes.caching.sketch.SketchSize;

/**
 * The state of the sketch as operators see it: its filter of stale keys, and the times common to
 * all keys. Times are milliseconds since 1970, or 0 for none.
 *
 * @param staleKeys keys in the filter
 * @param trackedKeys keys with an entry, stale or not
 * @param capacity maximum number of keys at the configured rate of false positives
 * @param size dimensions of the filter
 * @param fill share of its bits that are set; 1 while everything is stale
 * @param allStaleUntil time until which everything is stale
 * @param untrackedUntil time until which caches may retain keys without an entry
 */
public record SketchReport(
        int staleKeys,
        int trackedKeys,
        int capacity,
        SketchSize size,
        double fill,
        long allStaleUntil,
        long untrackedUntil) {

    /**
     * Returns the probability that a key that is not stale appears stale: that all its bits are
     * set.
     */
    public double falsePositiveRate() {
        return Math.pow(fill, size.hashes());
    }
}
