package io.orestes.caching.purge;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A test double of a content delivery network on loopback; it records purge requests and has a
 * selectable behaviour.
 */
final class CdnDouble {

    static final String TOKEN = "let me";

    private static final String PATH = "/service/x/purge";
    private static final int SILENT = 0;

    private final Vertx vertx;
    private final AtomicLong ticks;
    private final List<ReceivedRequest> calls = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile Future<Void> release = Future.succeededFuture();
    private HttpServer server;
    private int port;

    /**
     * A received request.
     *
     * @param tick time of receipt on the test's clock
     * @param status status of the response; 0 if there was none
     */
    record ReceivedRequest(long tick, String method, String path, MultiMap headers, List<String> keys, int status) {

        boolean isDone() {
            return status / 100 == 2;
        }
    }

    CdnDouble(Vertx vertx, AtomicLong ticks) {
        this.vertx = vertx;
        this.ticks = ticks;
        this.server = vertx.createHttpServer();
    }

    CdnTarget listen(int batch) {
        return listen(batch, new HttpServerOptions(), "http", "");
    }

    /** Listens over TLS, with this self-signed certificate. */
    CdnTarget listen(int batch, SelfSignedCertificate certificate, String authorities) {
        HttpServerOptions options = new HttpServerOptions().setSsl(true).setKeyCertOptions(certificate.forServer());
        return listen(batch, options, "https", authorities);
    }

    private CdnTarget listen(int batch, HttpServerOptions options, String scheme, String authorities) {
        server = vertx.createHttpServer(options).requestHandler(this::asked);
        port = server.listen(port, "127.0.0.1").await().actualPort();
        URI url = URI.create(scheme + "://127.0.0.1:" + port + PATH);
        return new CdnTarget(url, "POST", "Surrogate-Key", "Fastly-Key", TOKEN, batch, authorities);
    }

    void close() {
        server.close().await();
    }

    /** Answers every further request with this status. */
    void answer(int with) {
        status = with;
    }

    /** Leaves every further request without an answer. */
    void hang() {
        status = SILENT;
    }

    /** Answers no request while the action runs, and then all of them. */
    void holdWhile(Runnable action) {
        Promise<Void> held = Promise.promise();
        release = held.future();
        action.run();
        held.complete();
    }

    List<ReceivedRequest> calls() {
        return calls;
    }

    /** Returns the purged keys, in the order of requests. */
    List<String> purged() {
        return calls.stream()
                .filter(ReceivedRequest::isDone)
                .flatMap(call -> call.keys.stream())
                .toList();
    }

    private void asked(HttpServerRequest request) {
        int answer = status;
        List<String> keys = List.of(request.getHeader("Surrogate-Key").split(" "));
        calls.add(new ReceivedRequest(
                ticks.incrementAndGet(), request.method().name(), request.path(), request.headers(), keys, answer));
        if (answer != SILENT) {
            release.onSuccess(
                    released -> request.response().setStatusCode(answer).end("{\"status\":\"said\"}"));
        }
    }
}
