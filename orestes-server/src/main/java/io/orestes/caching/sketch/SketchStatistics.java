package io.orestes.caching.sketch;

/**
 * Statistics of the Bloom filter of stale keys for operators: capacity, fill and resizes.
 *
 * @param staleKeys keys in it
 * @param capacity maximum number of keys at the configured rate of false positives
 * @param size its dimensions
 * @param fill share of its bits that are set; about a half at capacity
 * @param growths number of growths since the start
 * @param shrinks number of reductions since the start
 */
public record SketchStatistics(int staleKeys, int capacity, SketchSize size, double fill, long growths, long shrinks) {}
