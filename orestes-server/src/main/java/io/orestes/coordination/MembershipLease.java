package io.orestes.coordination;

import java.time.Duration;

/**
 * A lease during which a member may trust its memory, measured by the machine's monotonic clock.
 * The lease is one number that is compared with this clock, which goes on while a process is
 * stopped. Read by any thread, changed by one.
 */
public final class MembershipLease {

    private volatile long endNanos = System.nanoTime();

    /** Whether it runs at this moment. */
    public boolean isValid() {
        return System.nanoTime() - endNanos < 0;
    }

    /** How long it still runs; 0 or less once it has ended. */
    public long remainingNanos() {
        return endNanos - System.nanoTime();
    }

    /**
     * Lets it run for some time after a moment at which the group certainly counted on this server.
     *
     * @param sinceNanos reading of {@link System#nanoTime()} from before the group was asked
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
