package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.store.embedded.commit.CallerContextPromise;
import io.orestes.store.embedded.commit.CompletionBatch;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A pool of threads that read from disk, so that no event loop blocks. */
final class ReaderPool {

    private final Vertx vertx;
    private final ExecutorService threads;

    /**
     * Creates threads for one kind of work.
     *
     * @param kind name of that work, for the names of the threads
     * @param maxWaiting most tasks that wait for a thread, at least 1; further ones are refused
     */
    ReaderPool(Vertx vertx, String kind, int count, int maxWaiting) {
        this.vertx = vertx;
        this.threads = new ThreadPoolExecutor(
                count,
                count,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(maxWaiting),
                named("orestes-store-" + kind));
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + "-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Executes work on one of the threads; the future completes on the caller's context. */
    <T> Future<T> call(Supplier<T> work) {
        CallerContextPromise<T> callerPromise = CallerContextPromise.forCurrentContext(vertx);
        try {
            threads.execute(() -> CompletionBatch.send(callerPromise, attempt(work)));
        } catch (RejectedExecutionException e) {
            return Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, refusal()));
        }
        return callerPromise.future();
    }

    private String refusal() {
        return threads.isShutdown() ? "The store is closed" : "Too many queries wait to be run; try again later";
    }

    /** Accepts no more work, completes what is queued, and stops. Blocks until then. */
    void stop() throws InterruptedException {
        threads.shutdown();
        while (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
            threads.shutdown();
        }
    }

    private static <T> Future<T> attempt(Supplier<T> work) {
        try {
            return Future.succeededFuture(work.get());
        } catch (RuntimeException e) {
            return Future.failedFuture(ApiException.of(e));
        }
    }
}
