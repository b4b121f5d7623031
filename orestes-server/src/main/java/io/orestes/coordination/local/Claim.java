package io.orestes.coordination.local;

import io.orestes.coordination.Locks.Lock;
import io.orestes.coordination.Resolver;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** A place in the queues of some keys, of a transaction that waits for locks or holds them. Guarded by its monitor. */
final class Claim implements Lock {

    private final Presence owner;
    private final String transaction;
    private final Consumer<Claim> leaving;
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    private boolean isBeingSettled;
    private boolean isLeaving;

    Claim(Presence owner, String transaction, Consumer<Claim> leaving) {
        this.owner = owner;
        this.transaction = transaction;
        this.leaving = leaving;
        owner.add(this);
    }

    @Override
    public boolean isDoubtful() {
        return owner.isOver();
    }

    @Override
    public void release() {
        if (!owner.isOver()) {
            leave();
        }
    }

    /** Leaves the queues, and lets those behind it go on. */
    void leave() {
        if (isFirstToLeave()) {
            owner.remove(this);
            leaving.accept(this);
            allWaiting().forEach(Waiting::goOn);
        }
    }

    /** Has those that wait for it settle the transaction, as its owner is gone. */
    void abandon() {
        allWaiting().stream().findFirst().ifPresent(Waiting::settle);
    }

    /** Waits until it has left; if its owner goes before, the resolver of who waits is asked. */
    Waiting awaitedBy(Resolver resolver) {
        Waiting waiter = new Waiting(resolver);
        if (!isEntered(waiter)) {
            waiter.goOn();
        } else if (owner.isOver()) {
            waiter.settle();
        }
        return waiter;
    }

    private synchronized boolean isEntered(Waiting waiter) {
        return !isLeaving && waiting.add(waiter);
    }

    private synchronized List<Waiting> allWaiting() {
        return List.copyOf(waiting);
    }

    private synchronized boolean isFirstToLeave() {
        boolean isFirst = !isLeaving;
        isLeaving = true;
        return isFirst;
    }

    private synchronized boolean isFirstToSettle() {
        boolean isFirst = !isLeaving && !isBeingSettled;
        isBeingSettled = true;
        return isFirst;
    }

    /** Whoever comes from now on asks again. */
    private synchronized List<Waiting> endSettling() {
        isBeingSettled = false;
        return allWaiting();
    }

    /** Somebody behind it, of whom it remembers nothing once that is over. */
    final class Waiting {

        private final Resolver resolver;
        private final Promise<Void> turn = Promise.promise();

        private Waiting(Resolver resolver) {
            this.resolver = resolver;
        }

        /** Completes when it has left; fails if its owner is gone and the transaction could not be settled. */
        Future<Void> turn() {
            return turn.future();
        }

        /** To be called when nobody waits for the turn any more. */
        void end() {
            synchronized (Claim.this) {
                waiting.remove(this);
            }
        }

        private void goOn() {
            boolean unused = turn.tryComplete();
        }

        /** Once for all who wait. */
        private void settle() {
            if (isFirstToSettle()) {
                Future.succeededFuture()
                        .compose(now -> resolver.resolve(transaction))
                        .onSuccess(settled -> leave())
                        .onFailure(failure -> endSettling().forEach(waiter -> waiter.turn.tryFail(failure)));
            }
        }
    }
}
