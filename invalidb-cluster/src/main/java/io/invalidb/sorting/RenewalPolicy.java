package io.invalidb.sorting;

import java.time.Duration;
import java.time.Instant;

/**
 * The policy that decides when a sorted query may be executed again, and with how much slack. The
 * slack doubles after renewals in quick succession and halves after a long rest (InvaliDB, VLDB
 * 2020, section 5.2). Single-threaded.
 */
public final class RenewalPolicy {

    private static final int GROW_WITHIN_INTERVALS = 10;
    private static final int SHRINK_AFTER_INTERVALS = 100;

    private final Duration interval;
    private final int minSlack;
    private final int maxSlack;
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
        this.minSlack = leastSlack;
        this.maxSlack = Math.max(leastSlack, mostSlack);
        this.slack = leastSlack;
    }

    /**
     * Returns the time to wait until {@link #startExecution}; at most the interval, even if the
     * clock is set back.
     */
    public Duration delay(Instant now) {
        Duration left = last.equals(Instant.MIN) ? Duration.ZERO : Duration.between(now, last.plus(interval));
        if (left.isNegative()) {
            return Duration.ZERO;
        }
        return left.compareTo(interval) > 0 ? interval : left;
    }

    /** Records the start of an execution; returns the slack to request. */
    public int startExecution(Instant now) {
        if (now.isBefore(after(GROW_WITHIN_INTERVALS))) {
            slack = Math.min(maxSlack, slack * 2);
        } else if (now.isAfter(after(SHRINK_AFTER_INTERVALS))) {
            slack = Math.max(minSlack, slack / 2);
        }
        last = now;
        return slack;
    }

    private Instant after(int intervals) {
        return last.equals(Instant.MIN) ? last : last.plus(interval.multipliedBy(intervals));
    }
}
