package io.orestes.caching.ttl;

import java.time.Duration;

/**
 * The configuration of times to live: accepted probabilities of staleness, bounds, memory and rules
 * by class.
 *
 * @param browserWriteProbability accepted probability that an object changes while a browser
 *     caches it, between 0 and 1, both excluded; by default 0.5
 * @param sharedWriteProbability that probability for shared caches, higher because they are
 *     purged; by default 0.9
 * @param min shortest time to live, by default 1 s
 * @param browserMax longest time to live in browsers, by default 10 min
 * @param sharedMax longest time to live in shared caches, by default 1 h
 * @param assumedInterval expected time between two writes of an object with one known write, by
 *     default 1 min; more if the previous state is known to have lived for longer
 * @param trackedKeys number of objects with recorded writes, of queries with recorded
 *     lifetimes, and of keys with a recorded time to live; by default 100,000 each, of 50
 *     characters or accordingly fewer longer ones
 * @param rules rules of classes without estimation; by default none
 */
public record TtlConfig(
        double browserWriteProbability,
        double sharedWriteProbability,
        Duration min,
        Duration browserMax,
        Duration sharedMax,
        Duration assumedInterval,
        int trackedKeys,
        TtlRules rules) {

    public static final TtlConfig DEFAULTS = new TtlConfig(
            0.5,
            0.9,
            Duration.ofSeconds(1),
            Duration.ofMinutes(10),
            Duration.ofHours(1),
            Duration.ofMinutes(1),
            100_000,
            TtlRules.ESTIMATED);

    public TtlConfig {
        requireProbability(browserWriteProbability);
        requireProbability(sharedWriteProbability);
        requireAtLeast(Duration.ZERO, min);
        requireAtLeast(min, browserMax);
        requireAtLeast(min, sharedMax);
        requireAtLeast(Duration.ofMillis(1), assumedInterval);
        if (trackedKeys < 1) {
            throw new IllegalArgumentException("trackedKeys must be positive: " + trackedKeys);
        }
    }

    private static void requireProbability(double value) {
        if (!(value > 0 && value < 1)) {
            throw new IllegalArgumentException("Not between 0 and 1: " + value);
        }
    }

    private static void requireAtLeast(Duration bound, Duration value) {
        if (value.compareTo(bound) < 0) {
            throw new IllegalArgumentException(value + " is shorter than " + bound);
        }
    }
}
