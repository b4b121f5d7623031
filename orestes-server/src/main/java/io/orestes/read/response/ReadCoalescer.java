package io.orestes.read.response;

import io.orestes.async.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A coalescer of fresh reads: callers that arrive during a read share one that begins after it.
 * Only one read of each key runs at a time. However many callers demand the newest state of a key,
 * the store reads it only as often as one caller could. Thread-safe; futures complete on the
 * caller's context, if it has one.
 *
 * @param <K> key of a read: equal keys, equal reads
 * @param <T> result of a read
 */
public final class ReadCoalescer<K, T> {

    private final Map<K, PendingRead<T>> underWay = new HashMap<>();

    /** A waiting read that starts after the current one. */
    private static final class PendingRead<T> {
        private @Nullable Next<T> next;
    }

    private record Next<T>(Supplier<Future<T>> read, Promise<T> outcome) {}

    /** Returns the outcome of a read that begins after this call. */
    public Future<T> read(K key, Supplier<Future<T>> read) {
        Future<T> shared = entered(key, read);
        Context home = Vertx.currentContext();
        return home == null ? shared : Contexts.on(home, shared);
    }

    private Future<T> entered(K key, Supplier<Future<T>> read) {
        synchronized (underWay) {
            PendingRead<T> turn = underWay.get(key);
            if (turn != null) {
                turn.next = turn.next == null ? new Next<>(read, Promise.promise()) : turn.next;
                return turn.next.outcome.future();
            }
            underWay.put(key, new PendingRead<>());
        }
        return begin(key, read);
    }

    private Future<T> begin(K key, Supplier<Future<T>> read) {
        return Future.<Void>succeededFuture().compose(begun -> read.get()).onComplete(done -> ended(key));
    }

    private void ended(K key) {
        Next<T> next;
        synchronized (underWay) {
            next = Objects.requireNonNull(underWay.remove(key)).next;
            if (next != null) {
                underWay.put(key, new PendingRead<>());
            }
        }
        if (next != null) {
            begin(key, next.read).onComplete(next.outcome);
        }
    }
}
