package io.orestes.store.mongo;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Brings together what is asked for at the same moment, so that it can be one request. Nobody waits for company: what the
 * store's context has to do already is done, and then all that it led to goes. Used on that context only.
 */
final class Gathering<T, R> {

    /** What one of them asks for, and where the answer goes. */
    record Asked<T, R>(T what, Promise<R> answer) {}

    private final Context home;
    private final int most;
    private final Consumer<List<Asked<T, R>>> action;
    private List<Asked<T, R>> waiting = new ArrayList<>();

    /**
     * @param most so many go together
     * @param action has to answer all of them
     */
    Gathering(Context home, int most, Consumer<List<Asked<T, R>>> action) {
        this.home = home;
        this.most = most;
        this.action = action;
    }

    Future<R> ask(T what) {
        Promise<R> answer = Promise.promise();
        if (waiting.isEmpty()) {
            List<Asked<T, R>> together = waiting;
            home.runOnContext(now -> go(together));
        }
        waiting.add(new Asked<>(what, answer));
        if (waiting.size() == most) {
            go(waiting);
        }
        return answer.future();
    }

    private void go(List<Asked<T, R>> together) {
        if (together == waiting) {
            waiting = new ArrayList<>();
            act(together);
        }
    }

    private void act(List<Asked<T, R>> together) {
        try {
            action.accept(together);
        } catch (RuntimeException failure) {
            together.forEach(one -> one.answer().tryFail(failure));
        }
    }

    /** Those that have the same key, in their order. */
    static <T, R, K> Map<K, List<Asked<T, R>>> grouped(List<Asked<T, R>> asked, Function<T, K> key) {
        return asked.stream().collect(Collectors.groupingBy(one -> key.apply(one.what())));
    }

    /** What they ask for. */
    static <T, R> List<T> subjects(List<Asked<T, R>> asked) {
        return asked.stream().map(Asked::what).toList();
    }

    /** Gives each his part of one answer to all. */
    static <T, R, A> void answer(List<Asked<T, R>> asked, Future<A> all, BiFunction<A, T, R> part) {
        all.onSuccess(found -> asked.forEach(one -> one.answer().complete(part.apply(found, one.what()))))
                .onFailure(failure -> asked.forEach(one -> one.answer().fail(failure)));
    }
}
