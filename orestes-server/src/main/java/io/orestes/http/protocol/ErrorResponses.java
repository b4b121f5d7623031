package io.orestes.http.protocol;

import io.netty.handler.codec.http.TooLongHttpLineException;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.wire.ErrorFormat;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Duration;
import java.util.Optional;

/** The only mapping of failures to HTTP error responses (protocol §2). */
public final class ErrorResponses {

    /** Default retry delay of unavailable resources. */
    private static final Duration DEFAULT_RETRY_AFTER = Duration.ofSeconds(1);

    private ErrorResponses() {}

    /** Creates the response of a failure; internal details are omitted. */
    public static ApiResponse toResponse(Throwable cause, String request) {
        ApiException failure =
                ErrorFormat.logAndConvert(cause instanceof HttpException http ? refusal(http) : cause, request);
        ApiResponse apiResponse =
                ApiResponse.json(failure.code().httpStatus(), JsonWriter.write(ErrorFormat.of(failure)));
        retryAfter(failure).ifPresent(time -> apiResponse.with(HttpHeaders.RETRY_AFTER, seconds(time)));
        return apiResponse;
    }

    private static Optional<Duration> retryAfter(ApiException failure) {
        return failure.code() == ErrorCode.UNAVAILABLE
                ? Optional.of(failure.retryAfter().orElse(DEFAULT_RETRY_AFTER))
                : failure.retryAfter();
    }

    /** Formats whole seconds, rounded up, so that a client that waits so long is not too early. */
    private static String seconds(Duration time) {
        return Long.toString(time.plusMillis(999).toSeconds());
    }

    /**
     * Renders an error that the router found before our handlers ran; it gives the status, not
     * always the cause. Nothing is sent on a closed connection.
     */
    public static void render(RoutingContext ctx, int status) {
        if (ctx.response().closed()) {
            return;
        }
        Throwable cause = ctx.failure() != null ? ctx.failure() : new HttpException(status);
        ResponseSender.send(
                ctx.request(),
                toResponse(cause, ctx.request().method() + " " + ctx.request().path()));
    }

    /**
     * Answers a malformed HTTP request and closes the connection, since the start of the next
     * request is unknown.
     */
    public static void refuse(HttpServerRequest request) {
        boolean tooLong = request.decoderResult().cause() instanceof TooLongHttpLineException;
        ApiException failure = tooLong
                ? new ApiException(ErrorCode.URI_TOO_LONG, "The request line is longer than this server accepts")
                : new ApiException(ErrorCode.BAD_REQUEST, "The request is malformed");
        ApiResponse apiResponse =
                toResponse(failure, "unreadable request").with(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        HttpServerResponse response = request.response().setStatusCode(apiResponse.status());
        apiResponse.headers().forEach(response::putHeader);
        response.end(apiResponse.body()).onComplete(sent -> request.connection().close());
    }

    /**
     * Answers a request whose end cannot be found, and closes the connection. The response is
     * complete but is not ended. Otherwise the bytes behind the request would be handled as the
     * next request before the connection closes.
     */
    public static void refuseUndelimited(HttpServerRequest request) {
        ApiException failure = new ApiException(ErrorCode.BAD_REQUEST, "The only Transfer-Encoding is chunked, once");
        ApiResponse apiResponse =
                toResponse(failure, "request without an end").with(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        HttpServerResponse response = request.response().setStatusCode(apiResponse.status());
        apiResponse.headers().forEach(response::putHeader);
        response.putHeader(
                        HttpHeaders.CONTENT_LENGTH,
                        Integer.toString(apiResponse.body().length()))
                .write(apiResponse.body())
                .onComplete(sent -> request.connection().close());
    }

    /** Refuses a request before it is routed. */
    public static void refuse(HttpServerRequest request, String why) {
        ApiResponse apiResponse = toResponse(new ApiException(ErrorCode.BAD_REQUEST, why), "unroutable request");
        HttpServerResponse response = request.response().setStatusCode(apiResponse.status());
        Cors.apply(request, response);
        apiResponse.headers().forEach(response::putHeader);
        response.end(apiResponse.body());
    }

    private static ApiException refusal(HttpException failure) {
        return switch (failure.getStatusCode()) {
            case 404 -> new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no such resource");
            case 405 -> new ApiException(ErrorCode.METHOD_NOT_ALLOWED, "This resource does not know that method");
            case 406 -> new ApiException(ErrorCode.NOT_ACCEPTABLE, "There is no representation of the requested type");
            case 413 -> new ApiException(ErrorCode.PAYLOAD_TOO_LARGE, "The body is larger than this server accepts");
            case 415 -> new ApiException(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body has to be application/json");
            default ->
                failure.getStatusCode() < 500
                        ? new ApiException(ErrorCode.BAD_REQUEST, "The request is malformed")
                        : ApiException.of(failure);
        };
    }
}
