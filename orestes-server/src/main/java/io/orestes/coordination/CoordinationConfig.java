package io.orestes.coordination;

import java.time.Duration;

/**
 * The durations of coordination in a group: lease, clock margin, session and lock time-out. All
 * servers of a group need the same lease and margin.
 *
 * @param lease how long a server is current after it last heard from the group; default 3 s
 * @param margin by how much clocks of servers may differ in measuring a lease, and half a tick of
 *     ZooKeeper may be longer; default 1 s
 * @param session after which silence a server counts as failed; asked of ZooKeeper, which may grant
 *     another; default 6 s
 * @param lockWait how long to wait for locks; default 5 s
 */
public record CoordinationConfig(Duration lease, Duration margin, Duration session, Duration lockWait) {

    public static final CoordinationConfig DEFAULTS = new CoordinationConfig(
            Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ofSeconds(6), Duration.ofSeconds(5));

    public CoordinationConfig {
        if (lease.toMillis() < 4 || margin.toMillis() < 1 || lockWait.toMillis() < 1) {
            throw new IllegalArgumentException("Times of coordination are positive, and a lease has at least 4 ms");
        }
        if (session.compareTo(shortestSession(lease, margin)) < 0) {
            throw new IllegalArgumentException("A session has to outlast a lease by two margins");
        }
    }

    /**
     * What a session must last at least, so that nobody is taken for gone whose lease runs: one
     * margin for clocks, and one because a ZooKeeper server tells the leader only every half tick
     * from whom it heard.
     */
    public Duration shortestSession() {
        return shortestSession(lease, margin);
    }

    private static Duration shortestSession(Duration lease, Duration margin) {
        return lease.plus(margin).plus(margin);
    }
}
