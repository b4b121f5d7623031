package io.orestes.coordination;

import java.time.Duration;

/**
 * A lease during which a member may use its state in memory, measured by the machine's monotonic
 * clock. The lease is one number that is compared with this clock, which continues while a process
 * is stopped. Read by any thread, changed by one.
 */
public final class MembershipLease {

    private volatile long endNanos = System.nanoTime();

    /** Returns whether it runs at this moment. */
    public boolean isValid() {
        return System.nanoTime() - endNanos < 0;
    }

    /** Returns the remaining time; 0 or less once it has ended. */
    public long remainingNanos() {
        return endNanos - System.nanoTime();
    }

    /**
     * Extends it to {@code time} after a moment at which this server was certainly a member.
     *
     * @param sinceNanos reading of {@link System#nanoTime()} from before the request to the
     *     group
     */
    public void renew(long sinceNanos, Duration time) {
        long end = sinceNanos + time.toNanos();
        if (end - endNanos > 0) {
            endNanos = end;
        }
    }

    /** Ends it at this moment, if it runs. */
    public void end() {
        endNanos = System.nanoTime();
    }
}
