package io.orestes.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes of all request bodies that are under way at a time, so that many clients that send large bodies, or
 * begin to and stop, cannot use up the memory. Shared by all event loops.
 */
public final class BodyBudget {

    private static final Set<HttpMethod> BODYLESS = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.DELETE);

    private static final String COUNTED = BodyBudget.class.getName();

    private final long maxBytes;
    private final AtomicLong reserved = new AtomicLong();

    public BodyBudget(long maxBytes, MeterRegistry registry) {
        this.maxBytes = maxBytes;
        HttpMetrics.bind(registry, this);
    }

    /** How many bytes are taken now. */
    long pendingBytes() {
        return reserved.get();
    }

    /**
     * Goes on if there is room for the body, which is held until the answer is sent or the client gone; else fails. Counts a
     * request once, however many routes ask.
     */
    void admit(RoutingContext ctx, long limit) {
        if (ctx.get(COUNTED, false)) {
            ctx.next();
            return;
        }
        long bytes = Math.min(announced(ctx.request(), limit), limit);
        if (!reserve(bytes)) {
            ctx.fail(new ApiException(ErrorCode.UNAVAILABLE, "Too many large requests are under way; try again"));
        } else {
            ctx.put(COUNTED, true).addEndHandler(done -> release(bytes));
            ctx.next();
        }
    }

    /** Takes room for a body if there is any; it has to be given back with {@link #release}. */
    boolean reserve(long bytes) {
        boolean isThere = reserved.addAndGet(bytes) <= maxBytes;
        if (!isThere) {
            release(bytes);
        }
        return isThere;
    }

    void release(long bytes) {
        reserved.addAndGet(-bytes);
    }

    /** A body of unknown length may grow to the limit. */
    private static long announced(HttpServerRequest request, long limit) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length == null) {
            return BODYLESS.contains(request.method()) ? 0 : limit;
        }
        try {
            return Math.max(0, Long.parseLong(length));
        } catch (NumberFormatException e) {
            return limit;
        }
    }
}
