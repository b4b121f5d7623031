package io.orestes.async;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Iterator;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An asynchronous while loop that runs one step after another with constant memory and stack depth.
 * Futures that call themselves by {@code compose} retain the memory of all earlier steps and end in
 * as many nested calls. This loop retains nothing of a finished step and continues at the depth at
 * which it began. Each step runs where the step before it completed.
 */
public final class Loop {

    private final Supplier<Future<Boolean>> step;
    private final Promise<Void> end = Promise.promise();

    private Loop(Supplier<Future<Boolean>> step) {
        this.step = step;
    }

    /**
     * Runs steps until one returns false. Fails with the first that fails or throws, and runs no
     * further one.
     *
     * @param step returns whether there may be more to do
     */
    public static Future<Void> whileTrue(Supplier<Future<Boolean>> step) {
        Loop loop = new Loop(step);
        loop.run();
        return loop.end.future();
    }

    /**
     * Runs an action on each item, one after another. Fails with the first that fails or throws.
     */
    public static <T> Future<Void> forEach(Iterable<T> items, Function<T, Future<?>> action) {
        Iterator<T> rest = items.iterator();
        return whileTrue(
                () -> rest.hasNext() ? action.apply(rest.next()).map(done -> true) : Future.succeededFuture(false));
    }

    /** Steps that complete at once run in sequence, not nested. */
    private void run() {
        Future<Boolean> taken = runStep();
        while (taken.succeeded() && taken.result()) {
            taken = runStep();
        }
        taken.onSuccess(this::next).onFailure(end::tryFail);
    }

    private Future<Boolean> runStep() {
        try {
            return step.get();
        } catch (RuntimeException failure) {
            return Future.failedFuture(failure);
        }
    }

    private void next(boolean isMore) {
        if (isMore) {
            run();
        } else {
            end.tryComplete();
        }
    }
}
