package io.orestes.coordination.local;

import io.orestes.coordination.Locks.Lock;
import io.orestes.coordination.Resolver;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A place in the queues of some keys, of a transaction that waits for locks or holds them. Guarded by its monitor. */
final class Claim implements Lock {

    private final Presence owner;
    private final String transaction;
    private final Consumer<Claim> leaving;
    private final Promise<Void> left = Promise.promise();
    private final List<Runnable> onAbandoned = new ArrayList<>();
    private @Nullable Future<Void> settling;
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
            left.complete();
        }
    }

    /** Has those that wait for it settle the transaction, as its owner is gone. */
    void abandon() {
        callbacks().forEach(Runnable::run);
    }

    /** Completes when it has left; if its owner goes before, the resolver of who waits is asked. */
    Future<Void> awaitedBy(Resolver resolver) {
        Promise<Void> awaited = Promise.promise();
        left.future().onSuccess(awaited::tryComplete);
        whenAbandoned(() -> settled(resolver).onFailure(awaited::tryFail));
        return awaited.future();
    }

    private void whenAbandoned(Runnable callback) {
        synchronized (this) {
            onAbandoned.add(callback);
        }
        if (owner.isOver()) {
            callback.run();
        }
    }

    private synchronized List<Runnable> callbacks() {
        return List.copyOf(onAbandoned);
    }

    private synchronized boolean isFirstToLeave() {
        boolean isFirst = !isLeaving;
        isLeaving = true;
        return isFirst;
    }

    /** Asks the resolver once, and again for others if it fails. */
    private synchronized Future<Void> settled(Resolver resolver) {
        if (isLeaving) {
            return left.future();
        }
        if (settling == null || settling.failed()) {
            settling = resolver.resolve(transaction).onSuccess(settled -> leave());
        }
        return settling;
    }
}
