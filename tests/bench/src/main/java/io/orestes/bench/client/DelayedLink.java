package io.orestes.bench.client;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A delayed connection to a port of this machine: data arrive half a round trip later, in order.
 * Opening a connection takes no time, so connections should stay open. Runs on one event loop.
 */
public final class DelayedLink {

    private final Vertx vertx;
    private final int target;
    private final NetServer server;
    /** Connections end when it is collected. */
    private final NetClient client;

    private volatile long oneWayMillis;

    private DelayedLink(Vertx vertx, int target, Duration roundTrip) {
        this.vertx = vertx;
        this.target = target;
        this.client = vertx.createNetClient();
        this.server = vertx.createNetServer().connectHandler(this::accept);
        roundTrip(roundTrip);
    }

    /** Opens a link, which ends with {@code vertx}. */
    public static DelayedLink open(Vertx vertx, int target, Duration roundTrip) throws Exception {
        return open(vertx, 0, target, roundTrip);
    }

    /** Opens a link on a port chosen before. */
    static DelayedLink open(Vertx vertx, int port, int target, Duration roundTrip) throws Exception {
        DelayedLink link = new DelayedLink(vertx, target, roundTrip);
        var ignored = link.server
                .listen(port, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        return link;
    }

    public int port() {
        return server.actualPort();
    }

    /** Sets the round trip of data that are sent from now on. */
    public void roundTrip(Duration roundTrip) {
        oneWayMillis = roundTrip.toMillis() / 2;
    }

    private void accept(NetSocket near) {
        near.pause();
        client.connect(target, "127.0.0.1")
                .onSuccess(far -> {
                    pass(near, far);
                    pass(far, near);
                    near.resume();
                })
                .onFailure(refused -> near.close());
    }

    private void pass(NetSocket from, NetSocket to) {
        Consumer<Buffer> write = to::write;
        from.handler(bytes -> later(() -> write.accept(bytes)));
        from.closeHandler(closed -> later(to::close));
    }

    private void later(Runnable step) {
        if (oneWayMillis == 0) {
            step.run();
        } else {
            vertx.setTimer(oneWayMillis, due -> step.run());
        }
    }
}
