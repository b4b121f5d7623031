package io.orestes.async;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * An exponential backoff with jitter: each delay doubles up to a bound and is shortened at random.
 * The random part is up to half of the delay, so that callers that failed together do not return
 * together. Single-threaded.
 */
public final class Backoff {

    private final long minMillis;
    private final long maxMillis;
    private final RandomGenerator random;
    private long next;

    /** Creates a backoff whose first delay is the shortest one. */
    public Backoff(Duration minDelay, Duration maxDelay, RandomGenerator random) {
        this.minMillis = minDelay.toMillis();
        this.maxMillis = maxDelay.toMillis();
        this.random = random;
        this.next = this.minMillis;
    }

    /** Returns the next delay in ms. */
    public long nextDelayMillis() {
        long uncut = next;
        next = Math.min(2 * next, maxMillis);
        return uncut - random.nextLong(uncut / 2 + 1);
    }

    /** Resets the delay to the shortest one, after a success. */
    public void reset() {
        next = minMillis;
    }
}
