package io.orestes.wire;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.internal.PlatformDependent;
import io.orestes.limits.EvictingBudget;
import io.orestes.limits.EvictionPolicy;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;

/**
 * The memory and time budget of large responses that clients have not received yet. Responses are
 * copied for each client, so many clients that read slowly, or not at all, could use up the memory.
 * Small responses are not counted. If the budget is exhausted, the response that is in progress for
 * longest is aborted in favour of others. Clients that do not read therefore cannot block responses
 * to others. Shared by all event loops.
 */
public final class ResponseBudget {

    /** Maximum size in bytes of a response that is not counted. */
    private static final int MAX_SMALL_RESPONSE_BYTES = 64 * 1024;

    /** Time for which a new response is not aborted in favour of another. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final Duration sendTimeout;
    private final int bytesPerSecond;
    private final EvictingBudget memory;

    /**
     * Creates a budget.
     *
     * @param maxBytes maximum bytes of all responses; a single one may be larger
     * @param patience time in which a client has to receive a large response, plus a second for
     *     each 64 KiB of it
     */
    public ResponseBudget(Vertx vertx, long maxBytes, Duration patience) {
        this(vertx, maxBytes, patience, MAX_SMALL_RESPONSE_BYTES, GRACE);
    }

    /** Creates a budget with another rate and grace time. */
    ResponseBudget(Vertx vertx, long maxBytes, Duration patience, int bytesPerSecond, Duration grace) {
        this.bytesPerSecond = bytesPerSecond;
        this.vertx = vertx;
        this.sendTimeout = patience;
        this.memory = new EvictingBudget(maxBytes, EvictionPolicy.oldest(grace));
    }

    /**
     * Creates a budget of a quarter of the heap, but of at most half of the JVM's memory for Netty
     * outside of the heap, which contains the copies.
     */
    public static ResponseBudget ofMemory(Vertx vertx, Duration patience, MeterRegistry registry) {
        long maxBytes = Math.min(Runtime.getRuntime().maxMemory() / 4, PlatformDependent.estimateMaxDirectMemory() / 2);
        ResponseBudget room = new ResponseBudget(vertx, maxBytes, patience);
        Gauge.builder("orestes.http.answers.pending", room, ResponseBudget::pendingBytes)
                .description("Memory reserved for large responses that clients have not received yet")
                .baseUnit("bytes")
                .register(registry);
        return room;
    }

    /** Returns whether a response of so many bytes is counted. */
    public static boolean isLarge(int bytes) {
        return bytes > MAX_SMALL_RESPONSE_BYTES;
    }

    /**
     * Ends a response with its body. It can be aborted until all of it is sent: in HTTP/2 no stream
     * can be reset once its end was written, so a large response ends after its body is written.
     */
    public static Future<Void> end(HttpServerRequest request, Buffer body) {
        HttpServerResponse response = request.response();
        if (!isLarge(body.length()) || request.version() != HttpVersion.HTTP_2) {
            return response.end(body);
        }
        return response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()))
                .write(body)
                .compose(written -> response.end());
    }

    /** Creates the refusal for an exhausted budget. */
    public static ApiException exhausted() {
        return new ApiException(ErrorCode.UNAVAILABLE, "Too many large responses are being sent; try again in a moment")
                .withRetryAfter(Duration.ofSeconds(1));
    }

    /**
     * Reserves bytes if they fit, or after aborting others; then the response has to be {@linkplain
     * #track followed}.
     */
    public boolean tryReserve(int bytes) {
        return !isLarge(bytes) || memory.tryReserve(bytes);
    }

    /**
     * Reserves bytes even beyond the limit, after aborting others, for the response to a finished
     * write.
     */
    public void reserve(int bytes) {
        if (isLarge(bytes)) {
            memory.reserve(bytes);
        }
    }

    /**
     * Releases the bytes when the response is sent, and disconnects a client that takes too long;
     * to be called on the connection's event loop.
     *
     * @param hangUp resets the connection, or the stream, unsent data included
     */
    public void track(int bytes, Future<Void> sent, Runnable hangUp) {
        if (isLarge(bytes)) {
            Context home = vertx.getOrCreateContext();
            EvictingBudget.Share share = memory.share(bytes, () -> home.runOnContext(now -> hangUp.run()));
            long timer = vertx.setTimer(longest(bytes).toMillis(), late -> share.evict());
            sent.onComplete(done -> {
                boolean unused = vertx.cancelTimer(timer);
                share.end();
            });
        }
    }

    private Duration longest(int bytes) {
        return sendTimeout.plusSeconds(bytes / bytesPerSecond);
    }

    /** Returns the number of reserved bytes. */
    long pendingBytes() {
        return memory.usedBytes();
    }
}
