package io.orestes.async;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait between attempts: each break is twice as long as the one before, up to a bound, and is cut at random by up to a
 * half, so that those who failed at the same moment do not come back all at once. Single-threaded.
 */
public final class Backoff {

    private final long shortest;
    private final long longest;
    private final RandomGenerator random;
    private long next;

    /** The first break is the shortest one. */
    public Backoff(Duration shortest, Duration longest, RandomGenerator random) {
        this.shortest = shortest.toMillis();
        this.longest = longest.toMillis();
        this.random = random;
        this.next = this.shortest;
    }

    /** Milliseconds to wait now. */
    public long nextMillis() {
        long uncut = next;
        next = Math.min(2 * next, longest);
        return uncut - random.nextLong(uncut / 2 + 1);
    }

    /** All is well: the next break is a short one. */
    public void reset() {
        next = shortest;
    }
}
