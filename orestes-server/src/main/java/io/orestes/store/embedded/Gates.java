package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Which buckets are being rewritten. Reads of these wait, for they would meet objects in two forms; writes are refused. A
 * write that was made for an older form but arrives after the rewriting is refused, too. Safe for all threads.
 */
final class Gates {

    private final Vertx vertx;
    private volatile Map<String, Promise<Void>> closed = Map.of();
    /** How often each bucket was rewritten; those that never were are left out. */
    private volatile Map<String, Long> forms = Map.of();

    Gates(Vertx vertx) {
        this.vertx = vertx;
    }

    /** How often the bucket was rewritten in this process. */
    long form(String bucket) {
        return forms.getOrDefault(bucket, 0L);
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
    WriteGuard before(WriteGuard guard) {
        return (ref, current) -> {
            requireOpen(ref.bucket());
            guard.check(ref, current);
        };
    }

    /** The same guard for what was made for a certain form; the form changes before the gate opens. */
    WriteGuard before(WriteGuard guard, long form) {
        return before((ref, current) -> {
            requireForm(ref.bucket(), form);
            guard.check(ref, current);
        });
    }

    synchronized void close(Set<String> buckets) {
        Map<String, Promise<Void>> next = new HashMap<>(closed);
        buckets.forEach(bucket -> next.put(bucket, Promise.promise()));
        closed = Map.copyOf(next);
    }

    /** Lets everybody in after the rewriting, or fails all reads if it failed: what they would find is neither old nor new. */
    void open(Set<String> rewritten, Future<Void> outcome) {
        Map<String, Promise<Void>> opened = new HashMap<>(closed);
        opened.keySet().retainAll(rewritten);
        if (outcome.succeeded()) {
            reopen(rewritten);
        }
        opened.values().forEach(opening -> outcome.onComplete(opening));
    }

    private synchronized void reopen(Set<String> rewritten) {
        Map<String, Long> newer = new HashMap<>(forms);
        rewritten.forEach(bucket -> newer.merge(bucket, 1L, Long::sum));
        forms = Map.copyOf(newer);
        Map<String, Promise<Void>> next = new HashMap<>(closed);
        next.keySet().removeAll(rewritten);
        closed = Map.copyOf(next);
    }

    private void requireForm(String bucket, long form) {
        if (form != form(bucket)) {
            throw new ApiException(
                    ErrorCode.UNAVAILABLE, "Class " + bucket + " was changed while this was written; try again");
        }
    }

    private <T> Future<T> later(Future<Void> opening, Supplier<Future<T>> read) {
        Context caller = vertx.getOrCreateContext();
        Promise<T> promise = Promise.promise();
        opening.onComplete(opened -> caller.runOnContext(
                nothing -> opening.compose(open -> read.get()).onComplete(promise)));
        return promise.future();
    }
}
