package io.orestes.async;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * An exponential backoff with jitter: each delay doubles up to a bound and is shortened at random.
 * The random part is up to half of the delay, so that callers that failed together do not return
 * together. Single-threaded.
 */
public final class Backoff {

    private final long shortest;
    private final long longest;
    private final RandomGenerator random;
    private long next;

    /** Creates a backoff whose first delay is the shortest one. */
    public Backoff(Duration shortest, Duration longest, RandomGenerator random) {
        this.shortest = shortest.toMillis();
        this.longest = longest.toMillis();
        this.random = random;
        this.next = this.shortest;
    }

    /** Returns the next delay in ms. */
    public long nextMillis() {
        long uncut = next;
        next = Math.min(2 * next, longest);
        return uncut - random.nextLong(uncut / 2 + 1);
    }

    /** Resets the delay to the shortest one, after a success. */
    public void reset() {
        next = shortest;
    }
}
