package io.orestes.store.embedded.commit;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

/** The promise of one call's result, which is completed on the context of its caller. */
public final class CallerContextPromise<T> {

    private final Context context;
    private final Promise<T> promise = Promise.promise();

    private CallerContextPromise(Context context) {
        this.context = context;
    }

    /** Creates a promise for the running code; a caller without a context gets one. */
    public static <T> CallerContextPromise<T> forCurrentContext(Vertx vertx) {
        return new CallerContextPromise<>(vertx.getOrCreateContext());
    }

    /** Returns the future that the caller waits for. */
    public Future<T> future() {
        return promise.future();
    }

    public Context context() {
        return context;
    }

    /** Completes the caller's future; to be called on its context. */
    void complete(Future<T> outcome) {
        outcome.onComplete(promise);
    }
}
