package io.orestes.socket;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The route {@code /events}: WebSockets for live queries (protocol §18), from any origin. Serves
 * one event loop.
 */
public final class WebSocketRoutes {

    /** Maximum size of a message, and of a frame, in bytes. */
    public static final int MAX_MESSAGE_BYTES = 256 * 1024;

    private final Context home;
    private final LiveServices services;
    private final Set<WebSocketConnection> open = new HashSet<>();

    /** Must be called on the event loop that it serves. */
    public WebSocketRoutes(Vertx vertx, LiveServices services) {
        this.home = vertx.getOrCreateContext();
        this.services = services;
        vertx.setPeriodic(services.config().heartbeat().toMillis(), timer -> List.copyOf(open)
                .forEach(WebSocketConnection::ping));
    }

    public void mount(Router router, String base) {
        router.route(base + "/events")
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .handler(this::upgrade);
    }

    /** Closes all sockets, whose clients reconnect; to be called on its event loop. */
    public void disconnectAll() {
        List.copyOf(open).forEach(WebSocketConnection::disconnect);
    }

    private void upgrade(RoutingContext ctx) {
        HttpServerRequest request = ctx.request();
        WebSocketHandshake webSocketHandshake = new WebSocketHandshake(request);
        if (webSocketHandshake.isOfAnotherVersion()) {
            ctx.response().putHeader(WebSocketHandshake.VERSION_HEADER, WebSocketHandshake.VERSION);
        }
        webSocketHandshake.require();
        if (!services.receivesAllWrites().getAsBoolean()) {
            // Clients retry after a refused connection, not after an error.
            ctx.fail(new ApiException(
                    ErrorCode.UNAVAILABLE, "This server has lost touch with its group; connect again"));
            return;
        }
        HttpConnection connection = request.connection();
        request.toWebSocket()
                .onSuccess(socket -> serve(socket, connection))
                .onFailure(failure -> ctx.fail(new HttpException(400)));
    }

    private void serve(ServerWebSocket socket, HttpConnection connection) {
        WebSocketConnection accepted =
                new WebSocketConnection(home, socket, services, () -> ConnectionAborter.on(connection), open::remove);
        open.add(accepted);
        accepted.begin();
    }
}
