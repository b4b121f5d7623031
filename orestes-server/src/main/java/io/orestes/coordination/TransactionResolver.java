package io.orestes.coordination;

import io.vertx.core.Future;

/**
 * A resolver of in-doubt transactions whose server failed while it held locks. It finds out how far
 * such a transaction came, and finishes or undoes what is half done. Several servers may ask about
 * the same transaction at a time and again, also about one that never began.
 */
@FunctionalInterface
public interface TransactionResolver {

    /**
     * Completes when the transaction is all done or not at all, for good; if it fails, the locks
     * stay.
     */
    Future<Void> resolve(String transaction);
}
