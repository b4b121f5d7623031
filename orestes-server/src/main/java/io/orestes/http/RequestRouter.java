package io.orestes.http;

import io.orestes.caching.Caches;
import io.orestes.http.body.BodyCollector;
import io.orestes.http.body.RequestBodyParser;
import io.orestes.http.caller.BanRoutes;
import io.orestes.http.caller.ClientAddressResolver;
import io.orestes.http.caller.CredentialRoutes;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.caller.UserRoutes;
import io.orestes.http.caller.UserServices;
import io.orestes.http.data.DataServices;
import io.orestes.http.entry.ConnectRoutes;
import io.orestes.http.entry.ServerInfoRoutes;
import io.orestes.http.entry.StaticFileRoutes;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.ErrorResponses;
import io.orestes.http.protocol.ObjectPathParser;
import io.orestes.http.protocol.RequestTargets;
import io.orestes.socket.EventStreamRoutes;
import io.orestes.socket.WebSocketRoutes;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * The routes of one event loop: every resource, in the order that its patterns require, behind the
 * collection of request bodies. Created on the event loop that it serves.
 */
final class RequestRouter {

    private final Vertx vertx;
    private final HttpConfig config;
    private final HttpServices services;
    private final RequestAuthenticator authenticator;
    private final BodyCollector bodies;
    private final EventStreamRoutes streams;
    private final WebSocketRoutes sockets;

    RequestRouter(
            Vertx vertx,
            HttpConfig config,
            HttpServices services,
            RequestAuthenticator authenticator,
            BodyCollector bodies) {
        this.vertx = vertx;
        this.config = config;
        this.services = services;
        this.authenticator = authenticator;
        this.bodies = bodies;
        this.streams = new EventStreamRoutes(vertx, services.live());
        this.sockets = new WebSocketRoutes(vertx, services.live());
    }

    /** Closes WebSockets and event streams, whose clients reconnect. */
    void disconnectSubscribers() {
        streams.disconnectAll();
        sockets.disconnectAll();
    }

    /**
     * Creates the router.
     *
     * @param demo true if {@code /demo} is served
     */
    Router create(boolean demo) {
        Router router = Router.router(vertx);
        for (int status : new int[] {400, 404, 406, 413, 414, 415, 500, 501}) {
            router.errorHandler(status, ctx -> ErrorResponses.render(ctx, status));
        }
        router.route().failureHandler(ctx -> ErrorResponses.render(ctx, ctx.statusCode()));
        router.route().handler(ConnectionClose::watch);
        router.route().handler(RequestRouter::readBuster);
        // Sockets are mounted first: a request whose body was read cannot become a WebSocket.
        streams.mount(router, ApiRouter.BASE);
        sockets.mount(router, ApiRouter.BASE);
        mountBodies(router);
        mountResources(new ApiRouter(router, services.responses()));
        new StaticFileRoutes(demo, services.responses()).mount(router);
        AllowedMethods allowed = AllowedMethods.of(router);
        router.errorHandler(405, ctx -> {
            ctx.response().putHeader(HttpHeaders.ALLOW, allowed.of(ctx.request().path()));
            ErrorResponses.render(ctx, 405);
        });
        return router;
    }

    private static void readBuster(RoutingContext ctx) {
        String uri = ctx.request().uri();
        if (RequestTargets.endsInBuster(uri)) {
            ctx.reroute(RequestTargets.withBusterAsQuery(uri));
        } else {
            ctx.next();
        }
    }

    private void mountBodies(Router router) {
        String importPath = ApiRouter.BASE + "/db/:bucket";
        router.put(importPath).handler(authenticator::admitAdmin);
        router.put(importPath).handler(this::requireImportable);
        router.put(importPath).handler(ctx -> bodies.spool(ctx, config.maxImport(), config.spool()));
        for (String path : List.of(ApiRouter.BASE + "/schema", ApiRouter.BASE + "/schema/:bucket")) {
            router.post(path).handler(this::collectSchema);
            router.put(path).handler(this::collectSchema);
        }
        router.route(ApiRouter.BASE + "/*").handler(ctx -> bodies.collect(ctx, config.maxBody()));
    }

    /** Refuses invalid imports before much of their body is sent. */
    private void requireImportable(RoutingContext ctx) {
        RequestBodyParser.requireType(ctx, "application/json");
        var unused = services.data().schemas().current().entity(ObjectPathParser.bucket(ctx.request()));
        ctx.next();
    }

    /**
     * Collects the body of a schema change. Clients send all classes with a change of one, so an
     * admin's schema may be larger than objects.
     */
    private void collectSchema(RoutingContext ctx) {
        ctx.request().pause();
        authenticator.ifValid(ctx.request()).onComplete(found -> {
            ctx.request().resume();
            boolean isAdmin = found.succeeded() && found.result().principal().isAdmin();
            bodies.collect(ctx, isAdmin ? config.maxSchema() : config.maxBody());
        });
    }

    private void mountResources(ApiRouter apiRouter) {
        UserServices users = services.users();
        DataServices data = services.data();
        Caches caches = services.caching().caches();
        ClientAddressResolver addresses = new ClientAddressResolver(config.trustedProxies());
        ServerInfoRoutes.mount(apiRouter);
        services.admin().mount(apiRouter, authenticator, caches.administrator().inspector());
        services.caching().mount(apiRouter, authenticator);
        new BanRoutes(authenticator, users.limits()).mount(apiRouter);
        new ConnectRoutes(data.schemas(), caches.replica(), users, data.jsonRenderer()).mount(apiRouter);
        NotImplementedRoutes.mount(apiRouter);
        new UserRoutes(authenticator, users, data.writes(), addresses, data.jsonRenderer()).mount(apiRouter);
        new CredentialRoutes(authenticator, users, addresses, data.jsonRenderer()).mount(apiRouter);
        data.mount(apiRouter, authenticator, services.caching());
    }
}
