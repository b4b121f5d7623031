package io.orestes.http;

import io.orestes.socket.EventRoutes;
import io.orestes.socket.SocketRoutes;
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
 * The HTTP server of one event loop; several of them share one port. Speaks HTTP/1.1 and, by upgrade or prior knowledge,
 * HTTP/2 in clear text.
 */
public final class HttpFront extends VerticleBase {

    private static final int MAX_HEADER_BYTES = 16 * 1024;

    private final HttpConfig config;
    private final HttpServices services;
    private final boolean demo;
    private @Nullable HttpServer server;
    private Runnable leave = () -> {};
    private List<String> endpoints = List.of();

    /** @param demo whether {@code /demo} is served */
    public HttpFront(HttpConfig config, HttpServices services, boolean demo) {
        this.config = config;
        this.services = services;
        this.demo = demo;
    }

    /** Removes what a process that died left behind; before any front is started. */
    public static Future<Void> clear(Vertx vertx, HttpConfig config) {
        return BodyInFile.clear(config.spool(), vertx.fileSystem());
    }

    @Override
    public Future<?> start() {
        HttpServer created = vertx.createHttpServer(options());
        BodyIntake bodies =
                new BodyIntake(vertx, services.bodies(), services.files(), config.bodyTimeout(), System::nanoTime);
        Router mounted = router(bodies);
        server = created;
        endpoints = endpoints(mounted);
        return created.requestHandler(new DatedAnswers(
                        vertx,
                        InstantSource.system(),
                        new ListedClose(new FastPath(
                                services.caches(),
                                gate(),
                                services.answers(),
                                replies(),
                                pastRouter(mounted, bodies)))))
                .invalidRequestHandler(Failures::refuse)
                .listen(address())
                .recover(this::cannotListen);
    }

    /** Transports report this in different ways, and none names the address. */
    private Future<HttpServer> cannotListen(Throwable cause) {
        BindException failure = new BindException(config.host() + ":" + config.port() + ": " + cause.getMessage());
        failure.initCause(cause);
        return Future.failedFuture(failure);
    }

    /** Ends WebSockets and event streams, whose clients look for the server until it is back; from any thread. */
    public Future<Void> leaveSubscribers() {
        Promise<Void> left = Promise.promise();
        context.runOnContext(entered -> {
            leave.run();
            left.complete();
        });
        return left.future();
    }

