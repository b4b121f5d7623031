package io.orestes.async;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A request batcher that sends concurrent requests together and limits the number of batches in
 * flight. A batch is sent when the store's context has done its queued work, so that it contains
 * all requests of this work. Requests wait longer only while several batches are in flight, which
 * keep the server busy. They are then sent together once they are numerous enough, or a batch in
 * flight completes. Used on the store's context only.
 */
public final class Batcher<T, R> {

    /** One request of a batch, with the promise of its response. */
    public record BatchedRequest<T, R>(T payload, Promise<R> response) {}

    /**
     * The limits of a batcher.
     *
     * @param maxBatchSize number of requests from which on a batch is sent without delay
     * @param maxInFlight number of batches in flight from which on requests wait for one of them
     *     to complete
     * @param minBusyBatchSize number of waiting requests from which on they are sent nevertheless
     * @param maxDelay maximum delay of a request
     */
    public record BatchLimits(int maxBatchSize, int maxInFlight, int minBusyBatchSize, Duration maxDelay) {}

    private final Context home;
    private final BatchLimits limits;
    private final Function<List<BatchedRequest<T, R>>, Future<?>> action;
    private List<BatchedRequest<T, R>> waiting = new ArrayList<>();
    private int inFlight;
    /** True if the waiting requests are delayed because the server is busy. */
    private boolean isDelayed;

    /**
     * Creates a batcher without a limit on batches in flight.
     *
     * @param maxBatchSize maximum size of a batch
     * @param action has to complete all requests of a batch
     */
    public Batcher(Context home, int maxBatchSize, Consumer<List<BatchedRequest<T, R>>> action) {
        this(home, new BatchLimits(maxBatchSize, Integer.MAX_VALUE, maxBatchSize, Duration.ZERO), together -> {
            action.accept(together);
            return Future.succeededFuture();
        });
    }

    /**
     * Creates a batcher that delays requests while the server is busy.
     *
     * @param action has to complete all requests of a batch; its future completes when the server
     *     has responded
     */
    public Batcher(Context home, BatchLimits limits, Function<List<BatchedRequest<T, R>>, Future<?>> action) {
        this.home = home;
        this.limits = limits;
        this.action = action;
    }

    public Future<R> submit(T what) {
        Promise<R> answer = Promise.promise();
        if (waiting.isEmpty()) {
            List<BatchedRequest<T, R>> together = waiting;
            home.runOnContext(now -> flushUnlessBusy(together));
        }
        waiting.add(new BatchedRequest<>(what, answer));
        if (waiting.size() >= (isDelayed ? limits.minBusyBatchSize : limits.maxBatchSize)) {
            flush(waiting);
        }
        return answer.future();
    }

    private void flushUnlessBusy(List<BatchedRequest<T, R>> together) {
        if (inFlight < limits.maxInFlight || together.size() >= limits.minBusyBatchSize) {
            flush(together);
        } else if (together == waiting) {
            isDelayed = true;
            long unused = home.owner().setTimer(limits.maxDelay.toMillis(), late -> flush(together));
        }
    }

    private void flush(List<BatchedRequest<T, R>> together) {
        if (together == waiting && !together.isEmpty()) {
            waiting = new ArrayList<>();
            isDelayed = false;
            inFlight++;
            act(together).onComplete(done -> flushNext());
        }
    }

    private Future<?> act(List<BatchedRequest<T, R>> together) {
        try {
            return action.apply(together);
        } catch (RuntimeException failure) {
            together.forEach(one -> one.response().tryFail(failure));
            return Future.failedFuture(failure);
        }
    }

    /** Sends the waiting requests together with those that result from the response. */
    private void flushNext() {
        inFlight--;
        List<BatchedRequest<T, R>> together = waiting;
        if (!together.isEmpty()) {
            home.runOnContext(now -> flush(together));
        }
    }

    /** Groups requests by a key, in their order. */
    public static <T, R, K> Map<K, List<BatchedRequest<T, R>>> grouped(
            List<BatchedRequest<T, R>> requests, Function<T, K> key) {
        return requests.stream().collect(Collectors.groupingBy(one -> key.apply(one.payload())));
    }

    /** Returns the payloads of the requests. */
    public static <T, R> List<T> payloads(List<BatchedRequest<T, R>> requests) {
        return requests.stream().map(BatchedRequest::payload).toList();
    }

    /** Completes each request with its part of one common response. */
    public static <T, R, A> void completeAll(
            List<BatchedRequest<T, R>> requests, Future<A> all, BiFunction<A, T, R> part) {
        all.onSuccess(found -> requests.forEach(one -> one.response().complete(part.apply(found, one.payload()))))
                .onFailure(failure -> requests.forEach(one -> one.response().fail(failure)));
    }
}
