package io.orestes.http.body;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.concurrent.TimeUnit;

/**
 * One request body that is being received into a {@link RequestBodySink}. The sink retains the
 * received part until {@link #release}. Used by one event loop.
 */
public final class PendingBody<T> implements Handler<Buffer> {

    /**
     * Minimum rate in bytes per second: each so many received bytes extend the deadline by a
     * second.
     */
    private static final long MIN_BYTES_PER_SECOND = 64 * 1024;

    private final HttpServerRequest request;
    private final RequestBodySink<T> sink;
    private final long limit;
    private final long startNanos;
    private final Promise<T> whole = Promise.promise();
    private long receivedBytes;

    PendingBody(HttpServerRequest request, RequestBodySink<T> sink, long limit, long startNanos) {
        this.request = request;
        this.sink = sink;
        this.limit = limit;
        this.startNanos = startNanos;
    }

    /**
     * Returns the body; fails with the error to send. Completes on the event loop of the request.
     */
    public Future<T> whole() {
        return whole.future();
    }

    void receive() {
        request.handler(this).endHandler(end -> complete()).exceptionHandler(this::onFailure);
        request.resume();
    }

    void complete() {
        if (!whole.future().isComplete()) {
            sink.finish().onSuccess(whole::tryComplete).onFailure(failure -> refuse(ApiException.of(failure)));
        }
    }

    /** Handles a chunk; after a refusal it is dropped. */
    @Override
    public void handle(Buffer chunk) {
        long size = receivedBytes + chunk.length();
        if (whole.future().isComplete()) {
            return;
        }
        if (size > limit) {
            refuse(tooLarge(limit));
        } else if (!sink.tryAppend(chunk, size)) {
            refuse(budgetExceeded());
        } else {
            receivedBytes = size;
        }
    }

    /** Releases the reserved resources; idempotent. */
    public void release() {
        sink.release();
    }

    void refuse(ApiException reason) {
        if (whole.tryFail(reason)) {
            release();
        }
    }

    static ApiException tooLarge(long limit) {
        return new ApiException(
                ErrorCode.PAYLOAD_TOO_LARGE, "The body is larger than the " + limit + " bytes accepted");
    }

    static ApiException budgetExceeded() {
        return new ApiException(ErrorCode.UNAVAILABLE, "The budget has no room for a body of this size now; try again");
    }

    /** Aborts after the client disconnected before a response. */
    void abort() {
        refuse(new ApiException(ErrorCode.BAD_REQUEST, "The client has disconnected"));
    }

    /**
     * Aborts on a closed connection or an unreadable body. No response is sent, since the start of
     * the next request is unknown.
     */
    private void onFailure(Throwable cause) {
        refuseAndClose(new ApiException(ErrorCode.BAD_REQUEST, "The body is malformed or broke off"));
    }

    /** Refuses the body if it exceeds its time. */
    void checkTime(long nowNanos, long timeoutNanos) {
        long allowed = timeoutNanos + TimeUnit.SECONDS.toNanos(1) * (receivedBytes / MIN_BYTES_PER_SECOND);
        if (nowNanos - startNanos > allowed) {
            refuseAndClose(new ApiException(ErrorCode.REQUEST_TIMEOUT, "The body was not received in time"));
        }
    }

    private void refuseAndClose(ApiException reason) {
        if (!whole.future().isComplete() && request.version() != HttpVersion.HTTP_2) {
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        refuse(reason);
    }
}
