package io.orestes.socket;

import io.orestes.auth.Authenticator;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.notify.EventId;
import io.orestes.notify.EventSelection;
import io.orestes.notify.LiveConfig;
import io.orestes.notify.LiveQueries;
import io.orestes.notify.LiveRequest;
import io.orestes.notify.LiveRequests;
import io.orestes.read.Rendering;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code GET /db/:bucket/events}: live queries as event streams. One instance serves the connections of one event loop and
 * is used by it alone.
 */
public final class EventRoutes {

    private final Vertx vertx;
    private final Context home;
    private final Authenticator authenticator;
    private final LiveRequests requests;
    private final LiveQueries live;
    private final Rendering rendering;
    private final LiveConfig config;
    private final Set<EventStream> open = new HashSet<>();

    /** Must be made on the event loop it will serve. */
    public EventRoutes(
            Vertx vertx,
            Authenticator authenticator,
            LiveRequests requests,
            LiveQueries live,
            Rendering rendering,
            LiveConfig config) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.authenticator = authenticator;
        this.requests = requests;
        this.live = live;
        this.rendering = rendering;
        this.config = config;
        vertx.setPeriodic(
                config.heartbeat().toMillis(), timer -> List.copyOf(open).forEach(EventStream::heartbeat));
    }

    /** Has to come before the route of single objects, which the path looks like. */
    public void mount(Router router, String base) {
        router.get(base + "/db/:bucket/events").handler(ctx -> subscribe(ctx).onFailure(ctx::fail));
    }

    private Future<Void> subscribe(RoutingContext ctx) {
        Optional<String> token = Optional.ofNullable(ctx.request().getHeader(HttpHeaders.AUTHORIZATION));
        return authenticator
                .principal(token)
                .map(principal -> request(ctx, principal))
                .compose(request -> open(ctx, request));
    }

    private LiveRequest request(RoutingContext ctx, Principal principal) {
        List.of("sort", "start", "count").forEach(name -> refuseOrder(ctx, name));
        return requests.parse(
                principal,
                ctx.pathParam("bucket"),
                parameter(ctx, "q", "{}"),
                flag(ctx, "initial"),
                EventSelection.of(words(ctx, "matchTypes"), words(ctx, "operations")),
                Optional.ofNullable(ctx.request().getHeader("Last-Event-ID")).flatMap(EventId::parse));
    }

    private Future<Void> open(RoutingContext ctx, LiveRequest request) {
        HttpServerResponse response = ctx.response();
        EventStream stream = new EventStream(vertx, response, rendering, config.maxPendingBytes(), this::forget);
        open.add(stream);
        response.closeHandler(closed -> stream.end());
        response.exceptionHandler(failure -> stream.end());
        if (response.closed()) {
            stream.end();
            return Future.succeededFuture();
        }
        stream.begin();
        return live.open(request, stream, home)
                .onSuccess(stream::attach)
                .onFailure(failure -> stream.end())
                .mapEmpty();
    }

    private void forget(EventStream stream) {
        open.remove(stream);
    }

    private static void refuseOrder(RoutingContext ctx, String name) {
        String value = parameter(ctx, name, "");
        if (!value.isBlank() && !Set.of("{}", "0", "-1").contains(value)) {
            throw new ApiException(
                    ErrorCode.QUERY_NOT_SUPPORTED, "Live queries with " + name + " are not supported yet");
        }
    }

    private static Collection<String> words(RoutingContext ctx, String name) {
        return List.of(parameter(ctx, name, "").split(",", 16)).stream()
                .map(String::trim)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static boolean flag(RoutingContext ctx, String name) {
        String value = parameter(ctx, name, "true");
        if (!Set.of("true", "false").contains(value)) {
            throw new ApiException(ErrorCode.BAD_REQUEST, name + " has to be true or false: " + value);
        }
        return value.equals("true");
    }

    /** The last value given. */
    private static String parameter(RoutingContext ctx, String name, String fallback) {
        List<String> values = ctx.queryParam(name);
        String last = values.isEmpty() ? "" : values.get(values.size() - 1);
        return last.isEmpty() ? fallback : last;
    }
}
