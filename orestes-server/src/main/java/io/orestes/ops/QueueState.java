package io.orestes.ops;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The lengths and delays of the internal queues of this server.
 *
 * @param matching number of writes that are not yet matched with live and cached queries
 * @param isMatchingLate true if a write has waited for so long that no query result is cached
 * @param passwords number of passwords that are being hashed or wait for it
 * @param maxPasswords limit on that number, beyond which log-ins are refused, unless there are no
 *     limits
 * @param workerDelay time that a probe task just waited for a thread; {@code null} if it did not
 *     get one within {@link Health#PROBE_TIMEOUT}
 */
public record QueueState(
        int matching, boolean isMatchingLate, int passwords, int maxPasswords, @Nullable Duration workerDelay) {}
