package io.orestes.store.mongo.driver;

import io.orestes.async.Contexts;
import io.orestes.async.InFlightOperations;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.store.ChangeFeed;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The gate of all calls of one store. It executes them on the store's context, counts those in
 * flight, and refuses further ones once the store is closed.
 * Futures complete on the caller's context, with errors for clients.
 */
public final class StoreCallGate {

    private static final String STORE_KEY = "";

    private final Context home;
    private final Duration queryBudget;
    private final InFlightOperations calls = new InFlightOperations();

    /** Set on the store's context. */
    private @Nullable Future<Void> closing;

    /** @param queryBudget maximum time of a query, for the error of one that exceeds it */
    public StoreCallGate(Context home, Duration queryBudget) {
        this.home = home;
        this.queryBudget = queryBudget;
    }

    /** Returns the context of the store. */
    public Context home() {
        return home;
    }

    /** Executes work that the end of the store waits for. */
    public <T> Future<T> call(Supplier<Future<T>> work) {
        return runInterruptibly(() -> calls.track(STORE_KEY, work));
    }

    /**
     * Executes work that does not delay the end of the store, because the next process resumes it.
     */
    public <T> Future<T> runInterruptibly(Supplier<Future<T>> work) {
        return Contexts.call(home, () -> {
            requireOpen();
            return work.get().recover(failure -> Future.failedFuture(explain(failure)));
        });
    }

    private Throwable explain(Throwable failure) {
        return failure instanceof ChangeFeed.PositionLostException ? failure : MongoErrors.of(failure, queryBudget);
    }

    /** Fails with {@code UNAVAILABLE} once the store is closed; to be called on its context. */
    public void requireOpen() {
        if (isClosed()) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "The store is closed");
        }
    }

    /** True once the store is closed; to be called on its context. */
    public boolean isClosed() {
        return closing != null;
    }

    /**
     * Refuses all calls from now on, and releases resources when those in flight have ended. Later
     * invocations return the outcome of the first.
     */
    public Future<Void> close(Supplier<Future<Void>> release) {
        return Contexts.call(home, () -> {
            Future<Void> closed = closing;
            if (closed == null) {
                closed = calls.awaitCurrent(STORE_KEY).compose(ended -> release.get());
                closing = closed;
            }
            return closed;
        });
    }
}
