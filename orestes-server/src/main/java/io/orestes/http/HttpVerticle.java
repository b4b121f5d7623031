package io.orestes.http;

import io.orestes.http.admin.ExplainRoutes;
import io.orestes.http.admin.HealthRoutes;
import io.orestes.http.admin.LiveQueryRoutes;
import io.orestes.http.admin.LogRoutes;
import io.orestes.http.admin.SettingsRoutes;
import io.orestes.http.body.BodyCollector;
import io.orestes.http.body.FileBodySink;
import io.orestes.http.body.RequestBodies;
import io.orestes.http.caching.BloomFilterRoutes;
import io.orestes.http.caching.CacheKeyResolver;
import io.orestes.http.caching.CacheableResponses;
import io.orestes.http.caching.CachingRoutes;
import io.orestes.http.caller.BanRoutes;
import io.orestes.http.caller.ClientAddressResolver;
import io.orestes.http.caller.CredentialRoutes;
import io.orestes.http.caller.RateLimitHandler;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.caller.UserRoutes;
import io.orestes.http.caller.UserServices;
import io.orestes.http.data.BulkRoutes;
import io.orestes.http.data.IndexRoutes;
import io.orestes.http.data.ObjectRoutes;
import io.orestes.http.data.PreparedQueryRoutes;
import io.orestes.http.data.QueryRoutes;
import io.orestes.http.data.SchemaRoutes;
import io.orestes.http.data.TransactionRoutes;
import io.orestes.http.entry.ConnectRoutes;
import io.orestes.http.entry.ServerInfoRoutes;
import io.orestes.http.entry.StaticFileRoutes;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.ErrorResponses;
import io.orestes.http.protocol.ObjectPaths;
import io.orestes.http.protocol.RequestTargets;
import io.orestes.socket.EventStreamRoutes;
import io.orestes.socket.WebSocketRoutes;
import io.orestes.write.SchemaVisibilityReduction;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.BindException;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The verticle that runs the HTTP server of one event loop; several share one port. It speaks
 * HTTP/1.1 and, by upgrade or prior knowledge, HTTP/2 in clear text.
 */
public final class HttpVerticle extends VerticleBase {

    private static final int MAX_HEADER_BYTES = 16 * 1024;

    private final HttpConfig config;
    private final HttpServices services;
    private final boolean demo;
    private @Nullable HttpServer server;
    private Runnable disconnection = () -> {};
    private List<String> endpoints = List.of();

    /** @param demo true if {@code /demo} is served */
    public HttpVerticle(HttpConfig config, HttpServices services, boolean demo) {
        this.config = config;
        this.services = services;
        this.demo = demo;
    }

    /** Removes files of a crashed process; to be called before any front starts. */
    public static Future<Void> deleteSpooledFiles(Vertx vertx, HttpConfig config) {
        return FileBodySink.clear(config.spool(), vertx.fileSystem());
    }

    @Override
    public Future<?> start() {
        HttpServer created = vertx.createHttpServer(options());
        BodyCollector bodies =
                new BodyCollector(vertx, services.bodies(), services.files(), config.bodyTimeout(), System::nanoTime);
        Router mounted = router(bodies);
        server = created;
        endpoints = endpoints(mounted);
        return created.requestHandler(new DateHeader(
                        vertx,
                        InstantSource.system(),
                        new ConnectionClose(new ReadFastPath(
                                services.caches().reads(),
                                gate(),
                                services.responseBudget(),
                                replies(),
                                pastRouter(mounted, bodies)))))
                .invalidRequestHandler(ErrorResponses::refuse)
                .listen(address())
                .recover(this::cannotListen);
    }

    /**
     * Creates the failure to listen. Transports report it in different ways, and none names the
     * address.
     */
    private Future<HttpServer> cannotListen(Throwable cause) {
        BindException failure = new BindException(config.host() + ":" + config.port() + ": " + cause.getMessage());
        failure.initCause(cause);
        return Future.failedFuture(failure);
    }

