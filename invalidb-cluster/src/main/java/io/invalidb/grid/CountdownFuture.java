package io.invalidb.grid;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A future that completes when a given number of cells has answered, with their first failure if
 * any.
 */
final class CountdownFuture {

    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicInteger missing;

    CountdownFuture(int cells) {
        this.missing = new AtomicInteger(cells);
    }

    void succeeded() {
        if (missing.decrementAndGet() == 0) {
            complete();
        }
    }

    void failed(Throwable cause) {
        failure.compareAndSet(null, cause);
        succeeded();
    }

    private void complete() {
        Throwable cause = failure.get();
        if (cause == null) {
            done.complete(null);
        } else {
            done.completeExceptionally(cause);
        }
    }

    CompletableFuture<Void> done() {
        return done;
    }
}
