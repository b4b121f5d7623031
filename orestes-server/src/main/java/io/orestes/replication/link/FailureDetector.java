package io.orestes.replication.link;

import java.time.Duration;

/**
 * A failure detector for one member, by the time since its last message and since its last stable
 * connection. It covers all connections to the member. A message counts only after the member has
 * processed the initial state on that connection. Connections that break again and again are
 * tolerated for a limited time only. Times are those of {@link System#nanoTime()}; belongs to one
 * event loop.
 */
final class FailureDetector {

    /** Number of patience periods without a connection that lasts for one such period. */
    private static final int MAX_UNSTABLE_PERIODS = 3;

    private final long patienceNanos;
    private long heardNanos;
    private long steadyNanos;
    private long connectedNanos;
    private boolean isStateAcknowledged;

    FailureDetector(Duration patience, long nowNanos) {
        this.patienceNanos = patience.toNanos();
        this.heardNanos = nowNanos;
        this.steadyNanos = nowNanos;
    }

    /** Records a new connection. */
    void onConnected(long nowNanos) {
        connectedNanos = nowNanos;
        isStateAcknowledged = false;
    }

    /** Records that the member has processed the initial state. */
    void onStateAcknowledged(long nowNanos) {
        isStateAcknowledged = true;
        onMessage(nowNanos);
    }

    /** Records data from the member. */
    void onMessage(long nowNanos) {
        if (isStateAcknowledged) {
            heardNanos = nowNanos;
        }
        if (isStateAcknowledged && nowNanos - connectedNanos > patienceNanos) {
            steadyNanos = nowNanos;
        }
    }

    /** Returns why a connected member is suspected, as the end of a sentence about it. */
    String reason() {
        return isStateAcknowledged
                ? "sends no heartbeats, or loses its connections"
                : "does not acknowledge the state of this server";
    }

    boolean isSuspected(long nowNanos) {
        return nowNanos - heardNanos > patienceNanos || nowNanos - steadyNanos > MAX_UNSTABLE_PERIODS * patienceNanos;
    }
}
