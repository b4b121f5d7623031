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
public final class UnansweredWriteRegistry {

    /** A state of an object, identified by the write and its match events alike. */
    private record PendingWriteKey(String id, VersionStamp stamp) {

        private static PendingWriteKey of(WriteOutcome writeOutcome) {
            return new PendingWriteKey(writeOutcome.ref().id(), writeOutcome.stamp());
        }
    }

    private final Map<PendingWriteKey, Future<Void>> pending = new ConcurrentHashMap<>();

    /**
     * Runs the rest of writes that are answered together, which includes their matching. A repeated
     * write keeps its first acknowledgement.
     */
    public <T> Future<T> track(Collection<? extends WriteOutcome> written, Supplier<Future<T>> remainder) {
        Promise<Void> answered = Promise.promise();
        written.forEach(writeOutcome -> pending.putIfAbsent(PendingWriteKey.of(writeOutcome), answered.future()));
        return Future.<Void>succeededFuture().compose(begun -> remainder.get()).onComplete(done -> {
            written.forEach(writeOutcome -> pending.remove(PendingWriteKey.of(writeOutcome), answered.future()));
            answered.complete();
        });
    }

    /**
     * Succeeds when the write is about to be answered; at once if it was, or has no waiting client
     * here. Never fails.
     */
    public Future<Void> awaitAcknowledged(String id, VersionStamp stamp) {
        return pending.getOrDefault(new PendingWriteKey(id, stamp), Future.succeededFuture());
    }
}
