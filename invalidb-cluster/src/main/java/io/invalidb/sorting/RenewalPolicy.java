package io.invalidb.sorting;

import java.time.Duration;
import java.time.Instant;

/**
 * The policy that decides when a sorted query may be executed again, and with how much slack. The
 * slack doubles after renewals in quick succession and halves after a long rest (InvaliDB, VLDB
 * 2020, section 5.2). Single-threaded.
 */
public final class RenewalPolicy {

    private static final int SOON = 10;
    private static final int LONG = 100;

    private final Duration interval;
    private final int leastSlack;
    private final int mostSlack;
    private int slack;
    private Instant last = Instant.MIN;

    /**
     * Creates the policy of one query.
     *
     * @param interval minimum time from one execution to the next
     * @param leastSlack initial slack, at least 1
     */
    public RenewalPolicy(Duration interval, int leastSlack, int mostSlack) {
        this.interval = interval;
        this.leastSlack = leastSlack;
        this.mostSlack = Math.max(leastSlack, mostSlack);
        this.slack = leastSlack;
    }

    /**
     * Returns the time to wait until {@link #begin}; at most the interval, even if the clock is set
     * back.
     */
    public Duration delay(Instant now) {
        Duration left = last.equals(Instant.MIN) ? Duration.ZERO : Duration.between(now, last.plus(interval));
        if (left.isNegative()) {
            return Duration.ZERO;
        }
        return left.compareTo(interval) > 0 ? interval : left;
    }

    /** Records the start of an execution; returns the slack to request. */
    public int begin(Instant now) {
        if (now.isBefore(after(SOON))) {
            slack = Math.min(mostSlack, slack * 2);
        } else if (now.isAfter(after(LONG))) {
            slack = Math.max(leastSlack, slack / 2);
        }
        last = now;
        return slack;
    }

    private Instant after(int intervals) {
        return last.equals(Instant.MIN) ? last : last.plus(interval.multipliedBy(intervals));
    }
}
