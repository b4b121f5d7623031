package io.orestes.caching.purge;

import java.time.Duration;
import java.util.List;

/**
 * The configuration of purging: targets, secret, deadline, repetition and bounds of memory.
 *
 * @param targets the shared caches; none by default
 * @param secret secret that authenticates purges; visible ASCII
 * @param deadline maximum delay of a write by purges, by default 50 ms
 * @param repetitionDelay time after a confirmed purge until its repetition, for responses that were
 *     on their way. At least a second, the default, because our VCL stores no response that took
 *     nearly as long
 * @param backlog maximum number of purges waiting for one connection, by default 100,000;
 *     beyond that everything is purged instead
 * @param maxUrlVariants maximum number of tracked URLs of cached queries, by default 100,000
 */
public record PurgeConfig(
        List<PurgeTarget> targets,
        String secret,
        Duration deadline,
        Duration repetitionDelay,
        int backlog,
        int maxUrlVariants) {

    public static final Duration MIN_REPETITION_DELAY = Duration.ofSeconds(1);

    public static final PurgeConfig NONE =
            new PurgeConfig(List.of(), "", Duration.ofMillis(50), MIN_REPETITION_DELAY, 100_000, 100_000);

    public PurgeConfig {
        targets = List.copyOf(targets);
        if (repetitionDelay.compareTo(MIN_REPETITION_DELAY) < 0 || backlog < 1 || maxUrlVariants < 0) {
            throw new IllegalArgumentException(
                    "Out of range: " + repetitionDelay + ", " + backlog + ", " + maxUrlVariants);
        }
        if (!isSecret(secret)) {
            throw new IllegalArgumentException("A purge secret must be visible ASCII");
        }
    }

    /** Returns whether a text can be sent as the secret. */
    public static boolean isSecret(String text) {
        return text.chars().allMatch(letter -> letter > ' ' && letter < 0x7f);
    }
}
