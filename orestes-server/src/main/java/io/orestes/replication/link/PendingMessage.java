package io.orestes.replication.link;

import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;

/**
 * A message that is not acknowledged yet, with its number, encoded frame and deadline.
 *
 * @param sinceNanos when the message was added, by {@link System#nanoTime()}
 * @param deadline time limit of the wait for the acknowledgement; a later message is sent all
 *     the same
 */
record PendingMessage(long number, Buffer frame, long sinceNanos, Duration deadline, Promise<DeliveryOutcome> outcome) {

    boolean isOverdue(long nowNanos) {
        return nowNanos - sinceNanos > deadline.toNanos();
    }
}
