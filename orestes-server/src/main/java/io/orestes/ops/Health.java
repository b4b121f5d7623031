package io.orestes.ops;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The liveness and readiness of the server, and the health of its store. A ready server accepts
 * requests. Thread-safe.
 */
public final class Health {

    /** Maximum time to wait for a part of the server in a health report. */
    public static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);

    private final StoreDescription store;
    private final Supplier<Future<?>> storeProbe;
    private final Supplier<Optional<ChangeFeedState>> changes;
    private volatile boolean ready;

    /**
     * @param storeProbe a cheap read; its failure makes the server unready
     * @param changes supplies the state of the change feed; empty if there is none
     */
    public Health(StoreDescription store, Supplier<Future<?>> storeProbe, Supplier<Optional<ChangeFeedState>> changes) {
        this.store = store;
        this.storeProbe = storeProbe;
        this.changes = changes;
    }

    /** Returns the description of the store. */
    public StoreDescription store() {
        return store;
    }

    /** Returns the state of the change feed; empty if only this server writes to the store. */
    public Optional<ChangeFeedState> changes() {
        return changes.get();
    }

    /** Marks the server as ready to accept requests. */
    public void ready() {
        ready = true;
    }

    /** Marks the server as stopping: load balancers should send no more requests. */
    public void startDraining() {
        ready = false;
    }

    /** Returns whether requests are accepted, whatever the state of the store. */
    public boolean isReady() {
        return ready;
    }

    /**
     * Returns the response time of the store for a cheap read; empty if it fails, or has not
     * answered within {@link #PROBE_TIMEOUT}.
     */
    public Future<Optional<Duration>> probeStore() {
        long asked = System.nanoTime();
        return storeProbe
                .get()
                .timeout(PROBE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .map(answer -> Optional.of(Duration.ofNanos(System.nanoTime() - asked)))
                .otherwise(Optional.empty());
    }

    /** Completes with true if a request sent now would be served. */
    public Future<Boolean> check() {
        return ready
                ? storeProbe
                        .get()
                        .map(true)
                        .recover(failure -> Future.succeededFuture(false))
                        .map(Boolean.TRUE::equals)
                : Future.succeededFuture(false);
    }
}
