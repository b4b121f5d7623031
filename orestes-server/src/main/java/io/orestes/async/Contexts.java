package io.orestes.async;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.function.Supplier;

/** A utility that executes work on one Vert.x context, and completes its future on another. */
public final class Contexts {

    private Contexts() {}

    /** Returns a future with the outcome of {@code shared} that completes on {@code home}. */
    public static <T> Future<T> on(Context home, Future<T> shared) {
        return Future.future(
                promise -> shared.onComplete(result -> home.runOnContext(ignored -> promise.handle(result))));
    }

    /** Executes work on {@code home}; the returned future completes on the caller's context. */
    public static <T> Future<T> call(Context home, Supplier<Future<T>> work) {
        Context caller = home.owner().getOrCreateContext();
        return on(
                caller,
                Future.future(promise -> home.runOnContext(now -> Future.<Void>succeededFuture()
                        .compose(begun -> work.get())
                        .onComplete(promise))));
    }
}
