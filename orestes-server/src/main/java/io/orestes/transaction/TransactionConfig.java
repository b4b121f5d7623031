package io.orestes.transaction;

import java.time.Duration;

/**
 * The limits of transactions: time-out, number of operations, and open ones in total and per
 * caller.
 *
 * @param timeout time for which a transaction may stay open; default a minute
 * @param maxOpen most that are open at a time; default 10,000
 * @param maxOpenPerCaller most of these that one user, or one network without a user, has; default
 *     1,000
 * @param maxOperations most reads and writes that one may have, taken together; default 1,000
 */
public record TransactionConfig(Duration timeout, int maxOpen, int maxOpenPerCaller, int maxOperations) {

    public static final TransactionConfig DEFAULTS = new TransactionConfig(Duration.ofMinutes(1), 10_000, 1_000, 1_000);

    public TransactionConfig {
        if (timeout.toMillis() < 1 || maxOpen < 1 || maxOpenPerCaller < 1 || maxOperations < 1) {
            throw new IllegalArgumentException("Bounds of transactions are positive");
        }
    }
}
