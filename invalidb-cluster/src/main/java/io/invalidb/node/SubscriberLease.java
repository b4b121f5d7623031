package io.invalidb.node;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The lease of an application server on the queries it subscribed, aged in ticks and preserved by
 * renewal. A crashed server leaves no queries behind, because its lease expires. The age is counted
 * in ticks of the cluster and not timed, so that no jump of a clock ends the lease. Thread-safe.
 */
public final class SubscriberLease {

    /** Number of ticks without a renewal that end the lease. */
    static final int LIFETIME_TICKS = 6;

    private final AtomicInteger age = new AtomicInteger();

    SubscriberLease() {}

    /** Resets the age; to be called between any two ticks. An expired lease stays expired. */
    public void renew() {
        age.updateAndGet(ticks -> ticks >= LIFETIME_TICKS ? ticks : 0);
    }

    /** Returns whether the lease has expired, so that its queries were released. */
    public boolean isExpired() {
        return age.get() >= LIFETIME_TICKS;
    }

    /** Ages the lease by a tick; returns true if it has expired. */
    boolean tick() {
        return age.incrementAndGet() >= LIFETIME_TICKS;
    }
}
