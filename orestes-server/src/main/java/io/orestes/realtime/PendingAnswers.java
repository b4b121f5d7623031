package io.orestes.realtime;

import io.invalidb.model.Stamp;
import io.orestes.model.Outcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Writes that are matched and not answered yet, for who must not tell of one before its writer has the answer. Thread-safe. */
public final class PendingAnswers {

    /** A state of an object, as both the write and its match events name it. */
    private record State(String id, Stamp stamp) {

        private static State of(Outcome outcome) {
            return new State(outcome.ref().id(), outcome.stamp());
        }
    }

    private final Map<State, Future<Void>> pending = new ConcurrentHashMap<>();

    /** Does what is left of writes that are answered together, in which they are matched. What is told again keeps its first answer. */
    public <T> Future<T> during(Collection<? extends Outcome> written, Supplier<Future<T>> rest) {
        Promise<Void> answered = Promise.promise();
        written.forEach(outcome -> pending.putIfAbsent(State.of(outcome), answered.future()));
        return Future.<Void>succeededFuture().compose(begun -> rest.get()).onComplete(done -> {
            written.forEach(outcome -> pending.remove(State.of(outcome), answered.future()));
            answered.complete();
        });
    }

    /** Succeeds when the write is about to be answered; at once if it was, or has nobody here who waits. Never fails. */
    public Future<Void> of(String id, Stamp stamp) {
        return pending.getOrDefault(new State(id, stamp), Future.succeededFuture());
    }
}
