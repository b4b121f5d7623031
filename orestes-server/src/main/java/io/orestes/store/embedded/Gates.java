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
 * write that was made for an older form but arrives after the rewriting is refused, too, and so is what was meant for a
 * bucket before it was dropped. Safe for all threads.
 */
final class Gates {

    private final Vertx vertx;
    private volatile Map<String, Promise<Void>> closed = Map.of();
    /** How often each bucket was rewritten or dropped; those that never were are left out. */
    private volatile Map<String, Long> forms = Map.of();
    /** The first form of each bucket after it was dropped. */
    private volatile Map<String, Long> births = Map.of();

    Gates(Vertx vertx) {
        this.vertx = vertx;
    }

    /** How often the bucket was rewritten or dropped in this process. */
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

    /** Fails also when the bucket does not have that form any more; that changes before the gate opens. */
    void requireOpen(String bucket, long form) {
        requireOpen(bucket);
        if (form != form(bucket)) {
            requireLife(bucket, form);
            throw new ApiException(
                    ErrorCode.UNAVAILABLE, "Class " + bucket + " was changed while this was written; try again");
        }
    }

    /** The same guard for what was made for a certain form, to be asked by the committer, with these gates before it. */
    WriteGuard before(WriteGuard guard, long form) {
        return (ref, current) -> {
            requireOpen(ref.bucket(), form);
            guard.check(ref, current);
        };
    }

    /** The same for what may be done to any later form, but not after a drop. */
    WriteGuard beforeAnyForm(WriteGuard guard, long form) {
        return (ref, current) -> {
            requireOpen(ref.bucket());
            requireLife(ref.bucket(), form);
            guard.check(ref, current);
        };
    }

    /** Refuses from now on what was meant for the bucket until now. */
    synchronized void drop(String bucket) {
        long next = form(bucket) + 1;
        // this order: who sees the new form and asks why also finds the answer
        births = with(births, bucket, next);
        forms = with(forms, bucket, next);
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

    private void requireLife(String bucket, long form) {
        if (form < births.getOrDefault(bucket, 0L)) {
            throw new ApiException(ErrorCode.BUCKET_NOT_FOUND, "There is no class /db/" + bucket + " any more");
        }
    }

    private static Map<String, Long> with(Map<String, Long> numbers, String bucket, long number) {
        Map<String, Long> next = new HashMap<>(numbers);
        next.put(bucket, number);
        return Map.copyOf(next);
    }

    private <T> Future<T> later(Future<Void> opening, Supplier<Future<T>> read) {
        Context caller = vertx.getOrCreateContext();
        Promise<T> promise = Promise.promise();
        opening.onComplete(opened -> caller.runOnContext(
                nothing -> opening.compose(open -> read.get()).onComplete(promise)));
        return promise.future();
    }
}
