package io.orestes.ops;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether the server can do its work: alive, ready (accepting requests), and its store answering. Thread-safe. */
public final class Health {

    private final StoreState store;
    private final Supplier<Future<?>> storeProbe;
    private volatile Supplier<Optional<ChangesState>> changes = Optional::empty;
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
    public void readsChanges(Supplier<ChangesState> state) {
        changes = () -> Optional.of(state.get());
    }

    /** How the changes of the store are read; empty if nobody but this server writes to it, or it does not tell. */
    public Optional<ChangesState> changes() {
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
