package io.orestes.foreign;

import java.time.Duration;
import java.util.Optional;

/**
 * How far a server is with what other programs write.
 *
 * @param role what it does at the moment
 * @param reachedNanos when everything written was told, by {@link System#nanoTime()}; 0 unless it reads
 */
public record ForeignState(Role role, long reachedNanos) {

    static final ForeignState FOLLOWING = new ForeignState(Role.FOLLOWING, 0);
    static final ForeignState INTERRUPTED = new ForeignState(Role.INTERRUPTED, 0);

    /** What a server does. */
    public enum Role {
        /** Another server reads and tells this one. */
        FOLLOWING,
        /** It is to read, and cannot. */
        INTERRUPTED,
        /** It reads, and tells the others. */
        READING
    }

    static ForeignState upTo(long reachedNanos) {
        return new ForeignState(Role.READING, reachedNanos);
    }

    /** What was written longer ago than this all servers were told of; empty unless this server reads. */
    public Optional<Duration> behind() {
        return role == Role.READING
                ? Optional.of(Duration.ofNanos(System.nanoTime() - reachedNanos))
                : Optional.empty();
    }
}
