package io.orestes.replication;

import java.time.Duration;
import java.util.Optional;

/**
 * The outcome of delivering one message to one member: an acknowledgement, or the end of its
 * membership.
 *
 * @param isFromTheLiving false if the server was declared gone instead of confirming
 * @param kept after a write, for how long the results that the server cached of the class have not changed; empty if they may have
 */
record DeliveryOutcome(boolean isFromTheLiving, Optional<Duration> kept) {

    static final DeliveryOutcome DONE = new DeliveryOutcome(true, Optional.empty());
    static final DeliveryOutcome GONE = new DeliveryOutcome(false, Optional.empty());

    static DeliveryOutcome of(Optional<Duration> kept) {
        return new DeliveryOutcome(true, kept);
    }
}
