package io.orestes.coordination;

import java.time.Duration;

/**
 * The durations of coordination in a group: lease, clock margin, session and lock time-out. All
 * servers of a group need the same lease and margin.
 *
 * @param lease time for which a server is current after its last contact with the group;
 *     default 3 s
 * @param margin maximum difference of clocks in measuring a lease, and maximum excess of half a
 *     tick of ZooKeeper; default 1 s
 * @param session time of silence after which a server counts as failed; requested from
 *     ZooKeeper, which may grant another; default 6 s
 * @param lockWait maximum wait for locks; default 5 s
 */
public record CoordinationTimeouts(Duration lease, Duration margin, Duration session, Duration lockWait) {

    public static final CoordinationTimeouts DEFAULTS = new CoordinationTimeouts(
            Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ofSeconds(6), Duration.ofSeconds(5));

    public CoordinationTimeouts {
        if (lease.toMillis() < 4 || margin.toMillis() < 1 || lockWait.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "Times of coordination must be positive, and a lease must last at least 4 ms");
        }
        if (session.compareTo(minSession(lease, margin)) < 0) {
            throw new IllegalArgumentException("A session must outlast a lease by two margins");
        }
    }

    /**
     * Returns the shortest session after which no member with a running lease can count as failed.
     * It adds one margin for clocks. It adds another because a ZooKeeper server reports contacts to
     * the leader only every half tick.
     */
    public Duration minSession() {
        return minSession(lease, margin);
    }

    private static Duration minSession(Duration lease, Duration margin) {
        return lease.plus(margin).plus(margin);
    }
}
