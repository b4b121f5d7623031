package io.orestes.http;

import io.orestes.http.body.BodyCollector;
import io.orestes.http.body.FileBodySink;
import io.orestes.http.caching.CacheableResponses;
import io.orestes.http.caller.ClientAddressResolver;
import io.orestes.http.caller.RateLimitHandler;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.ErrorResponses;
import io.orestes.socket.WebSocketRoutes;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.Router;
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

    /** Removes files of a crashed process; to be called before any verticle starts. */
    public static Future<Void> deleteSpooledFiles(Vertx vertx, HttpConfig config) {
        return FileBodySink.clear(config.spool(), vertx.fileSystem());
    }

    @Override
    public Future<?> start() {
        HttpServer created = vertx.createHttpServer(options());
        BodyCollector bodies = new BodyCollector(
                vertx, services.bodies().memory(), services.bodies().disk(), config.bodyTimeout(), System::nanoTime);
        RequestAuthenticator authenticator = services.users().authenticator(addresses());
        RequestRouter requestRouter = new RequestRouter(vertx, config, services, authenticator, bodies);
        Router router = requestRouter.create(demo);
        server = created;
        disconnection = requestRouter::disconnectSubscribers;
        endpoints = endpoints(router);
        return created.requestHandler(new DateHeader(
                        vertx, InstantSource.system(), new ConnectionClose(fastPaths(router, authenticator, bodies))))
                .invalidRequestHandler(ErrorResponses::refuse)
                .listen(address())
                .recover(this::cannotListen);
    }

    /** Returns the handler of requests, which passes to the router what no fast path answers. */
    private Handler<HttpServerRequest> fastPaths(
            Router router, RequestAuthenticator authenticator, BodyCollector bodies) {
        CacheableResponses replies = services.caching().replies();
        return new ReadFastPath(
                services.caching().caches().reads(),
                gate(),
                services.responses(),
                replies,
                new WriteFastPath(
                        services.data().objects(authenticator, replies), bodies, services.responses(), router));
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
