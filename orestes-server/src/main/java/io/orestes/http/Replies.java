package io.orestes.http;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.socket.HangUp;
import io.orestes.wire.AnswerRoom;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/** Sends replies, and failures as replies. */
final class Replies {

    private Replies() {}

    /** Answers with what {@code handler} comes up with, now or later; whatever it throws or fails with is rendered too. */
    static void answer(RoutingContext ctx, AnswerRoom room, Function<RoutingContext, Future<Reply>> handler) {
        answer(ctx.request(), room, attempt(ctx, handler));
    }

    /** Answers with the reply once it is there, or with its failure; returns it. What was done is told even if there is no room. */
    @CanIgnoreReturnValue
    static Future<Reply> answer(HttpServerRequest request, AnswerRoom room, Future<Reply> reply) {
        return reply.onComplete(done -> {
            if (done.failed()) {
                send(request, failed(request, done.cause()));
            } else if (isLarge(request, done.result())) {
                room.takeAnyway(done.result().body().length());
                sendLarge(request, room, done.result());
            } else {
                send(request, done.result());
            }
        });
    }

    /** The same for what only reads: a large answer that there is no room for is refused. */
    static void answerRead(RoutingContext ctx, AnswerRoom room, Function<RoutingContext, Future<Reply>> handler) {
        HttpServerRequest request = ctx.request();
        attempt(ctx, handler).onComplete(done -> {
            if (done.failed()) {
                send(request, failed(request, done.cause()));
            } else if (!isLarge(request, done.result())) {
                send(request, done.result());
            } else if (room.take(done.result().body().length())) {
                sendLarge(request, room, done.result());
            } else {
                send(request, failed(request, AnswerRoom.full()));
            }
        });
    }

    private static boolean isLarge(HttpServerRequest request, Reply reply) {
        return AnswerRoom.isLarge(reply.body().length()) && !HttpMethod.HEAD.equals(request.method());
    }

    /** Room was taken. */
    private static void sendLarge(HttpServerRequest request, AnswerRoom room, Reply reply) {
        room.follow(reply.body().length(), send(request, reply), () -> HangUp.on(request));
    }

    /** Lets {@code handler} write the answer; if that fails half-way the connection is cut, so that nobody takes it for whole. */
    static void stream(RoutingContext ctx, Function<RoutingContext, Future<Void>> handler) {
        attempt(ctx, handler)
                .onSuccess(written -> closeOld(ctx.request()))
                .onFailure(failure -> breakOff(ctx, failure));
    }

    /** In HTTP/1.0 an answer without a length ends with the connection (RFC 1945, section 7.2.2). */
    private static void closeOld(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_1_0) {
            request.connection().close();
        }
    }

    /** Nobody is told, and nothing is wrong, if the client is gone. */
    private static void breakOff(RoutingContext ctx, Throwable failure) {
        if (ctx.response().closed()) {
            return;
        }
        Reply reply = failed(ctx.request(), failure);
        if (ctx.response().headWritten()) {
            ctx.response().reset();
        }
        send(ctx.request(), reply);
    }

    private static <T> Future<T> attempt(RoutingContext ctx, Function<RoutingContext, Future<T>> handler) {
        try {
            return handler.apply(ctx);
        } catch (RuntimeException failure) {
            return Future.failedFuture(failure);
        }
    }

    /** Sends it, unless the client is gone or an answer was begun; completes when it is on its way. */
    @CanIgnoreReturnValue
    static Future<Void> send(HttpServerRequest request, Reply reply) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed() || response.headWritten()) {
            return Future.succeededFuture();
        }
        response.setStatusCode(reply.status());
        reply.headers().forEach(response::putHeader);
        return end(request, response, reply);
    }

    private static Future<Void> end(HttpServerRequest request, HttpServerResponse response, Reply reply) {
        if (HttpMethod.HEAD.equals(request.method())) {
            response.putHeader(
                    HttpHeaders.CONTENT_LENGTH, Integer.toString(reply.body().length()));
            return sent(request, response.end());
        } else if (reply.body().length() == 0) {
            return sent(request, response.end());
        } else {
            return sent(request, AnswerRoom.end(request, reply.body()));
        }
    }

    /** Whoever put {@code Connection: close} into an answer wants no more of what the client has to say. */
    private static Future<Void> sent(HttpServerRequest request, Future<Void> sent) {
        if (request.response().headers().contains(HttpHeaders.CONNECTION, HttpHeaders.CLOSE, true)) {
            sent.onComplete(done -> request.connection().close());
        }
        return sent;
    }

    private static Reply failed(HttpServerRequest request, Throwable cause) {
        return Failures.reply(cause, request.method() + " " + request.path());
    }
}
