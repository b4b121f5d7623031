package io.orestes.socket;

import io.orestes.auth.Authenticator;
import io.orestes.notify.LiveConfig;
import io.orestes.notify.LiveQueries;
import io.orestes.notify.LiveRequests;
import io.orestes.read.Rendering;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** {@code /events}: WebSockets for live queries (protocol §18), from any origin. Serves one event loop. */
public final class SocketRoutes {

    private final Vertx vertx;
    private final Context home;
    private final Authenticator authenticator;
    private final LiveRequests requests;
    private final LiveQueries live;
    private final Rendering rendering;
    private final LiveConfig config;
    private final Set<SocketSession> open = new HashSet<>();

    /** Must be made on the event loop it will serve. */
    public SocketRoutes(
            Vertx vertx,
            Authenticator authenticator,
            LiveRequests requests,
            LiveQueries live,
            Rendering rendering,
            LiveConfig config) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.authenticator = authenticator;
        this.requests = requests;
        this.live = live;
        this.rendering = rendering;
        this.config = config;
        vertx.setPeriodic(
                config.heartbeat().toMillis(), timer -> List.copyOf(open).forEach(SocketSession::ping));
    }

    public void mount(Router router, String base) {
        router.get(base + "/events").handler(this::upgrade);
    }

    private void upgrade(RoutingContext ctx) {
        HttpServerRequest request = ctx.request();
        String upgrade = request.getHeader("Upgrade");
        if (upgrade == null || !upgrade.equalsIgnoreCase("websocket")) {
            ctx.fail(new HttpException(400));
            return;
        }
        request.toWebSocket().onSuccess(this::serve).onFailure(failure -> ctx.fail(new HttpException(400)));
    }

    private void serve(ServerWebSocket socket) {
        SocketSession session =
                new SocketSession(vertx, home, socket, authenticator, requests, live, rendering, config, open::remove);
        open.add(session);
        session.begin();
    }
}
