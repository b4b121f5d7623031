package io.orestes.async;

import io.orestes.model.ApiException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A fence: it delays operations on closed keys until those are open again. Thread-safe.
 */
public final class Fence {

    private final Vertx vertx;
    private final Duration timeout;
    private final Function<String, ApiException> refusal;
    private volatile Map<String, Promise<Void>> closed = Map.of();
    /** Number of times that each key was closed. */
    private volatile Map<String, Long> closeCounts = Map.of();

    /**
     * Creates a fence without closed keys.
     *
     * @param timeout time after which a waiting read is refused
     * @param refusal creates the failure of an operation on a key that is not opened in time
     */
    public Fence(Vertx vertx, Duration timeout, Function<String, ApiException> refusal) {
        this.vertx = vertx;
        this.timeout = timeout;
        this.refusal = refusal;
    }

    public boolean isClosed(String key) {
        return closed.containsKey(key);
    }

    /** Closes keys. Operations that wait for them already continue to wait. */
    public synchronized void close(Set<String> keys) {
        Map<String, Promise<Void>> next = new HashMap<>(closed);
        keys.forEach(key -> next.computeIfAbsent(key, open -> Promise.promise()));
        closed = Map.copyOf(next);
        // in this order: a thread that sees the new number finds the key closed
        Map<String, Long> counts = new HashMap<>(closeCounts);
        keys.forEach(key -> counts.merge(key, 1L, Long::sum));
        closeCounts = Map.copyOf(counts);
    }

    /**
     * Opens keys if the outcome is a success. Otherwise they stay closed, and all operations that
     * wait fail with it.
     *
     * @param outcome completed outcome of the work for which they were closed
     */
    public void open(Set<String> keys, Future<Void> outcome) {
        Map<String, Promise<Void>> opened = new HashMap<>(closed);
        opened.keySet().retainAll(keys);
        if (outcome.succeeded()) {
            remove(keys);
        }
        opened.values().forEach(opening -> outcome.onComplete(opening));
    }

    private synchronized void remove(Set<String> keys) {
        Map<String, Promise<Void>> next = new HashMap<>(closed);
        next.keySet().removeAll(keys);
        closed = Map.copyOf(next);
    }

    /**
     * Executes a read when the key is open. Repeats it if the key is closed before its outcome. A
     * read that has waited begins on the caller's context.
     */
    public <T> Future<T> read(String key, Supplier<Future<T>> read) {
        long count = closeCount(key);
        return isClosed(key)
                ? awaitOpening(key, timeout).compose(open -> read(key, read))
                : read.get().transform(outcome -> count == closeCount(key) ? result(outcome) : read(key, read));
    }

    /**
     * Completes on the caller's context when the key is open; fails after a time-out of its own, or
     * as the opening fails.
     */
    public Future<Void> awaitOpening(String key, Duration timeout) {
        Promise<Void> opening = closed.get(key);
        if (opening == null) {
            return Future.succeededFuture();
        }
        if (timeout.toMillis() <= 0) {
            return Future.failedFuture(refusal.apply(key));
        }
        Promise<Void> promise = Promise.promise();
        Context caller = vertx.getOrCreateContext();
        long timer = vertx.setTimer(
                timeout.toMillis(), late -> caller.runOnContext(now -> promise.tryFail(refusal.apply(key))));
        opening.future()
                .onComplete(opened -> caller.runOnContext(now -> {
                    boolean unusedTimer = vertx.cancelTimer(timer);
                    boolean unusedTurn = opened.succeeded() ? promise.tryComplete() : promise.tryFail(opened.cause());
                }));
        return promise.future();
    }

    private long closeCount(String key) {
        return closeCounts.getOrDefault(key, 0L);
    }

    private static <T> Future<T> result(AsyncResult<T> outcome) {
        return outcome.succeeded() ? Future.succeededFuture(outcome.result()) : Future.failedFuture(outcome.cause());
    }
}
