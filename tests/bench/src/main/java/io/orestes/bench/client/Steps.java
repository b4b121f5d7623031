package io.orestes.bench.client;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.BooleanSupplier;

/** Runs steps one after the other on an event loop, also those that complete at once. */
public final class Steps {

    private Steps() {}

    /** An asynchronous step. */
    public interface Step {
        Future<?> take();
    }

    /** Runs a step this number of times. */
    public static Future<Void> repeat(Context context, int times, Step step) {
        int[] left = {times};
        return during(context, () -> left[0]-- > 0, step);
    }

    /**
     * Runs steps while the condition holds, which is evaluated before each; fails with the first
     * that fails.
     */
    public static Future<Void> during(Context context, BooleanSupplier condition, Step step) {
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
