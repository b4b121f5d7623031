package io.orestes.http.protocol;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.wire.ResponseBudget;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/** The router of one event loop that adds the base path, HEAD routes and error responses. */
public final class ApiRouter {

    /** First segment of every path and version of the interface. */
    public static final String BASE = "/v1";

    private final Router router;
    private final ResponseBudget answers;

    public ApiRouter(Router router, ResponseBudget answers) {
        this.router = router;
        this.answers = answers;
    }

    @CanIgnoreReturnValue
    public ApiRouter get(String path, Function<RoutingContext, Future<ApiResponse>> handler) {
        return read(router.route(BASE + path).method(HttpMethod.GET).method(HttpMethod.HEAD), handler);
    }

    /** Adds a POST that changes nothing. */
    @CanIgnoreReturnValue
    public ApiRouter postToRead(String path, Function<RoutingContext, Future<ApiResponse>> handler) {
        return read(router.post(BASE + path), handler);
    }

    @CanIgnoreReturnValue
    public ApiRouter post(String path, Function<RoutingContext, Future<ApiResponse>> handler) {
        return add(router.post(BASE + path), handler);
    }

    @CanIgnoreReturnValue
    public ApiRouter put(String path, Function<RoutingContext, Future<ApiResponse>> handler) {
        return add(router.put(BASE + path), handler);
    }

    @CanIgnoreReturnValue
    public ApiRouter delete(String path, Function<RoutingContext, Future<ApiResponse>> handler) {
        return add(router.delete(BASE + path), handler);
    }

    /**
     * Adds a GET that streams its response; a failure before the first chunk is rendered as usual.
     */
    @CanIgnoreReturnValue
    public ApiRouter streamedGet(String path, Function<RoutingContext, Future<Void>> handler) {
        router.route(BASE + path)
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .handler(ctx -> ResponseSender.stream(ctx, handler));
        return this;
    }

    /** Adds a PUT that streams its response. */
    @CanIgnoreReturnValue
    public ApiRouter streamedPut(String path, Function<RoutingContext, Future<Void>> handler) {
        router.put(BASE + path).handler(ctx -> ResponseSender.stream(ctx, handler));
        return this;
    }

    /** Adds a route for a method by its name. */
    @CanIgnoreReturnValue
    public ApiRouter add(String method, String path, Function<RoutingContext, Future<ApiResponse>> handler) {
        return method.equals("GET")
                ? get(path, handler)
                : add(router.route(HttpMethod.valueOf(method), BASE + path), handler);
    }

    @CanIgnoreReturnValue
    private ApiRouter add(Route route, Function<RoutingContext, Future<ApiResponse>> handler) {
        route.handler(ctx -> ResponseSender.respond(ctx, answers, handler));
        return this;
    }

    @CanIgnoreReturnValue
    private ApiRouter read(Route route, Function<RoutingContext, Future<ApiResponse>> handler) {
        route.handler(ctx -> ResponseSender.respondToRead(ctx, answers, handler));
        return this;
    }
}
