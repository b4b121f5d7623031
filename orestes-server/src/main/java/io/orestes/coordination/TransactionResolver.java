package io.orestes.coordination;

import io.vertx.core.Future;

/**
 * A resolver of in-doubt transactions whose server failed while it had locks. It reads how far such
 * a transaction came, and completes or rolls back a partial commit. Several servers may resolve one
 * transaction concurrently and repeatedly, even one that never began.
 */
@FunctionalInterface
public interface TransactionResolver {

    /**
     * Completes when the transaction is permanently complete or without effect; if it fails, the
     * locks stay.
     */
    Future<Void> resolve(String transaction);
}
