package io.orestes.async;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A single-flight group: concurrent loads of one key share executions. A load shares the running
 * execution if nothing was written since that began. Otherwise it shares the trailing one, which
 * begins when the running one has ended. So at most one execution of a key runs, and at most one
 * waits. Thread-safe; futures complete on the caller's context, if it has one.
 *
 * @param <K> key of a load: equal keys, equal loads
 * @param <V> result of a load
 */
public final class SingleFlight<K, V> {

    private final LongSupplier writeCounter;
    private final Map<K, Flight<V>> flights = new HashMap<>();

    /**
     * Creates a group without executions.
     *
     * @param writeCounter number that grows with every write
     */
    public SingleFlight(LongSupplier writeCounter) {
        this.writeCounter = writeCounter;
    }

    /** Creates a group whose loads share only executions that begin after them. */
    public static <K, V> SingleFlight<K, V> trailing() {
        return new SingleFlight<>(new AtomicLong()::incrementAndGet);
    }

    /**
     * Loads the present value of a key; never a value from before a write that is counted already.
     *
     * @param loader loads it; receives the count of writes at the beginning of the execution
     */
    public Future<V> load(K key, LongFunction<Future<V>> loader) {
        Future<V> shared = share(key, loader);
        Context home = Vertx.currentContext();
        return home == null ? shared : Contexts.on(home, shared);
    }

    private Future<V> share(K key, LongFunction<Future<V>> loader) {
        Flight<V> flight;
        synchronized (flights) {
            long writes = writeCounter.getAsLong();
            Flight<V> running = flights.get(key);
            if (running != null) {
                return running.beganAt == writes ? running.outcome.future() : running.trailing(loader);
            }
            flight = new Flight<>(writes, loader, Promise.promise());
            flights.put(key, flight);
        }
        return begin(key, flight);
    }

    private Future<V> begin(K key, Flight<V> flight) {
        Future.<Void>succeededFuture()
                .compose(begun -> flight.loader.apply(flight.beganAt))
                .onComplete(loaded -> {
                    beginTrailing(key, flight);
                    flight.outcome.handle(loaded);
                });
        return flight.outcome.future();
    }

    private void beginTrailing(K key, Flight<V> ended) {
        Flight<V> next;
        synchronized (flights) {
            Trailing<V> trailing = ended.trailing;
            if (trailing == null) {
                flights.remove(key);
                return;
            }
            next = new Flight<>(writeCounter.getAsLong(), trailing.loader, trailing.outcome);
            flights.put(key, next);
        }
        var unused = begin(key, next);
    }

    /** The execution that begins when the running one has ended. */
    private record Trailing<V>(LongFunction<Future<V>> loader, Promise<V> outcome) {}

    /** The running execution of one key. */
    private static final class Flight<V> {

        private final long beganAt;
        private final LongFunction<Future<V>> loader;
        private final Promise<V> outcome;
        private @Nullable Trailing<V> trailing;

        private Flight(long beganAt, LongFunction<Future<V>> loader, Promise<V> outcome) {
            this.beganAt = beganAt;
            this.loader = loader;
            this.outcome = outcome;
        }

        private Future<V> trailing(LongFunction<Future<V>> next) {
            Trailing<V> shared = trailing == null ? new Trailing<>(next, Promise.promise()) : trailing;
            trailing = shared;
            return shared.outcome.future();
        }
    }
}
