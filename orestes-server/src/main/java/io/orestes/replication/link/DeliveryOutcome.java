package io.orestes.replication.link;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of delivering one message to one member: an acknowledgement, or the end of its
 * membership.
 *
 * @param isAcknowledged false if the member was declared failed instead of acknowledging
 * @param unchangedFor after a write, time for which the server's cached results of the class have
 *     not changed; null if they may have
 */
public record DeliveryOutcome(boolean isAcknowledged, @Nullable Duration unchangedFor) {

    /** The outcome of a message that changes nothing about cached results. */
    public static final DeliveryOutcome ACKNOWLEDGED = new DeliveryOutcome(true, null);

    /** The outcome of a message to a member that was declared failed. */
    public static final DeliveryOutcome MEMBERSHIP_ENDED = new DeliveryOutcome(false, null);

    /** The outcome of a message that was processed at once. */
    public static final Future<DeliveryOutcome> DONE = Future.succeededFuture(ACKNOWLEDGED);

    /** Returns the acknowledgement of a write. */
    public static DeliveryOutcome acknowledged(@Nullable Duration unchangedFor) {
        return new DeliveryOutcome(true, unchangedFor);
    }

    /**
     * Returns the time for which the cached results have not changed; empty if they may have, or if
     * the message was no write.
     */
    public Optional<Duration> resultsUnchangedFor() {
        return Optional.ofNullable(unchangedFor);
    }

    /** Returns the outcome for both members together. */
    public DeliveryOutcome and(DeliveryOutcome other) {
        return new DeliveryOutcome(isAcknowledged && other.isAcknowledged, shorter(unchangedFor, other.unchangedFor));
    }

    private static @Nullable Duration shorter(@Nullable Duration one, @Nullable Duration other) {
        if (one == null || other == null) {
            return null;
        }
        return one.compareTo(other) < 0 ? one : other;
    }
}
