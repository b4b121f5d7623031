package io.orestes.coordination;

import io.vertx.core.Future;

/**
 * Finds out what became of transactions whose server is gone while it held locks, and finishes or undoes what it finds half
 * done. Several servers may ask about the same transaction at a time and again, also about one that never began.
 */
@FunctionalInterface
public interface TransactionResolver {

    /** Completes when the transaction is all done or not at all, for good; if it fails, the locks stay. */
    Future<Void> resolve(String transaction);
}
