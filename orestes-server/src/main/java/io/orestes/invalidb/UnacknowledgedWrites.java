package io.orestes.invalidb;

import io.invalidb.model.VersionStamp;
import io.orestes.model.WriteOutcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A registry of writes that are being matched and whose clients have no response yet. It is for
 * callers that must not report a write before its writer has the response. Thread-safe.
 */
public final class UnacknowledgedWrites {

    /** A state of an object, identified by the write and its match events alike. */
    private record State(String id, VersionStamp stamp) {

        private static State of(WriteOutcome writeOutcome) {
            return new State(writeOutcome.ref().id(), writeOutcome.stamp());
        }
    }

    private final Map<State, Future<Void>> pending = new ConcurrentHashMap<>();

    /**
     * Runs the rest of writes that are answered together, which includes their matching. A repeated
     * write keeps its first acknowledgement.
     */
    public <T> Future<T> during(Collection<? extends WriteOutcome> written, Supplier<Future<T>> rest) {
        Promise<Void> answered = Promise.promise();
        written.forEach(writeOutcome -> pending.putIfAbsent(State.of(writeOutcome), answered.future()));
        return Future.<Void>succeededFuture().compose(begun -> rest.get()).onComplete(done -> {
            written.forEach(writeOutcome -> pending.remove(State.of(writeOutcome), answered.future()));
            answered.complete();
        });
    }

    /**
     * Succeeds when the write is about to be answered; at once if it was, or has no waiting client
     * here. Never fails.
     */
    public Future<Void> of(String id, VersionStamp stamp) {
        return pending.getOrDefault(new State(id, stamp), Future.succeededFuture());
    }
}