    /**
     * Closes WebSockets and event streams, whose clients reconnect until the server is back; from
     * any thread.
     */
    public Future<Void> disconnectSubscribers() {
        Promise<Void> left = Promise.promise();
        context.runOnContext(entered -> {
            disconnection.run();
            left.complete();
        });
        return left.future();
    }

    /** Lets responses in progress finish. */
    @Override
    public Future<?> stop() {
        return Objects.requireNonNull(server).shutdown(config.drainTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns the port in use; known once started. */
    public int port() {
        return Objects.requireNonNull(server, "not started").actualPort();
    }

    /**
     * Returns every method and path of the interface, e.g. {@code GET /db/:bucket}; known once
     * started.
     */
    public List<String> endpoints() {
        return endpoints;
    }

    private static List<String> endpoints(Router router) {
        return router.getRoutes().stream()
                .filter(route -> route.getPath() != null && route.methods() != null)
                .filter(route -> route.getPath().startsWith(ApiRouter.BASE + "/"))
                .flatMap(route -> route.methods().stream()
                        .map(method -> method + " " + route.getPath().substring(ApiRouter.BASE.length())))
                .distinct()
                .sorted()
                .toList();
    }

    private Handler<HttpServerRequest> pastRouter(Router router, BodyCollector bodies) {
        return new WriteFastPath(objects(), bodies, services.responseBudget(), router);
    }

    private Router router(BodyCollector bodies) {
        Router router = Router.router(vertx);
        for (int status : new int[] {400, 404, 406, 413, 414, 415, 500, 501}) {
            router.errorHandler(status, ctx -> ErrorResponses.render(ctx, status));
        }
        router.route().failureHandler(ctx -> ErrorResponses.render(ctx, ctx.statusCode()));
        router.route().handler(ConnectionClose::watch);
        router.route().handler(HttpVerticle::readBuster);
        // Sockets are mounted first: a request whose body was read cannot become a WebSocket.
        mountSockets(router);
        mountBodies(router, bodies);
        mountResources(new ApiRouter(router, services.responseBudget()));
        new StaticFileRoutes(demo, services.responseBudget()).mount(router);
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

    private void mountBodies(Router router, BodyCollector bodies) {
        String importPath = ApiRouter.BASE + "/db/:bucket";
        router.put(importPath).handler(caller()::admitAdmin);
        router.put(importPath).handler(this::requireImportable);
        router.put(importPath).handler(ctx -> bodies.spool(ctx, config.maxImport(), config.spool()));
        for (String path : List.of(ApiRouter.BASE + "/schema", ApiRouter.BASE + "/schema/:bucket")) {
            router.post(path).handler(ctx -> collectSchema(ctx, bodies));
            router.put(path).handler(ctx -> collectSchema(ctx, bodies));
        }
        router.route(ApiRouter.BASE + "/*").handler(ctx -> bodies.collect(ctx, config.maxBody()));
    }

    /** Refuses invalid imports before much of their body is sent. */
    private void requireImportable(RoutingContext ctx) {
        RequestBodies.requireType(ctx, "application/json");
        var unused = services.schemas().current().entity(ObjectPaths.bucket(ctx.request()));
        ctx.next();
    }

    /**
     * Collects the body of a schema change. Clients send all classes with a change of one, so an
     * admin's schema may be larger than objects.
     */
    private void collectSchema(RoutingContext ctx, BodyCollector bodies) {
        ctx.request().pause();
        caller().ifValid(ctx.request()).onComplete(found -> {
            ctx.request().resume();
            boolean isAdmin = found.succeeded() && found.result().principal().isAdmin();
            bodies.collect(ctx, isAdmin ? config.maxSchema() : config.maxBody());
        });
    }

    private void mountSockets(Router router) {
        EventStreamRoutes streams = new EventStreamRoutes(vertx, services.live());
        streams.mount(router, ApiRouter.BASE);
        WebSocketRoutes sockets = new WebSocketRoutes(vertx, services.live());
        sockets.mount(router, ApiRouter.BASE);
        disconnection = () -> {
            streams.disconnectAll();
            sockets.disconnectAll();
        };
    }

    private void mountResources(ApiRouter apiRouter) {
        RequestAuthenticator requestAuthenticator = caller();
        UserServices users = services.users();
        ClientAddressResolver addresses = addresses();
        ServerInfoRoutes.mount(apiRouter);
        new HealthRoutes(
                        requestAuthenticator,
                        services.health(),
                        services.insight(),
                        services.caches().administrator().inspector(),
                        services.metrics())
                .mount(apiRouter);
        new BanRoutes(requestAuthenticator, users.limits()).mount(apiRouter);
        new ConnectRoutes(services.schemas(), services.caches().replica(), users, services.jsonRenderer())
                .mount(apiRouter);
        new BloomFilterRoutes(
                        requestAuthenticator,
                        services.caches().replica(),
                        services.caches().administrator())
                .mount(apiRouter);
        new SchemaRoutes(
                        requestAuthenticator,
                        services.schemas(),
                        new SchemaVisibilityReduction(
                                services.schemas(), services.caches().invalidator()))
                .mount(apiRouter);
        new IndexRoutes(requestAuthenticator, services.schemas(), services.indexes()).mount(apiRouter);
        NotImplementedRoutes.mount(apiRouter);
        new UserRoutes(requestAuthenticator, users, services.writes(), addresses, services.jsonRenderer())
                .mount(apiRouter);
        new CredentialRoutes(requestAuthenticator, users, addresses, services.jsonRenderer()).mount(apiRouter);
        new QueryRoutes(requestAuthenticator, services.queries(), services.deep(), services.aggregates(), replies())
                .mount(apiRouter);
        new PreparedQueryRoutes(requestAuthenticator, services.prepared(), services.queries(), replies())
                .mount(apiRouter);
        new BulkRoutes(
                        requestAuthenticator,
                        services.schemas(),
                        services.bucketScanner(),
                        services.writes(),
                        services.jsonRenderer())
                .mount(apiRouter);
        new TransactionRoutes(
                        requestAuthenticator,
                        services.transactions(),
                        services.caches().replica())
                .mount(apiRouter);
        new SettingsRoutes(requestAuthenticator, services.settings()).mount(apiRouter);
        new LogRoutes(requestAuthenticator, services.logs()).mount(apiRouter);
        new CachingRoutes(
                        requestAuthenticator,
                        services.caches().administrator(),
                        services.reads(),
                        new CacheKeyResolver(services.schemas(), services.queries()))
                .mount(apiRouter);
        new LiveQueryRoutes(requestAuthenticator, services.liveInspection()).mount(apiRouter);
        new ExplainRoutes(requestAuthenticator, services.explainer(), services.liveEventExplainer()).mount(apiRouter);
        objects().mount(apiRouter);
    }

    private ObjectRoutes objects() {
        return new ObjectRoutes(
                caller(), services.objects(), services.deep(), services.writes(), services.jsonRenderer(), replies());
    }

    private CacheableResponses replies() {
        return new CacheableResponses(services.reads());
    }

    private RequestAuthenticator caller() {
        UserServices users = services.users();
        return new RequestAuthenticator(users.authenticator(), users.sessions(), users.limits(), addresses());
    }

    private ClientAddressResolver addresses() {
        return new ClientAddressResolver(config.trustedProxies());
    }

    private RateLimitHandler gate() {
        return new RateLimitHandler(
                services.users().limits(), addresses(), services.users().authenticator());
    }

    private HttpServerOptions options() {
        return new HttpServerOptions()
                .setMaxInitialLineLength(config.maxUri())
                .setMaxHeaderSize(MAX_HEADER_BYTES)
                .setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setMaxWebSocketFrameSize(WebSocketRoutes.MAX_MESSAGE_BYTES)
                .setMaxWebSocketMessageSize(WebSocketRoutes.MAX_MESSAGE_BYTES)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout((int) config.idleTimeout().toMillis());
    }

    /** Returns the address. Servers with one shared port 0 get one free port between them. */
    private SocketAddress address() {
        return config.port() == 0
                ? SocketAddress.sharedRandomPort(1, config.host())
                : SocketAddress.inetSocketAddress(config.port(), config.host());
    }
}
