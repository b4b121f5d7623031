package io.orestes.http;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * The HTTP servers of this process, one for each event loop, with the connections of its clients.
 * Thread-safe.
 */
public final class HttpVerticles {

    private final Vertx vertx;
    private final List<HttpVerticle> verticles = new CopyOnWriteArrayList<>();

    /** Creates the set without any server, so that what needs to end connections can name it. */
    public HttpVerticles(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Starts a server on each event loop; succeeds when all accept requests. */
    public Future<Void> deploy(HttpConfig config, HttpServices services, boolean demo) {
        DeploymentOptions perEventLoop =
                new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors());
        return vertx.deployVerticle(() -> create(config, services, demo), perEventLoop)
                .mapEmpty();
    }

    private HttpVerticle create(HttpConfig config, HttpServices services, boolean demo) {
        HttpVerticle created = new HttpVerticle(config, services, demo);
        verticles.add(created);
        return created;
    }

    /** Returns the port that all servers share; known once started. */
    public int port() {
        return verticles.get(0).port();
    }

    /**
     * Returns every method and path of the interface, e.g. {@code GET /db/:bucket}; known once
     * started.
     */
    public List<String> endpoints() {
        return verticles.get(0).endpoints();
    }

    /** Closes WebSockets and event streams, whose clients reconnect; never fails. */
    public Future<Void> disconnectSubscribers() {
        return onEach(HttpVerticle::disconnectSubscribers);
    }

    /** Stops all servers after the responses in progress; never fails. */
    public Future<Void> undeploy() {
        return onEach(verticle -> vertx.undeploy(verticle.deploymentID()));
    }

    private Future<Void> onEach(Function<HttpVerticle, Future<?>> action) {
        return Future.join(verticles.stream().<Future<?>>map(action).toList())
                .otherwiseEmpty()
                .mapEmpty();
    }
}