    /** Lets answers under way finish. */
    @Override
    public Future<?> stop() {
        return Objects.requireNonNull(server).shutdown(config.drainTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The port in use; known once started. */
    public int port() {
        return Objects.requireNonNull(server, "not started").actualPort();
    }

    /** Every method and path of the interface, e.g. {@code GET /db/:bucket}; known once started. */
    public List<String> endpoints() {
        return endpoints;
    }

    private static List<String> endpoints(Router router) {
        return router.getRoutes().stream()
                .filter(route -> route.getPath() != null && route.methods() != null)
                .filter(route -> route.getPath().startsWith(Routes.BASE + "/"))
                .flatMap(route -> route.methods().stream()
                        .map(method -> method + " " + route.getPath().substring(Routes.BASE.length())))
                .distinct()
                .sorted()
                .toList();
    }

    private Handler<HttpServerRequest> pastRouter(Router router, BodyIntake bodies) {
        return new DirectWrites(objects(), bodies, services.answers(), router);
    }

    private Router router(BodyIntake bodies) {
        Router router = Router.router(vertx);
        for (int status : new int[] {400, 404, 406, 413, 414, 415, 500, 501}) {
            router.errorHandler(status, ctx -> Failures.render(ctx, status));
        }
        router.route().failureHandler(ctx -> Failures.render(ctx, ctx.statusCode()));
        router.route().handler(ListedClose::watch);
        router.route().handler(HttpFront::readBuster);
        // sockets first: a request whose body was read cannot become a WebSocket
        mountSockets(router);
        mountBodies(router, bodies);
        mountResources(new Routes(router, services.answers()));
        new PageRoutes(demo, services.answers()).mount(router);
        AllowedMethods allowed = AllowedMethods.of(router);
        router.errorHandler(405, ctx -> {
            ctx.response().putHeader(HttpHeaders.ALLOW, allowed.of(ctx.request().path()));
            Failures.render(ctx, 405);
        });
        return router;
    }

    private static void readBuster(RoutingContext ctx) {
        String uri = ctx.request().uri();
        if (Uris.endsInBuster(uri)) {
            ctx.reroute(Uris.withBusterAsQuery(uri));
        } else {
            ctx.next();
        }
    }

    private void mountBodies(Router router, BodyIntake bodies) {
        String importPath = Routes.BASE + "/db/:bucket";
        router.put(importPath).handler(caller()::admitAdmin);
        router.put(importPath).handler(this::requireImportable);
        router.put(importPath).handler(ctx -> bodies.spool(ctx, config.maxImport(), config.spool()));
        for (String path : List.of(Routes.BASE + "/schema", Routes.BASE + "/schema/:bucket")) {
            router.post(path).handler(ctx -> collectSchema(ctx, bodies));
            router.put(path).handler(ctx -> collectSchema(ctx, bodies));
        }
        router.route(Routes.BASE + "/*").handler(ctx -> bodies.collect(ctx, config.maxBody()));
    }

    /** What can be refused is, before much is sent. */
    private void requireImportable(RoutingContext ctx) {
        Bodies.requireType(ctx, "application/json");
        var unused = services.schemas().current().entity(ObjectPaths.bucket(ctx.request()));
        ctx.next();
    }

    /** Clients send all classes along with a change of one: an admin's schema may be larger than objects are. */
    private void collectSchema(RoutingContext ctx, BodyIntake bodies) {
        ctx.request().pause();
        caller().ifValid(ctx.request()).onComplete(found -> {
            ctx.request().resume();
            boolean isAdmin = found.succeeded() && found.result().principal().isAdmin();
            bodies.collect(ctx, isAdmin ? config.maxSchema() : config.maxBody());
        });
    }

    private void mountSockets(Router router) {
        EventRoutes streams = new EventRoutes(vertx, services.live());
        streams.mount(router, Routes.BASE);
        SocketRoutes sockets = new SocketRoutes(vertx, services.live());
        sockets.mount(router, Routes.BASE);
        leave = () -> {
            streams.leave();
            sockets.leave();
        };
    }

    private void mountResources(Routes routes) {
        Caller caller = caller();
        UserServices users = services.users();
        ClientAddress addresses = addresses();
        new ServiceRoutes(caller, services.health(), services.metrics()).mount(routes);
        new HealthRoutes(caller, services.health(), services.insight(), services.caches()).mount(routes);
        new BannedRoutes(caller, users.limits()).mount(routes);
        new ConnectRoutes(services.schemas(), services.caches(), users, services.rendering()).mount(routes);
        new BloomFilterRoutes(caller, services.caches()).mount(routes);
        new SchemaRoutes(caller, services.schemas(), services.caches()).mount(routes);
        new IndexRoutes(caller, services.schemas(), services.indexes()).mount(routes);
        LaterRoutes.mount(routes);
        new UserRoutes(caller, users, services.writes(), addresses, services.rendering()).mount(routes);
        new CredentialRoutes(caller, users, addresses, services.rendering()).mount(routes);
        new QueryRoutes(
                        caller,
                        services.queries(),
                        services.deep(),
                        services.aggregates(),
                        services.caches(),
                        replies())
                .mount(routes);
        new PreparedQueryRoutes(caller, services.prepared(), services.queries(), replies()).mount(routes);
        new BulkRoutes(caller, services.schemas(), services.bulk(), services.writes(), services.rendering())
                .mount(routes);
        new TransactionRoutes(caller, services.transactions(), services.caches()).mount(routes);
        new SettingsRoutes(caller, services.settings()).mount(routes);
        new LogRoutes(caller, services.logs()).mount(routes);
        new CachingRoutes(
                        caller,
                        services.caches(),
                        services.reads(),
                        new CachedUrls(services.schemas(), services.queries()))
                .mount(routes);
        new LiveQueryRoutes(caller, services.liveInspection()).mount(routes);
        new ExplainRoutes(caller, services.explainer(), services.liveExplainer()).mount(routes);
        objects().mount(routes);
    }

    private ObjectRoutes objects() {
        return new ObjectRoutes(
                caller(), services.objects(), services.deep(), services.writes(), services.rendering(), replies());
    }

    private CachedReplies replies() {
        return new CachedReplies(services.reads());
    }

    private Caller caller() {
        UserServices users = services.users();
        return new Caller(users.authenticator(), users.sessions(), users.limits(), addresses());
    }

    private ClientAddress addresses() {
        return new ClientAddress(config.trustedProxies());
    }

    private RequestGate gate() {
        return new RequestGate(
                services.users().limits(), addresses(), services.users().authenticator());
    }

    private HttpServerOptions options() {
        return new HttpServerOptions()
                .setMaxInitialLineLength(config.maxUri())
                .setMaxHeaderSize(MAX_HEADER_BYTES)
                .setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setMaxWebSocketFrameSize(SocketRoutes.MAX_MESSAGE_BYTES)
                .setMaxWebSocketMessageSize(SocketRoutes.MAX_MESSAGE_BYTES)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout((int) config.idleTimeout().toMillis());
    }

    /** Servers that ask for the same shared port get one free port between them. */
    private SocketAddress address() {
        return config.port() == 0
                ? SocketAddress.sharedRandomPort(1, config.host())
                : SocketAddress.inetSocketAddress(config.port(), config.host());
    }
}
