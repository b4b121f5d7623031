package io.orestes.caching.sketch;

/**
 * Statistics of the Bloom filter of stale keys for operators: capacity, fill and resizes.
 *
 * @param staleKeys keys in it
 * @param capacity keys that it is made for: with more of them there are more false positives than
 *     wanted
 * @param size its dimensions
 * @param fill share of its bits that are set; about a half at capacity
 * @param growths how often it became larger since the start
 * @param shrinks how often it became smaller
 */
public record SketchStatistics(int staleKeys, int capacity, SketchSize size, double fill, long growths, long shrinks) {}
