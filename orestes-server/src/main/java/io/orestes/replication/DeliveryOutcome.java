package io.orestes.replication;

import java.time.Duration;
import java.util.Optional;

/**
 * The outcome of delivering one message to one member: an acknowledgement, or the end of its
 * membership.
 *
 * @param isAcknowledged false if the member was declared failed instead of acknowledging
 * @param resultsUnchangedFor after a write, time for which the server's cached results of the class
 *     have not changed; empty if they may have
 */
record DeliveryOutcome(boolean isAcknowledged, Optional<Duration> resultsUnchangedFor) {

    static final DeliveryOutcome ACKNOWLEDGED = new DeliveryOutcome(true, Optional.empty());
    static final DeliveryOutcome MEMBERSHIP_ENDED = new DeliveryOutcome(false, Optional.empty());

    static DeliveryOutcome of(Optional<Duration> kept) {
        return new DeliveryOutcome(true, kept);
    }
}
