package io.orestes.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The handler that adds the {@code Date} header to every response (RFC 9110 §6.6.1). Caches and
 * people compute the age of a copy from it. The header is formatted once a second, so it may be a
 * second late. Serves one event loop and is used by it alone.
 */
final class DateHeader implements Handler<HttpServerRequest> {

    private static final long PERIOD_MILLIS = 1000;
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

    private final InstantSource clock;
    private final Handler<HttpServerRequest> next;
    private CharSequence date;

    /** Must be called on the event loop that it serves. */
    DateHeader(Vertx vertx, InstantSource clock, Handler<HttpServerRequest> next) {
        this.clock = clock;
        this.next = next;
        this.date = now();
        vertx.setPeriodic(PERIOD_MILLIS, timer -> date = now());
    }

    @Override
    public void handle(HttpServerRequest request) {
        request.response().putHeader(HttpHeaders.DATE, date);
        next.handle(request);
    }

    private CharSequence now() {
        return HttpHeaders.createOptimized(FORMAT.format(clock.instant().atZone(ZoneOffset.UTC)));
    }
}
