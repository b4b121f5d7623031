package io.orestes.socket;

import io.orestes.auth.token.Caller;
import io.orestes.live.event.EventId;
import io.orestes.live.event.EventSelection;
import io.orestes.live.request.SubscriptionOptions;
import io.orestes.live.request.SubscriptionRequest;
import io.orestes.wire.QueryParameters;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The route {@code GET /db/:bucket/events}: live queries as server-sent events. One instance serves
 * the connections of one event loop and is used by it alone.
 */
public final class EventStreamRoutes {

    /** Reconnection delay, 2000 ms. */
    private static final Buffer RETRY_FRAME = Buffer.buffer("retry: 2000\n\n");

    private final Vertx vertx;
    private final Context home;
    private final LiveServices services;
    private final Set<EventStream> open = new HashSet<>();

    /** Must be called on the event loop that it serves. */
    public EventStreamRoutes(Vertx vertx, LiveServices services) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.services = services;
        vertx.setPeriodic(services.config().heartbeat().toMillis(), timer -> List.copyOf(open)
                .forEach(EventStream::heartbeat));
    }

    /**
     * Mounts the route. It has to precede the route of single objects, whose pattern its path
     * matches.
     */
    public void mount(Router router, String base) {
        router.route(base + "/db/:bucket/events")
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .handler(ctx -> subscribe(ctx).onFailure(ctx::fail));
    }

    /** Ends all streams, whose clients reconnect; to be called on its event loop. */
    public void disconnectAll() {
        List.copyOf(open).forEach(EventStream::disconnect);
    }

    private Future<Void> subscribe(RoutingContext ctx) {
        return services.authenticator()
                .caller(ctx.request())
                .map(caller -> request(ctx, caller))
                .compose(request -> answer(ctx, request));
    }

    private SubscriptionRequest request(RoutingContext ctx, Caller caller) {
        return services.requests().parse(caller, ctx.pathParam("bucket"), LiveQueryUrlParser.read(ctx), options(ctx));
    }

    private static SubscriptionOptions options(RoutingContext ctx) {
        return new SubscriptionOptions(
                QueryParameters.flag(ctx, "initial", true),
                EventSelection.of(QueryParameters.words(ctx, "matchTypes"), QueryParameters.words(ctx, "operations")),
                Optional.ofNullable(ctx.request().getHeader("Last-Event-ID"))
                        .flatMap(EventId::parse)
                        .orElse(null));
    }

    /** Answers a request. HEAD gets the head of a stream (RFC 9110 §9.3.2). */
    private Future<Void> answer(RoutingContext ctx, SubscriptionRequest request) {
        EventStream stream = new EventStream(vertx, ctx.request(), services, this::remove);
        stream.prepareHead();
        if (!services.receivesAllWrites().getAsBoolean()) {
            // Browsers reconnect after a stream that ended, not after an error.
            return ctx.response().end(RETRY_FRAME);
        }
        return HttpMethod.HEAD.equals(ctx.request().method())
                ? ctx.response().end()
                : open(stream, ctx.response(), request);
    }

    private Future<Void> open(EventStream stream, HttpServerResponse response, SubscriptionRequest request) {
        open.add(stream);
        response.closeHandler(closed -> stream.end());
        response.exceptionHandler(failure -> stream.end());
        if (response.closed()) {
            stream.end();
            return Future.succeededFuture();
        }
        return services.live()
                .open(request, stream, home)
                .onSuccess(stream::attach)
                .onFailure(failure -> stream.end())
                .mapEmpty();
    }

    private void remove(EventStream stream) {
        open.remove(stream);
    }
}
