package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.store.Rewrite;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonDocument;

/**
 * Which buckets are being rewritten. Reads of these wait, for they would meet objects in two forms; writes are refused. A
 * write that was made for the old form but arrives after the rewriting is refused for a while, too. Safe for all threads.
 */
final class Gates {

    /** No thread stands still for so long between making an object for a schema and handing it to the store. */
    private static final Duration LATENESS = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final InstantSource clock;
    private volatile Map<String, Promise<Void>> closed = Map.of();
    private volatile Map<String, Past> past = Map.of();

    Gates(Vertx vertx, InstantSource clock) {
        this.vertx = vertx;
        this.clock = clock;
    }

    /** Does a read now or when the bucket is open again. */
    <T> Future<T> pass(String bucket, Supplier<Future<T>> read) {
        Promise<Void> opening = closed.get(bucket);
        return opening == null ? read.get() : later(opening.future(), read);
    }

    /** Fails with {@code UNAVAILABLE} while the bucket is being rewritten. */
    void requireOpen(String bucket) {
        if (closed.containsKey(bucket)) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "Class " + bucket + " is being changed; try again");
        }
    }

    /** The same guard, to be asked by the committer, with these gates before it. */
    WriteGuard before(WriteGuard guard, BsonDocument fields) {
        return (ref, current) -> {
            requireOpen(ref.bucket());
            requireCurrent(ref, fields);
            guard.check(ref, current);
        };
    }

    synchronized void close(Set<String> buckets) {
        Map<String, Promise<Void>> next = new HashMap<>(closed);
        buckets.forEach(bucket -> next.put(bucket, Promise.promise()));
        closed = Map.copyOf(next);
    }

    /** Lets everybody in after the rewriting, or fails all reads if it failed: what they would find is neither old nor new. */
    void open(Map<String, Rewrite> rewritten, Future<Void> outcome) {
        Map<String, Promise<Void>> opened = new HashMap<>(closed);
        opened.keySet().retainAll(rewritten.keySet());
        if (outcome.succeeded()) {
            reopen(rewritten);
        }
        opened.values().forEach(opening -> outcome.onComplete(opening));
    }

    private synchronized void reopen(Map<String, Rewrite> rewritten) {
        Map<String, Past> over = new HashMap<>(past);
        rewritten.forEach((bucket, rewrite) ->
                over.put(bucket, new Past(rewrite, clock.instant().plus(LATENESS))));
        past = Map.copyOf(over);
        Map<String, Promise<Void>> next = new HashMap<>(closed);
        next.keySet().removeAll(rewritten.keySet());
        closed = Map.copyOf(next);
    }

    private void requireCurrent(ObjectRef ref, BsonDocument fields) {
        Past last = past.get(ref.bucket());
        if (last != null && clock.instant().isBefore(last.until) && last.rewrite.isOutdated(fields)) {
            throw new ApiException(
                    ErrorCode.UNAVAILABLE, "Class " + ref.bucket() + " was changed while this was written; try again");
        }
    }

    private <T> Future<T> later(Future<Void> opening, Supplier<Future<T>> read) {
        Context caller = vertx.getOrCreateContext();
        Promise<T> promise = Promise.promise();
        opening.onComplete(opened -> caller.runOnContext(
                nothing -> opening.compose(open -> read.get()).onComplete(promise)));
        return promise.future();
    }

    private record Past(Rewrite rewrite, Instant until) {}
}
