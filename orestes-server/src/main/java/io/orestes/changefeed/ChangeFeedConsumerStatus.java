package io.orestes.changefeed;

import java.time.Duration;
import java.util.Optional;

/**
 * The state of this server as a consumer of the change feed: its role and how current it is.
 *
 * @param role the present role
 * @param reachedNanos the time up to which all writes are announced, by
 *     {@link System#nanoTime()}; 0 unless it reads
 */
public record ChangeFeedConsumerStatus(ConsumerRole role, long reachedNanos) {

    static final ChangeFeedConsumerStatus FOLLOWING = new ChangeFeedConsumerStatus(ConsumerRole.FOLLOWING, 0);
    static final ChangeFeedConsumerStatus INTERRUPTED = new ChangeFeedConsumerStatus(ConsumerRole.INTERRUPTED, 0);

    /**
     * The role of a server in consuming the change feed: follower, interrupted leader or active
     * leader.
     */
    public enum ConsumerRole {
        /** Another server reads and notifies this one. */
        FOLLOWING,
        /** This server is the leader, and cannot read. */
        INTERRUPTED,
        /** This server reads and notifies the others. */
        READING
    }

    static ChangeFeedConsumerStatus upTo(long reachedNanos) {
        return new ChangeFeedConsumerStatus(ConsumerRole.READING, reachedNanos);
    }

    /**
     * Returns the lag of the announcements: all servers were notified of older writes. Empty unless
     * this server reads.
     */
    public Optional<Duration> behind() {
        return role == ConsumerRole.READING
                ? Optional.of(Duration.ofNanos(System.nanoTime() - reachedNanos))
                : Optional.empty();
    }
}
