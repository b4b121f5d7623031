package io.invalidb.node;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The lease of an application server on the queries it subscribed, aged in ticks and preserved by
 * renewal. A server that dies leaves no queries behind, because its lease expires. The age is
 * counted in ticks of the cluster and not timed, so that no jump of a clock ends the lease.
 * Thread-safe.
 */
public final class SubscriberLease {

    /** Ticks without a renewal that end the lease. */
    static final int LIFETIME = 6;

    private final AtomicInteger age = new AtomicInteger();

    SubscriberLease() {}

    /**
     * Makes it last as long as a new one; to be called between any two ticks. Does not bring back a
     * lease that is over.
     */
    public void renew() {
        age.updateAndGet(ticks -> ticks >= LIFETIME ? ticks : 0);
    }

    /** Whether its queries have been given up. */
    public boolean isOver() {
        return age.get() >= LIFETIME;
    }

    /** Says whether it is over by now. */
    boolean ages() {
        return age.incrementAndGet() >= LIFETIME;
    }
}
