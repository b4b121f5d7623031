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

    /** How long an admin who asks how the server is waits for one of its parts. */
    public static final Duration PATIENCE = Duration.ofSeconds(2);

    private final StoreState store;
    private final Supplier<Future<?>> storeProbe;
    private volatile Supplier<Optional<ChangeFeedState>> changes = Optional::empty;
    private volatile boolean ready;

    /** @param storeProbe a cheap read; its failure makes the server unready */
    public Health(StoreState store, Supplier<Future<?>> storeProbe) {
        this.store = store;
        this.storeProbe = storeProbe;
    }

    /** What keeps the objects. */
    public StoreState store() {
        return store;
    }

    /** Says where it is known how the changes of the store are read. */
    public void readsChanges(Supplier<ChangeFeedState> state) {
        changes = () -> Optional.of(state.get());
    }

    /** How the changes of the store are read; empty if nobody but this server writes to it. */
    public Optional<ChangeFeedState> changes() {
        return changes.get();
    }

    /** Requests are accepted from now on. */
    public void ready() {
        ready = true;
    }

    /** The server is stopping: load balancers should send nobody any more. */
    public void draining() {
        ready = false;
    }

    /** Whether requests are accepted, whatever the store says. */
    public boolean isReady() {
        return ready;
    }

    /**
     * In which time the store answers a cheap read; empty if it fails, or has not answered by
     * {@link #PATIENCE}.
     */
    public Future<Optional<Duration>> askStore() {
        long asked = System.nanoTime();
        return storeProbe
                .get()
                .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .map(answer -> Optional.of(Duration.ofNanos(System.nanoTime() - asked)))
                .otherwise(Optional.empty());
    }

    /** Completes with whether a request sent now would be served. */
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
