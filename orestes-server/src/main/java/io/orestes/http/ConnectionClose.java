package io.orestes.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The handler that closes connections whose clients list {@code close} among other connection
 * options, as in {@code Connection: close, TE} (RFC 9110 §7.6.1). Vert.x compares the whole value
 * only, so it handles just {@code Connection: close}.
 */
final class ConnectionClose implements Handler<HttpServerRequest> {

    private final Handler<HttpServerRequest> next;

    ConnectionClose(Handler<HttpServerRequest> next) {
        this.next = next;
    }

    @Override
    public void handle(HttpServerRequest request) {
        if (isListed(request)) {
            request.response()
                    .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
                    .endHandler(ended -> close(request));
        }
        next.handle(request);
    }

    /** Watches a request that a router handles, which may replace this handler by its own. */
    static void watch(RoutingContext ctx) {
        if (isListed(ctx.request())) {
            ctx.addEndHandler(ended -> close(ctx.request()));
        }
        ctx.next();
    }

    private static void close(HttpServerRequest request) {
        var ignored = request.connection().close();
    }

    private static boolean isListed(HttpServerRequest request) {
        List<String> lines = request.headers().getAll(HttpHeaders.CONNECTION);
        return !lines.isEmpty()
                && request.version() == HttpVersion.HTTP_1_1
                && (lines.size() > 1 || lines.get(0).indexOf(',') >= 0)
                && lines.stream().flatMap(ConnectionClose::options).anyMatch("close"::equals);
    }

    private static Stream<String> options(String line) {
        return Stream.of(line.split(",")).map(option -> option.strip().toLowerCase(Locale.ROOT));
    }
}
