package io.orestes.read.object;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bulkhead: it limits concurrent requests of one kind, and queues the others for a limited time.
 * Queued requests run in order, each on the context that it came on. Safe for all threads.
 */
final class Bulkhead {

    private final Vertx vertx;
    private final int maxConcurrent;
    private final int maxQueued;
    private final Duration queueTimeout;
    private final Queue<Promise<Void>> waiting = new ArrayDeque<>();
    private int running;

    /** @param patience time after which queued requests are refused */
    Bulkhead(Vertx vertx, int most, int mostWaiting, Duration patience) {
        this.vertx = vertx;
        this.maxConcurrent = most;
        this.maxQueued = mostWaiting;
        this.queueTimeout = patience;
    }

    /**
     * Runs the work when a permit is free; fails with {@code UNAVAILABLE} if none becomes free in
     * time, or too many requests wait.
     */
    <T> Future<T> run(Supplier<Future<T>> work) {
        return acquire().compose(begun -> Future.<Void>succeededFuture()
                .compose(now -> work.get())
                .onComplete(done -> end()));
    }

    private Future<Void> acquire() {
        Promise<Void> turn = Promise.promise();
        synchronized (waiting) {
            if (running < maxConcurrent) {
                running++;
                return Future.succeededFuture();
            }
            if (waiting.size() >= maxQueued) {
                return Future.failedFuture(tooMany());
            }
            waiting.add(turn);
        }
        return await(turn);
    }

    private Future<Void> await(Promise<Void> turn) {
        Context caller = vertx.getOrCreateContext();
        long timer = vertx.setTimer(queueTimeout.toMillis(), late -> reject(turn));
        return Future.future(own -> turn.future().onComplete(come -> {
            boolean unused = vertx.cancelTimer(timer);
            caller.runOnContext(now -> own.handle(come));
        }));
    }

    /** Refuses a queued request unless it runs already. */
    private void reject(Promise<Void> turn) {
        boolean isWaiting;
        synchronized (waiting) {
            isWaiting = waiting.remove(turn);
        }
        if (isWaiting) {
            turn.fail(tooMany());
        }
    }

    private void end() {
        @Nullable Promise<Void> next;
        synchronized (waiting) {
            next = waiting.poll();
            if (next == null) {
                running--;
            }
        }
        if (next != null) {
            next.complete();
        }
    }

    private static ApiException tooMany() {
        return new ApiException(ErrorCode.UNAVAILABLE, "Too many requests with depth at once; try again in a moment")
                .withRetryAfter(Duration.ofSeconds(1));
    }
}
