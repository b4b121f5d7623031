package io.orestes.store.mongo;

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
final class Batcher<T, R> {

    /** One request of a batch, with the promise of its response. */
    record BatchedRequest<T, R>(T what, Promise<R> answer) {}

    private final Context home;
    private final int most;
    private final int mostUnderWay;
    private final int enough;
    private final Duration longest;
    private final Function<List<BatchedRequest<T, R>>, Future<?>> action;
    private List<BatchedRequest<T, R>> waiting = new ArrayList<>();
    private int underWay;
    /** True if the waiting requests are delayed because the server is busy. */
    private boolean isHeldBack;

    /**
     * Creates a batcher without a limit on batches in flight.
     *
     * @param most maximum size of a batch
     * @param action has to complete all requests of a batch
     */
    Batcher(Context home, int most, Consumer<List<BatchedRequest<T, R>>> action) {
        this(home, most, Integer.MAX_VALUE, most, Duration.ZERO, together -> {
            action.accept(together);
            return Future.succeededFuture();
        });
    }

    /**
     * Creates a batcher that delays requests while the server is busy.
     *
     * @param most maximum size of a batch, which is sent without delay
     * @param mostUnderWay number of batches in flight from which on requests wait for one of them
     *     to complete
     * @param enough number of waiting requests from which on they are sent nevertheless
     * @param longest maximum delay of a request
     * @param action has to complete all requests of a batch; its future completes when the server
     *     has responded
     */
    Batcher(
            Context home,
            int most,
            int mostUnderWay,
            int enough,
            Duration longest,
            Function<List<BatchedRequest<T, R>>, Future<?>> action) {
        this.home = home;
        this.most = most;
        this.mostUnderWay = mostUnderWay;
        this.enough = enough;
        this.longest = longest;
        this.action = action;
    }

    Future<R> ask(T what) {
        Promise<R> answer = Promise.promise();
        if (waiting.isEmpty()) {
            List<BatchedRequest<T, R>> together = waiting;
            home.runOnContext(now -> goUnlessBusy(together));
        }
        waiting.add(new BatchedRequest<>(what, answer));
        if (waiting.size() >= (isHeldBack ? enough : most)) {
            go(waiting);
        }
        return answer.future();
    }

    private void goUnlessBusy(List<BatchedRequest<T, R>> together) {
        if (underWay < mostUnderWay || together.size() >= enough) {
            go(together);
        } else if (together == waiting) {
            isHeldBack = true;
            long unused = home.owner().setTimer(longest.toMillis(), late -> go(together));
        }
    }

    private void go(List<BatchedRequest<T, R>> together) {
        if (together == waiting && !together.isEmpty()) {
            waiting = new ArrayList<>();
            isHeldBack = false;
            underWay++;
            act(together).onComplete(done -> answered());
        }
    }

    private Future<?> act(List<BatchedRequest<T, R>> together) {
        try {
            return action.apply(together);
        } catch (RuntimeException failure) {
            together.forEach(one -> one.answer().tryFail(failure));
            return Future.failedFuture(failure);
        }
    }

    /** Sends the waiting requests together with those that result from the response. */
    private void answered() {
        underWay--;
        List<BatchedRequest<T, R>> together = waiting;
        if (!together.isEmpty()) {
            home.runOnContext(now -> go(together));
        }
    }

    /** Groups requests by a key, in their order. */
    static <T, R, K> Map<K, List<BatchedRequest<T, R>>> grouped(
            List<BatchedRequest<T, R>> batchedRequest, Function<T, K> key) {
        return batchedRequest.stream().collect(Collectors.groupingBy(one -> key.apply(one.what())));
    }

    /** Returns the payloads of the requests. */
    static <T, R> List<T> subjects(List<BatchedRequest<T, R>> batchedRequest) {
        return batchedRequest.stream().map(BatchedRequest::what).toList();
    }

    /** Completes each request with its part of one common response. */
    static <T, R, A> void answer(List<BatchedRequest<T, R>> batchedRequest, Future<A> all, BiFunction<A, T, R> part) {
        all.onSuccess(found -> batchedRequest.forEach(one -> one.answer().complete(part.apply(found, one.what()))))
                .onFailure(failure -> batchedRequest.forEach(one -> one.answer().fail(failure)));
    }
}
