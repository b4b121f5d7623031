package io.orestes.bench.harness;

import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Vert.x without the product. Every request gets one fixed answer when its body has arrived; a GET
 * of {@link #EVENTS} stays open, and the body of each PUT is pushed to it.
 */
public final class BareServer extends VerticleBase {

    /** Path of the event stream. */
    public static final String EVENTS = "/events";

    private static final Map<Context, List<HttpServerResponse>> SUBSCRIBERS = new ConcurrentHashMap<>();

    private final int status;
    private final CharSequence[] headers;
    private final Buffer body;
    private int port;

    private BareServer(int status, List<String> headers, byte[] body) {
        this.status = status;
        this.headers = headers.stream().map(HttpHeaders::createOptimized).toArray(CharSequence[]::new);
        this.body = Buffer.buffer(body);
    }

    /** A running server; closing it ends the process. */
    public record Handle(Peer peer, int port) implements AutoCloseable {

        public String url(String path) {
            return "http://127.0.0.1:" + port + path;
        }

        @Override
        public void close() {
            peer.close();
        }
    }

    /**
     * Starts a server that repeats an answer of Orestes with this status, and without a body if
     * that is 304.
     */
    public static Handle answering(Orestes orestes, int status, HttpResponse<String> answer) throws IOException {
        String headers = answer.headers().map().entrySet().stream()
                .filter(header -> !header.getKey().equals("content-length"))
                .filter(header -> status != 304 || !header.getKey().equals("content-type"))
                .map(header -> header.getKey() + "\n" + header.getValue().get(0))
                .collect(Collectors.joining("\n"));
        return start(orestes, status, headers, status == 304 ? "" : answer.body());
    }

    /** Starts a server that pushes events. */
    public static Handle pushing(Orestes orestes) throws IOException {
        return start(orestes, 200, "content-type\ntext/plain", "");
    }

    private static Handle start(Orestes orestes, int status, String headers, String body) throws IOException {
        Peer peer = Peer.start(orestes, BareServer.class, Integer.toString(status), encode(headers), encode(body));
        return new Handle(peer, Integer.parseInt(peer.read()));
    }

    private static String encode(String text) {
        return "=" + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] decode(String text) {
        return Base64.getDecoder().decode(text.substring(1));
    }

    /**
     * Reads the status, the headers (name and value on alternating lines) and the body; prints the
     * port.
     */
    public static void main(String[] arguments) throws Exception {
        int loops = Runtime.getRuntime().availableProcessors();
        int status = Integer.parseInt(arguments[0]);
        List<String> headers =
                new String(decode(arguments[1]), StandardCharsets.UTF_8).lines().toList();
        byte[] body = decode(arguments[2]);
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops).setPreferNativeTransport(true));
        List<BareServer> servers = new ArrayList<>();
        String deployed = vertx.deployVerticle(
                        () -> {
                            BareServer server = new BareServer(status, headers, body);
                            servers.add(server);
                            return server;
                        },
                        new DeploymentOptions().setInstances(loops))
                .await();
        System.out.println(deployed.isEmpty() ? "" : servers.get(0).port);
        while (System.in.read() >= 0) {}
        System.exit(0);
    }

    @Override
    public Future<?> start() {
        return vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(SocketAddress.sharedRandomPort(1, "127.0.0.1"))
                .onSuccess(this::listening);
    }

    private void listening(HttpServer server) {
        port = server.actualPort();
    }

    private void handle(HttpServerRequest request) {
        if (HttpMethod.PUT.equals(request.method())) {
            request.body().onSuccess(body -> put(request, body));
        } else if (request.path().equals(EVENTS)) {
            subscribe(request.response());
        } else {
            answer(request.response());
        }
    }

    private void put(HttpServerRequest request, Buffer sent) {
        if (SUBSCRIBERS.isEmpty()) {
            answer(request.response());
        } else {
            push(request, sent);
        }
    }

    private void answer(HttpServerResponse response) {
        response.setStatusCode(status);
        for (int i = 0; i < headers.length; i += 2) {
            response.putHeader(headers[i], headers[i + 1]);
        }
        if (status == 304) {
            response.end();
        } else {
            response.end(body);
        }
    }

    private void subscribe(HttpServerResponse response) {
        SUBSCRIBERS.computeIfAbsent(context, key -> new ArrayList<>()).add(response);
        response.setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream");
        var ignored = response.write(": subscribed\n\n");
    }

    private static void push(HttpServerRequest request, Buffer event) {
        Buffer frame = Buffer.buffer("data: ").appendBuffer(event).appendString("\n\n");
        SUBSCRIBERS.forEach((context, group) -> context.runOnContext(now -> group.forEach(each -> each.write(frame))));
        var ignored = request.response().end();
    }
}
