package io.orestes.ops;

import java.time.Duration;
import java.util.Optional;

/**
 * The lengths and delays of the internal queues of this server.
 *
 * @param matching writes that are not yet matched with live and cached queries
 * @param isMatchingLate whether one has waited for so long that no result of a query is cached
 * @param passwords that are being hashed, or wait for that
 * @param mostPasswords with more of them log-ins are refused, unless there are no limits
 * @param workers how long a task waited for a thread just now; empty if it has not got one by {@link Health#PATIENCE}
 */
public record QueueState(
        int matching, boolean isMatchingLate, int passwords, int mostPasswords, Optional<Duration> workers) {}
