package io.orestes.app.module;

import io.orestes.app.config.ServerConfig;
import io.orestes.caching.SteadyClock;
import io.orestes.ops.Metrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Clock;
import java.util.function.Supplier;

/**
 * The platform that all modules of one server share: event loops, configuration, clocks, metrics.
 *
 * @param steady clock of all times of copies, which must not depend on changes of the system's
 *     clock
 */
public record Platform(Vertx vertx, ServerConfig config, Clock clock, SteadyClock steady, Metrics metrics) {

    private static final int WORKERS = 8;

    /** Creates the event loops of a server. */
    public static Platform create(ServerConfig config) {
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setPreferNativeTransport(true)
                .setEventLoopPoolSize(Runtime.getRuntime().availableProcessors())
                .setWorkerPoolSize(WORKERS));
        return new Platform(vertx, config, Clock.systemUTC(), new SteadyClock(), new Metrics());
    }

    /**
     * Starts what runs on this platform, which is closed if that fails. The closing of Vert.x
     * cannot be part of a future of its own contexts.
     */
    public <T> Future<T> closeOnFailure(Supplier<Future<T>> start) {
        return Future.future(
                started -> attempt(start).onSuccess(started::complete).onFailure(failure -> vertx.close()
                        .onComplete(closed -> started.fail(failure))));
    }

    private static <T> Future<T> attempt(Supplier<Future<T>> start) {
        try {
            return start.get();
        } catch (RuntimeException failure) {
            return Future.failedFuture(failure);
        }
    }

    /** Closes this platform after everything that runs on it, and fails as that does. */
    public Future<Void> closeAfter(Future<Void> released) {
        return Future.future(
                closing -> released.onComplete(done -> vertx.close().onComplete(closed -> closing.handle(done))));
    }
}
