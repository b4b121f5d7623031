package io.orestes.live;

import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Runs the queries of one class on the real store, counts them, and delays their results until they
 * are released. Queries with a limit of 1, which only check for a match, are not delayed.
 */
final class DelayingStore {

    private final String bucket;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger read = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private volatile Promise<Void> gate = Promise.promise();

    DelayingStore(String bucket) {
        this.bucket = bucket;
        release();
    }

    /** Delays results from now on. */
    void delay() {
        gate = Promise.promise();
    }

    /** Releases the delayed results. */
    void release() {
        boolean unused = gate.tryComplete();
    }

    /** Releases the results that are delayed so far, and delays later ones. */
    void releaseSome() {
        Promise<Void> earlier = gate;
        delay();
        earlier.complete();
    }

    /** Fails the delayed results. */
    void fail(Throwable failure) {
        gate.fail(failure);
    }

    /** Returns the number of queries begun so far. */
    int begun() {
        return begun.get();
    }

    /** Returns the number of queries so far that only check for a match. */
    int existenceCheckCount() {
        return looks.get();
    }

    /** Returns the number of queries that have read their result. */
    int read() {
        return read.get();
    }

    ObjectStore over(ObjectStore real) {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, arguments) -> {
                    try {
                        return isHeld(arguments) ? held(real, arguments) : method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private boolean isHeld(Object... arguments) {
        if (arguments == null
                || !(arguments[0] instanceof StoreQuery query)
                || !query.bucket().equals(bucket)) {
            return false;
        }
        if (query.limit() == 1) {
            looks.incrementAndGet();
        }
        return query.limit() > 1;
    }

    @SuppressWarnings("unchecked")
    private Future<?> held(ObjectStore real, Object... arguments) {
        StoreQuery query = (StoreQuery) arguments[0];
        return arguments.length == 1
                ? real.query(query, held(Future::succeededFuture))
                : real.query(query, held((Function<List<StoredObject>, Future<Object>>) arguments[1]));
    }

    private <T> Function<List<StoredObject>, Future<T>> held(Function<List<StoredObject>, Future<T>> use) {
        begun.incrementAndGet();
        Future<Void> open = gate.future();
        return result -> {
            read.incrementAndGet();
            return open.compose(opened -> use.apply(result));
        };
    }
}
