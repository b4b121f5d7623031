package io.orestes.notify;

import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs the queries of one class as the real store does, counts them, and keeps their results until told to hand them out. */
final class HeldStore {

    private final String bucket;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger read = new AtomicInteger();
    private volatile Promise<Void> gate = Promise.promise();

    HeldStore(String bucket) {
        this.bucket = bucket;
        release();
    }

    /** From now on results are kept back. */
    void hold() {
        gate = Promise.promise();
    }

    /** Hands out what was kept back. */
    void release() {
        boolean unused = gate.tryComplete();
    }

    /** What was kept back fails instead. */
    void fail(Throwable failure) {
        gate.fail(failure);
    }

    /** Queries begun so far. */
    int begun() {
        return begun.get();
    }

    /** Queries that have seen what they return. */
    int read() {
        return read.get();
    }

    ObjectStore over(ObjectStore real) {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, arguments) -> {
                    try {
                        Object outcome = method.invoke(real, arguments);
                        return isHeld(arguments) ? held((Future<?>) outcome) : outcome;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private boolean isHeld(Object... arguments) {
        return arguments != null
                && arguments.length == 1
                && arguments[0] instanceof StoreQuery query
                && query.bucket().equals(bucket);
    }

    private Future<?> held(Future<?> outcome) {
        begun.incrementAndGet();
        Future<Void> open = gate.future();
        return outcome.compose(result -> {
            read.incrementAndGet();
            return open.map(result);
        });
    }
}
