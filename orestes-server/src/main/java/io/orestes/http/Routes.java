package io.orestes.http;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.wire.AnswerRoom;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/** The routes of one event loop: adds the base path, HEAD beside every GET, and error rendering. */
final class Routes {

    /** First segment of every path; also the version of the interface. */
    static final String BASE = "/v1";

    private final Router router;
    private final AnswerRoom answers;

    Routes(Router router, AnswerRoom answers) {
        this.router = router;
        this.answers = answers;
    }

    @CanIgnoreReturnValue
    Routes get(String path, Function<RoutingContext, Future<Reply>> handler) {
        return read(router.route(BASE + path).method(HttpMethod.GET).method(HttpMethod.HEAD), handler);
    }

    /** A POST that changes nothing. */
    @CanIgnoreReturnValue
    Routes postToRead(String path, Function<RoutingContext, Future<Reply>> handler) {
        return read(router.post(BASE + path), handler);
    }

    @CanIgnoreReturnValue
    Routes post(String path, Function<RoutingContext, Future<Reply>> handler) {
        return add(router.post(BASE + path), handler);
    }

    @CanIgnoreReturnValue
    Routes put(String path, Function<RoutingContext, Future<Reply>> handler) {
        return add(router.put(BASE + path), handler);
    }

    @CanIgnoreReturnValue
    Routes delete(String path, Function<RoutingContext, Future<Reply>> handler) {
        return add(router.delete(BASE + path), handler);
    }

    /** A GET that writes its answer itself, piece by piece; a failure before the first piece is rendered as usual. */
    @CanIgnoreReturnValue
    Routes streamedGet(String path, Function<RoutingContext, Future<Void>> handler) {
        router.route(BASE + path)
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .handler(ctx -> Replies.stream(ctx, handler));
        return this;
    }

    /** A PUT that does the same. */
    @CanIgnoreReturnValue
    Routes streamedPut(String path, Function<RoutingContext, Future<Void>> handler) {
        router.put(BASE + path).handler(ctx -> Replies.stream(ctx, handler));
        return this;
    }

    /** A route for a method by its name. */
    @CanIgnoreReturnValue
    Routes add(String method, String path, Function<RoutingContext, Future<Reply>> handler) {
        return method.equals("GET")
                ? get(path, handler)
                : add(router.route(HttpMethod.valueOf(method), BASE + path), handler);
    }

    @CanIgnoreReturnValue
    private Routes add(Route route, Function<RoutingContext, Future<Reply>> handler) {
        route.handler(ctx -> Replies.answer(ctx, answers, handler));
        return this;
    }

    @CanIgnoreReturnValue
    private Routes read(Route route, Function<RoutingContext, Future<Reply>> handler) {
        route.handler(ctx -> Replies.answerRead(ctx, answers, handler));
        return this;
    }
}
