package io.orestes.cluster;

import io.orestes.coordination.TransactionResolver;
import io.orestes.store.SharedStore;
import io.orestes.transaction.CommitOutcomeLog;
import io.orestes.transaction.LockHolder;
import io.vertx.core.Future;

/** The resolver of transactions whose server departed from the group while it had locks. */
public record OrphanedCommitResolver(SharedStore store, CommitOutcomeLog commits) implements TransactionResolver {

    /** Resolves a transaction; the change behind a lock of the schema is in the store. */
    @Override
    public Future<Void> resolve(String lock) {
        return GroupSchemaCoordination.isSchemaLock(lock) ? Future.succeededFuture() : resolve(LockHolder.parse(lock));
    }

    /**
     * Aborts its open transactions in the store first, because they would block the check of what
     * is committed.
     */
    private Future<Void> resolve(LockHolder holder) {
        return store.abortTransactionsOf(holder.process()).compose(aborted -> commits.resolve(holder.tid()));
    }
}
