package io.orestes.changefeed;

import java.time.Duration;
import java.util.Optional;

/**
 * The state of this server as a consumer of the change feed: its role and how current it is.
 *
 * @param role what the server does at the moment
 * @param reachedNanos by {@link System#nanoTime()}, the time up to which all writes are announced;
 *     0 unless it reads
 */
public record ChangeFeedConsumerState(ConsumerRole role, long reachedNanos) {

    static final ChangeFeedConsumerState FOLLOWING = new ChangeFeedConsumerState(ConsumerRole.FOLLOWING, 0);
    static final ChangeFeedConsumerState INTERRUPTED = new ChangeFeedConsumerState(ConsumerRole.INTERRUPTED, 0);

    /**
     * The role of a server in consuming the change feed: follower, interrupted leader or active
     * leader.
     */
    public enum ConsumerRole {
        /** Another server reads and tells this one. */
        FOLLOWING,
        /** It is to read, and cannot. */
        INTERRUPTED,
        /** It reads, and tells the others. */
        READING
    }

    static ChangeFeedConsumerState upTo(long reachedNanos) {
        return new ChangeFeedConsumerState(ConsumerRole.READING, reachedNanos);
    }

    /**
     * What was written longer ago than this all servers were told of; empty unless this server
     * reads.
     */
    public Optional<Duration> behind() {
        return role == ConsumerRole.READING
                ? Optional.of(Duration.ofNanos(System.nanoTime() - reachedNanos))
                : Optional.empty();
    }
}
