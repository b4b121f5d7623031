package io.orestes.ops;

import io.vertx.core.Future;
import java.util.function.Supplier;

/** Whether the server can do its work: alive, ready (accepting requests), and its store answering. Thread-safe. */
public final class Health {

    private final Supplier<Future<?>> storeProbe;
    private volatile boolean ready;

    /** @param storeProbe a cheap read; its failure makes the server unready */
    public Health(Supplier<Future<?>> storeProbe) {
        this.storeProbe = storeProbe;
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
