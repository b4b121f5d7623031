package io.orestes.async;

import io.vertx.core.Context;
import io.vertx.core.Future;

/** A utility that completes a shared future on the Vert.x context of each caller. */
public final class Contexts {

    private Contexts() {}

    /** Returns a future with the outcome of {@code shared} that completes on {@code home}. */
    public static <T> Future<T> on(Context home, Future<T> shared) {
        return Future.future(
                promise -> shared.onComplete(result -> home.runOnContext(ignored -> promise.handle(result))));
    }
}
