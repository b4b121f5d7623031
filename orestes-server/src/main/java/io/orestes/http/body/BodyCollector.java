package io.orestes.http.body;

import io.orestes.http.protocol.ContentCodings;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The collector of request bodies, each within its size limit and its time limit. All bodies
 * together stay within the {@link BodyBudget}, those in files within the {@link DiskBudget}. It
 * checks for late bodies twice a second instead of setting a timer for each. Serves one event loop
 * and is used by it alone.
 */
public final class BodyCollector {

    private static final long CHECK_MILLIS = 500;
    private static final String CONTINUE = "100-continue";

    private final Vertx vertx;
    private final BodyBudget room;
    private final DiskBudget disk;
    private final Duration timeout;
    private final LongSupplier nanoTime;
    private final Set<PendingBody<?>> underWay = new HashSet<>();

    /**
     * Must be called on the event loop that it serves.
     *
     * @param timeout maximum time for a body, extended in proportion to the received bytes
     */
    public BodyCollector(Vertx vertx, BodyBudget room, DiskBudget disk, Duration timeout, LongSupplier nanoTime) {
        this.vertx = vertx;
        this.room = room;
        this.disk = disk;
        this.timeout = timeout;
        this.nanoTime = nanoTime;
        vertx.setPeriodic(CHECK_MILLIS, timer -> dropLate());
    }

    public boolean hasRoomFor(long size) {
        return room.hasRoomFor(size);
    }

    /**
     * Continues the routing when the body is complete, for {@link RequestBodyParser}; else fails.
     * Its memory is reserved until the response is sent or the connection closes. If several routes
     * call this, the first limit applies.
     */
    public void collect(RoutingContext ctx, long limit) {
        if (RequestBodyParser.isCollected(ctx)) {
            ctx.next();
            return;
        }
        PendingBody<Buffer> body = begin(ctx.request(), limit);
        goOn(ctx, body, buffer -> RequestBodyParser.collected(ctx, buffer));
    }

    /**
     * Collects the body in a file in {@code folder}, for bodies that are larger than the memory.
     */
    public void spool(RoutingContext ctx, long limit, Path folder) {
        HttpServerRequest request = ctx.request();
        FileBodySink file = new FileBodySink(folder, vertx.fileSystem(), disk, request, announced(request));
        PendingBody<Path> body = begin(request, file, limit);
        file.ready().onFailure(failure -> body.refuse(ApiException.of(failure)));
        goOn(ctx, body, path -> RequestBodyParser.spooled(ctx, path));
    }

    private static <T> void goOn(RoutingContext ctx, PendingBody<T> body, Consumer<T> keeper) {
        ctx.addEndHandler(done -> body.release());
        if (ctx.response().closed()) {
            body.abort();
            return;
        }
        body.whole()
                .onSuccess(whole -> {
                    keeper.accept(whole);
                    ctx.next();
                })
                .onFailure(ctx::fail);
    }

    /**
     * Starts the collection of a body of at most {@code limit} bytes; to be released when it is no
     * longer needed.
     */
    public PendingBody<Buffer> begin(HttpServerRequest request, long limit) {
        return begin(request, new MemoryBodySink(room), limit);
    }

    private <T> PendingBody<T> begin(HttpServerRequest request, RequestBodySink<T> sink, long limit) {
        PendingBody<T> body = new PendingBody<>(request, sink, limit, nanoTime.getAsLong());
        long announced = announced(request);
        if (announced > limit) {
            body.refuse(PendingBody.tooLarge(limit));
        } else if (!sink.hasRoomFor(announced)) {
            body.refuse(PendingBody.budgetExceeded());
        } else if (request.isEnded() || hasNoBody(request)) {
            body.complete();
        } else if (ContentCodings.isCoded(request)) {
            request.response().putHeader(HttpHeaders.ACCEPT_ENCODING, ContentCodings.IDENTITY);
            body.refuse(ContentCodings.unsupported());
        } else {
            await(request, body);
        }
        return body;
    }

    private void await(HttpServerRequest request, PendingBody<?> body) {
        String expectation = request.getHeader(HttpHeaders.EXPECT);
        if (expectation != null && !expectation.equalsIgnoreCase(CONTINUE)) {
            body.refuse(new ApiException(ErrorCode.BAD_REQUEST, "Expect supports only " + CONTINUE));
            return;
        }
        underWay.add(body);
        body.whole().onComplete(done -> underWay.remove(body));
        body.receive();
        if (expectation != null && request.version() != HttpVersion.HTTP_1_0) {
            request.response().writeContinue();
        }
    }

    private void dropLate() {
        long now = nanoTime.getAsLong();
        List.copyOf(underWay).forEach(body -> body.checkTime(now, timeout.toNanos()));
    }

    /** Returns whether the request head excludes a body (RFC 9112 §6.3). */
    private static boolean hasNoBody(HttpServerRequest request) {
        return request.version() != HttpVersion.HTTP_2
                && !request.headers().contains(HttpHeaders.CONTENT_LENGTH)
                && !request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    }

    /** Returns the announced length; 0 without one. */
    private static long announced(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
