package io.orestes.async;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A single-flight group: concurrent loads of one key share one execution and at most one trailing
 * execution. The trailing execution waits for the end of the running one and serves callers that
 * arrive after a write. Safe for all threads.
 */
public final class SingleFlight<K, V> {

    private final LongSupplier moments;
    private final BiFunction<K, Long, Future<V>> loader;
    private final Map<K, Flight<V>> flights = new HashMap<>();

    /**
     * Creates a group without executions.
     *
     * @param writeCounter numbers that grow with every write
     * @param lookUp loads a key; receives the moment at which it began
     */
    public SingleFlight(LongSupplier writeCounter, BiFunction<K, Long, Future<V>> lookUp) {
        this.moments = writeCounter;
        this.loader = lookUp;
    }

    /**
     * Loads the present value of a key; never a value from before a write that is counted already.
     * Completes on any context.
     */
    public Future<V> load(K key) {
        Flight<V> flight;
        synchronized (flights) {
            Flight<V> running = flights.get(key);
            if (running != null) {
                return running.startedAt == moments.getAsLong() ? running.found.future() : running.next();
            }
            flight = new Flight<>(moments.getAsLong(), Promise.promise());
            flights.put(key, flight);
        }
        return begin(key, flight);
    }

    private Future<V> begin(K key, Flight<V> flight) {
        Future<V> found = loader.apply(key, flight.startedAt);
        found.onComplete(done -> {
            beginNext(key, flight);
            flight.found.handle(done);
        });
        return flight.found.future();
    }

    private void beginNext(K key, Flight<V> ended) {
        Flight<V> next;
        synchronized (flights) {
            Promise<V> awaited = ended.next;
            if (awaited == null) {
                flights.remove(key);
                return;
            }
            next = new Flight<>(moments.getAsLong(), awaited);
            flights.put(key, next);
        }
        var unused = begin(key, next);
    }

    /** One execution of a load under way, with the trailing execution that waits for its end. */
    private static final class Flight<V> {

        private final long startedAt;
        private final Promise<V> found;
        private @Nullable Promise<V> next;

        private Flight(long startedAt, Promise<V> found) {
            this.startedAt = startedAt;
            this.found = found;
        }

        private Future<V> next() {
            Promise<V> awaited = next == null ? Promise.promise() : next;
            next = awaited;
            return awaited.future();
        }
    }
}
