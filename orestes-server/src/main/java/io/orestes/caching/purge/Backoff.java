package io.orestes.caching.purge;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait between attempts: each break is twice as long as the one before, up to a bound, and is cut at random by up to a
 * half, so that servers that lost the same target do not come back to it all at once. Single-threaded.
 */
final class Backoff {

    private final long shortest;
    private final long longest;
    private final RandomGenerator random;
    private long next;

    Backoff(Duration shortest, Duration longest, RandomGenerator random) {
        this.shortest = shortest.toMillis();
        this.longest = longest.toMillis();
        this.random = random;
        this.next = this.shortest;
    }

    /** Milliseconds to wait now. */
    long nextMillis() {
        long uncut = next;
        next = Math.min(2 * next, longest);
        return uncut - random.nextLong(uncut / 2 + 1);
    }

    /** The target is well: the next break is a short one. */
    void reset() {
        next = shortest;
    }
}
