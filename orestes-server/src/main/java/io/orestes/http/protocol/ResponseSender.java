package io.orestes.http.protocol;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.socket.ConnectionAborter;
import io.orestes.wire.ResponseBudget;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/** The sender of responses and of failures as error responses. */
public final class ResponseSender {

    private ResponseSender() {}

    /**
     * Answers with the result of {@code handler}; whatever it throws or fails with is rendered too.
     */
    static void respond(
            RoutingContext ctx, ResponseBudget room, Function<RoutingContext, Future<ApiResponse>> handler) {
        respond(ctx.request(), room, attempt(ctx, handler));
    }

    /**
     * Answers with the response when it completes, or with its failure; returns it. A finished
     * write is answered even without room in the budget.
     */
    @CanIgnoreReturnValue
    public static Future<ApiResponse> respond(
            HttpServerRequest request, ResponseBudget room, Future<ApiResponse> apiResponse) {
        return apiResponse.onComplete(done -> {
            if (done.failed()) {
                send(request, failed(request, done.cause()));
            } else if (isLarge(request, done.result())) {
                room.reserve(done.result().body().length());
                sendLarge(request, room, done.result());
            } else {
                send(request, done.result());
            }
        });
    }

    /** Answers a read: a large response that exceeds the budget is refused. */
    public static void respondToRead(
            RoutingContext ctx, ResponseBudget room, Function<RoutingContext, Future<ApiResponse>> handler) {
        HttpServerRequest request = ctx.request();
        attempt(ctx, handler).onComplete(done -> {
            if (done.failed()) {
                send(request, failed(request, done.cause()));
            } else if (!isLarge(request, done.result())) {
                send(request, done.result());
            } else if (room.tryReserve(done.result().body().length())) {
                sendLarge(request, room, done.result());
            } else {
                send(request, failed(request, ResponseBudget.exhausted()));
            }
        });
    }

    private static boolean isLarge(HttpServerRequest request, ApiResponse apiResponse) {
        return ResponseBudget.isLarge(apiResponse.body().length()) && !HttpMethod.HEAD.equals(request.method());
    }

    /** Sends a large response whose bytes are reserved. */
    private static void sendLarge(HttpServerRequest request, ResponseBudget room, ApiResponse apiResponse) {
        room.track(apiResponse.body().length(), send(request, apiResponse), () -> ConnectionAborter.on(request));
    }

    /**
     * Lets {@code handler} stream the response. If it fails half-way the connection is reset, so
     * that no client takes the response for complete.
     */
    static void stream(RoutingContext ctx, Function<RoutingContext, Future<Void>> handler) {
        attempt(ctx, handler).onSuccess(written -> closeOld(ctx.request())).onFailure(failure -> abort(ctx, failure));
    }

    /**
     * Closes the connection of HTTP/1.0 after a response without a length (RFC 1945, section
     * 7.2.2).
     */
    private static void closeOld(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_1_0) {
            request.connection().close();
        }
    }

    /** Aborts a response. If the client disconnected, nothing is logged, since this is no error. */
    private static void abort(RoutingContext ctx, Throwable failure) {
        if (ctx.response().closed()) {
            return;
        }
        ApiResponse apiResponse = failed(ctx.request(), failure);
        if (ctx.response().headWritten()) {
            ctx.response().reset();
        }
        send(ctx.request(), apiResponse);
    }

    private static <T> Future<T> attempt(RoutingContext ctx, Function<RoutingContext, Future<T>> handler) {
        try {
            return handler.apply(ctx);
        } catch (RuntimeException failure) {
            return Future.failedFuture(failure);
        }
    }

    /**
     * Sends the response, unless the client disconnected or a response was begun; completes when it
     * is written.
     */
    @CanIgnoreReturnValue
    public static Future<Void> send(HttpServerRequest request, ApiResponse apiResponse) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed() || response.headWritten()) {
            return Future.succeededFuture();
        }
        response.setStatusCode(apiResponse.status());
        apiResponse.headers().forEach(response::putHeader);
        return end(request, response, apiResponse);
    }

    private static Future<Void> end(HttpServerRequest request, HttpServerResponse response, ApiResponse apiResponse) {
        if (HttpMethod.HEAD.equals(request.method())) {
            response.putHeader(
                    HttpHeaders.CONTENT_LENGTH,
                    Integer.toString(apiResponse.body().length()));
            return sent(request, response.end());
        } else if (apiResponse.body().length() == 0) {
            return sent(request, response.end());
        } else {
            return sent(request, ResponseBudget.end(request, apiResponse.body()));
        }
    }

    /**
     * Closes the connection after a response with {@code Connection: close}, since further requests
     * are not wanted.
     */
    private static Future<Void> sent(HttpServerRequest request, Future<Void> sent) {
        if (request.response().headers().contains(HttpHeaders.CONNECTION, HttpHeaders.CLOSE, true)) {
            sent.onComplete(done -> request.connection().close());
        }
        return sent;
    }

    private static ApiResponse failed(HttpServerRequest request, Throwable cause) {
        return ErrorResponses.toResponse(cause, request.method() + " " + request.path());
    }
}
