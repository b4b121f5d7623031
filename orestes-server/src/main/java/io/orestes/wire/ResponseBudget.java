package io.orestes.wire;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.internal.PlatformDependent;
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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory and time budget of large responses that clients have not received yet. Responses are
 * copied for each client, so many clients that read slowly, or not at all, could use up the memory.
 * Small responses are not counted. Where there is no room, the response that is in progress for
 * longest is broken off in favour of others. Clients that do not read therefore cannot block
 * responses to others. Shared by all event loops.
 */
public final class ResponseBudget {

    /** Largest answer that is not counted, in bytes. */
    private static final int SMALL = 64 * 1024;

    /** For how long an answer makes way for no other. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final long maxBytes;
    private final Duration patience;
    private final int bytesPerSecond;
    private final AtomicLong taken = new AtomicLong();

    /** In the order in which they began. */
    private final Queue<Sending> under = new ConcurrentLinkedQueue<>();

    private final Duration grace;

    /**
     * Room of a given size.
     *
     * @param maxBytes of all answers; one alone may be larger
     * @param patience how long a client may take for a large answer, and a second longer for each
     *     64 KiB of it
     */
    public ResponseBudget(Vertx vertx, long maxBytes, Duration patience) {
        this(vertx, maxBytes, patience, SMALL, GRACE);
    }

    /** The same with another pace and time of grace. */
    ResponseBudget(Vertx vertx, long maxBytes, Duration patience, int bytesPerSecond, Duration grace) {
        this.bytesPerSecond = bytesPerSecond;
        this.grace = grace;
        this.vertx = vertx;
        this.maxBytes = maxBytes;
        this.patience = patience;
    }

    /**
     * A quarter of the heap, but no more than half of what the JVM lends Netty outside of it, where
     * the copies are.
     */
    public static ResponseBudget ofMemory(Vertx vertx, Duration patience, MeterRegistry registry) {
        long maxBytes = Math.min(Runtime.getRuntime().maxMemory() / 4, PlatformDependent.estimateMaxDirectMemory() / 2);
        ResponseBudget room = new ResponseBudget(vertx, maxBytes, patience);
        Gauge.builder("orestes.http.answers.pending", room, ResponseBudget::pendingBytes)
                .description("Room taken by large answers that clients have not taken yet")
                .baseUnit("bytes")
                .register(registry);
        return room;
    }

    /** Whether an answer of so many bytes is counted. */
    public static boolean isLarge(int bytes) {
        return bytes > SMALL;
    }

    /**
     * Ends an answer with its body, so that it can be broken off before all of it is sent: in
     * HTTP/2 no stream can be reset once its end was written, so a large one ends when its body is
     * on its way.
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

    /** What is answered where there is no room. */
    public static ApiException full() {
        return new ApiException(ErrorCode.UNAVAILABLE, "Too many large answers are being sent; try again in a moment")
                .after(Duration.ofSeconds(1));
    }

    /**
     * Takes room if there is any, or others make way; then the answer has to be {@linkplain #follow
     * followed}.
     */
    public boolean take(int bytes) {
        if (!isLarge(bytes)) {
            return true;
        }
        while (!isWithin(taken.addAndGet(bytes), bytes)) {
            taken.addAndGet(-bytes);
            if (!makeWay()) {
                return false;
            }
        }
        return true;
    }

    private boolean isWithin(long sum, int bytes) {
        return sum <= maxBytes || sum == bytes;
    }

    /** The same for what has to be told even if there is no room, as it is done already. */
    public void takeAnyway(int bytes) {
        if (isLarge(bytes)) {
            long sum = taken.addAndGet(bytes);
            while (!isWithin(sum, bytes) && makeWay()) {
                sum = taken.get();
            }
        }
    }

    /** Breaks off the answer that has been under way for longest, unless all have just begun. */
    private boolean makeWay() {
        Sending longest = under.peek();
        boolean isDue = longest != null && System.nanoTime() - longest.begun > grace.toNanos();
        if (isDue) {
            longest.breakOff();
        }
        return isDue;
    }

    /**
     * Gives room back as soon as the answer is on its way, and ends the connection of a client that
     * takes too long; to be called on the connection's event loop.
     *
     * @param hangUp ends the connection, or the stream, whatever is unsent
     */
    public void follow(int bytes, Future<Void> sent, Runnable hangUp) {
        if (isLarge(bytes)) {
            Sending sending = new Sending(bytes, vertx.getOrCreateContext(), hangUp);
            under.add(sending);
            long timer = vertx.setTimer(longest(bytes).toMillis(), late -> sending.breakOff());
            sent.onComplete(done -> {
                boolean unused = vertx.cancelTimer(timer);
                sending.end();
            });
        }
    }

    private Duration longest(int bytes) {
        return patience.plusSeconds(bytes / bytesPerSecond);
    }

    /** How many bytes are taken now. */
    long pendingBytes() {
        return taken.get();
    }

    /** An answer on its way to one client. */
    private final class Sending {

        private final int bytes;
        private final Context home;
        private final Runnable hangUp;
        private final long begun = System.nanoTime();
        private final AtomicBoolean isOver = new AtomicBoolean();

        private Sending(int bytes, Context home, Runnable hangUp) {
            this.bytes = bytes;
            this.home = home;
            this.hangUp = hangUp;
        }

        private void breakOff() {
            if (end()) {
                home.runOnContext(now -> hangUp.run());
            }
        }

        /** Whether it was not over before; then its bytes are given back. */
        @CanIgnoreReturnValue
        private boolean end() {
            boolean isFirst = isOver.compareAndSet(false, true);
            if (isFirst) {
                boolean unused = under.remove(this);
                taken.addAndGet(-bytes);
            }
            return isFirst;
        }
    }
}
