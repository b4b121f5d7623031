package io.orestes.caching.purge;

import java.time.Duration;
import java.util.List;

/**
 * The configuration of purging: targets, secret, deadline, repetition and bounds of memory.
 *
 * @param targets the shared caches; none by default
 * @param secret what they require of a sender of purges; visible ASCII
 * @param deadline how long a write waits for them, by default 50 ms
 * @param again how long after a confirmed purge the same is purged once more, for responses that
 *     were on their way; at least a second, the default, as our VCL keeps no response that took
 *     nearly as long
 * @param backlog most purges waiting for one connection, by default 100,000; beyond that everything
 *     is purged instead
 * @param spellings most spellings of cached queries that are known at a time, by default 100,000
 */
public record PurgeConfig(
        List<PurgeTarget> targets, String secret, Duration deadline, Duration again, int backlog, int spellings) {

    public static final Duration SHORTEST_AGAIN = Duration.ofSeconds(1);

    public static final PurgeConfig NONE =
            new PurgeConfig(List.of(), "", Duration.ofMillis(50), SHORTEST_AGAIN, 100_000, 100_000);

    public PurgeConfig {
        targets = List.copyOf(targets);
        if (again.compareTo(SHORTEST_AGAIN) < 0 || backlog < 1 || spellings < 0) {
            throw new IllegalArgumentException("Out of range: " + again + ", " + backlog + ", " + spellings);
        }
        if (!isSecret(secret)) {
            throw new IllegalArgumentException("A purge secret is visible ASCII");
        }
    }

    /** Whether a text can be sent as the secret. */
    public static boolean isSecret(String text) {
        return text.chars().allMatch(letter -> letter > ' ' && letter < 0x7f);
    }
}
