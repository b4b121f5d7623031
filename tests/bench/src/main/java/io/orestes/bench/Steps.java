package io.orestes.bench;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.BooleanSupplier;

/** Steps one after the other on an event loop, also those that are done at once. */
final class Steps {

    private Steps() {}

    /** Something that takes a while. */
    interface Step {
        Future<?> take();
    }

    /** So many of them. */
    static Future<Void> repeat(Context context, int times, Step step) {
        int[] left = {times};
        return during(context, () -> left[0]-- > 0, step);
    }

    /**
     * As many as the condition allows, which is asked before each; fails with the first that fails.
     */
    static Future<Void> during(Context context, BooleanSupplier condition, Step step) {
        Promise<Void> done = Promise.promise();
        next(context, condition, step, done);
        return done.future();
    }

    private static void next(Context context, BooleanSupplier condition, Step step, Promise<Void> done) {
        context.runOnContext(now -> {
            if (condition.getAsBoolean()) {
                step.take()
                        .onSuccess(taken -> next(context, condition, step, done))
                        .onFailure(done::fail);
            } else {
                done.complete();
            }
        });
    }
}
