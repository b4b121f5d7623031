package io.orestes.coordination.local;

import io.orestes.coordination.GroupLocks.Lock;
import io.orestes.coordination.TransactionResolver;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The lock request of one transaction, which waits in the queues of its keys or is granted. Guarded
 * by its monitor.
 */
final class LocalLockRequest implements Lock {

    private final LocalMembership owner;
    private final String transaction;
    private final Consumer<LocalLockRequest> onLeave;
    private final Set<LockWaiter> waiting = new LinkedHashSet<>();
    private boolean isBeingResolved;
    private boolean isLeaving;

    LocalLockRequest(LocalMembership owner, String transaction, Consumer<LocalLockRequest> onLeave) {
        this.owner = owner;
        this.transaction = transaction;
        this.onLeave = onLeave;
        owner.add(this);
    }

    @Override
    public boolean isInDoubt() {
        return owner.isEnded();
    }

    @Override
    public void release() {
        if (!owner.isEnded()) {
            dequeue();
        }
    }

    /** Leaves the queues, so that later requests proceed. */
    void dequeue() {
        if (tryBeginLeaving()) {
            owner.remove(this);
            onLeave.accept(this);
            allWaiting().forEach(LockWaiter::proceed);
        }
    }

    /** Makes waiting requests resolve the transaction, because its owner has failed. */
    void resolveForWaiters() {
        allWaiting().stream().findFirst().ifPresent(LockWaiter::resolve);
    }

    /**
     * Returns a waiter for the departure of this request. If the owner fails before,
     * {@code transactionResolver} resolves the transaction.
     */
    LockWaiter addWaiter(TransactionResolver transactionResolver) {
        LockWaiter waiter = new LockWaiter(transactionResolver);
        if (!tryAddWaiter(waiter)) {
            waiter.proceed();
        } else if (owner.isEnded()) {
            waiter.resolve();
        }
        return waiter;
    }

    private synchronized boolean tryAddWaiter(LockWaiter waiter) {
        return !isLeaving && waiting.add(waiter);
    }

    private synchronized List<LockWaiter> allWaiting() {
        return List.copyOf(waiting);
    }

    private synchronized boolean tryBeginLeaving() {
        boolean isFirst = !isLeaving;
        isLeaving = true;
        return isFirst;
    }

    private synchronized boolean tryBeginResolution() {
        boolean isFirst = !isLeaving && !isBeingResolved;
        isBeingResolved = true;
        return isFirst;
    }

    /** Ends a resolution; later waiters start a new one. */
    private synchronized List<LockWaiter> endResolution() {
        isBeingResolved = false;
        return allWaiting();
    }

    /**
     * A later lock request that waits until this one has left the queues. This request drops its
     * reference to the waiter when the waiting ends.
     */
    final class LockWaiter {

        private final TransactionResolver transactionResolver;
        private final Promise<Void> turn = Promise.promise();

        private LockWaiter(TransactionResolver transactionResolver) {
            this.transactionResolver = transactionResolver;
        }

        /**
         * Completes when the earlier request has left; fails if its owner has failed and the
         * transaction could not be resolved.
         */
        Future<Void> turn() {
            return turn.future();
        }

        /** Ends the wait; to be called when nobody needs the turn any more. */
        void end() {
            synchronized (LocalLockRequest.this) {
                waiting.remove(this);
            }
        }

        private void proceed() {
            boolean unused = turn.tryComplete();
        }

        /** Resolves the transaction once for all waiters. */
        private void resolve() {
            if (tryBeginResolution()) {
                Future.succeededFuture()
                        .compose(now -> transactionResolver.resolve(transaction))
                        .onSuccess(settled -> dequeue())
                        .onFailure(failure -> endResolution().forEach(waiter -> waiter.turn.tryFail(failure)));
            }
        }
    }
}
