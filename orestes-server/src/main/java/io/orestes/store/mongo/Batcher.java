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
 * flight. A batch is sent when the store's context has done the work that it already has, and all
 * that this work requests. Requests wait longer only while several batches are under way, which
 * keep the server busy. They are then sent together once they are enough, or one of those batches
 * is answered. Used on the store's context only.
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
    /** Whether those who wait do so because the server is busy. */
    private boolean isHeldBack;

    /**
     * Where nobody waits for an answer to others.
     *
     * @param most so many go together
     * @param action has to answer all of them
     */
    Batcher(Context home, int most, Consumer<List<BatchedRequest<T, R>>> action) {
        this(home, most, Integer.MAX_VALUE, most, Duration.ZERO, together -> {
            action.accept(together);
            return Future.succeededFuture();
        });
    }

    /**
     * Where those who come wait while the server is busy.
     *
     * @param most so many go together, and wait for nothing
     * @param mostUnderWay with so many requests under way the next ones wait for one of them to be
     *     answered
     * @param enough or until there are so many of them
     * @param longest and not longer than that
     * @param action has to answer all of them; completes when the server has answered
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

    /** What the answer leads to goes along with those who waited for it. */
    private void answered() {
        underWay--;
        List<BatchedRequest<T, R>> together = waiting;
        if (!together.isEmpty()) {
            home.runOnContext(now -> go(together));
        }
    }

    /** Those that have the same key, in their order. */
    static <T, R, K> Map<K, List<BatchedRequest<T, R>>> grouped(
            List<BatchedRequest<T, R>> batchedRequest, Function<T, K> key) {
        return batchedRequest.stream().collect(Collectors.groupingBy(one -> key.apply(one.what())));
    }

    /** What they ask for. */
    static <T, R> List<T> subjects(List<BatchedRequest<T, R>> batchedRequest) {
        return batchedRequest.stream().map(BatchedRequest::what).toList();
    }

    /** Gives each his part of one answer to all. */
    static <T, R, A> void answer(List<BatchedRequest<T, R>> batchedRequest, Future<A> all, BiFunction<A, T, R> part) {
        all.onSuccess(found -> batchedRequest.forEach(one -> one.answer().complete(part.apply(found, one.what()))))
                .onFailure(failure -> batchedRequest.forEach(one -> one.answer().fail(failure)));
    }
}
