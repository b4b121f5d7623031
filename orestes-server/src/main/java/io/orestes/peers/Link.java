package io.orestes.peers;

import io.orestes.coordination.Member;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketClient;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one other member is told: everything in the order of {@link #tell}, again from the first that was not answered when the connection
 * broke, and before all that, on each connection, what this server's sketch knows. Sent is only as much as the member takes; when too much has
 * come together nothing is any more, and the member is silent for good. Told by any thread; the rest is done on one event loop.
 */
final class Link {

    private static final Logger log = LoggerFactory.getLogger(Link.class);
    private static final long CHECK_MILLIS = 100;
    private static final long RETRY_MILLIS = 50;
    private static final long NONE = -1;

    private final Vertx vertx;
    private final Context home;
    private final WebSocketClient client;
    private final Member to;
    private final Dialing dialing;
    private final GroupConfig config;
    private final Unanswered unanswered;
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private volatile boolean isClosed;
    private volatile boolean isConnected;

    /** Belong to the event loop. */
    private final Silence silence;

    private @Nullable Call call;
    private @Nullable Outbox outbox;

    /** What is left of it to be told on this connection. */
    private Iterator<Message> state = Collections.emptyIterator();

    /** The number of its last part, once that was sent. */
    private long lastOfState = NONE;

    private boolean isSevered;
    private long timer;

    /**
     * What a link asks of its group.
     *
     * @param self who is calling
     * @param state what is told first on each connection
     * @param silent told, again and again, when the member is silent for too long
     */
    record Dialing(Member self, Greeting greeting, Supplier<Iterator<Message>> state, Runnable silent) {}

    Link(Vertx vertx, WebSocketClient client, Member to, Dialing dialing, GroupConfig config) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.client = client;
        this.to = to;
        this.dialing = dialing;
        this.config = config;
        this.unanswered = new Unanswered(config.mostBytes());
        this.silence = new Silence(config.patience(), System.nanoTime());
    }

    void open() {
        home.runOnContext(begun -> {
            timer = vertx.setPeriodic(CHECK_MILLIS, tick -> check());
            connect();
        });
    }

    /**
     * Completes on some thread when the member has answered, or is gone; fails with {@code UNAVAILABLE} after the deadline, or when it is
     * told nothing any more.
     */
    Future<Confirmation> tell(Message message, Duration deadline) {
        Future<Confirmation> answer = unanswered.add(message, deadline);
        if (isScheduled.compareAndSet(false, true)) {
            home.runOnContext(turn -> {
                isScheduled.set(false);
                flush();
            });
        }
        return answer;
    }

    /** The member at its other end. */
    Member member() {
        return to;
    }

    /** How it is with the link; from any thread. */
    LinkState state() {
        return new LinkState(isConnected, unanswered.count(), unanswered.bytes(), config.mostBytes());
    }

    /** To be called when the member is gone: nothing more is told, and nobody waits for it any more. */
    void close(Future<Confirmation> outcome) {
        isClosed = true;
        unanswered.end(outcome);
        home.runOnContext(ended -> {
            boolean unused = vertx.cancelTimer(timer);
            hangUp();
        });
    }

    /** Sends again what the member's sketch should know; what else was told is not touched. */
    void retellState() {
        home.runOnContext(turn -> {
            if (outbox != null) {
                beginState();
                flush();
            }
        });
    }

    private void connect() {
        if (!isClosed && !isSevered) {
            Call next = new Call(vertx, dialing.self(), to, dialing.greeting(), new Answers());
            call = next;
            next.begin(client, config.patience());
        }
    }

    private void beginState() {
        state = dialing.state().get();
        lastOfState = NONE;
    }

    private void flush() {
        while (outbox != null && !outbox.isFull()) {
            Optional<Buffer> next = next();
            if (next.isEmpty()) {
                return;
            }
            outbox.add(next.get());
        }
    }

    private Optional<Buffer> next() {
        return state.hasNext() ? Optional.of(nextOfState()) : unanswered.next().map(Pending::frame);
    }

    private Buffer nextOfState() {
        long number = unanswered.nextNumber();
        Buffer frame = Frames.message(number, state.next());
        lastOfState = state.hasNext() ? NONE : number;
        return frame;
    }

    private void check() {
        flush();
        if (unanswered.isOverfull() && !isSevered) {
            sever();
        }
        boolean isStalled = outbox != null && outbox.isStalled(config.patience());
        if (isSevered || isStalled || silence.isTooLong(System.nanoTime())) {
            dialing.silent().run();
        }
        unanswered.failOverdue();
    }

    /** What it was not told it can never be told: it has to enter anew. Until it is gone nothing counts as known by all. */
    private void sever() {
        log.warn("Member {} has not dealt with {} bytes and is told nothing more", to, config.mostBytes());
        isSevered = true;
        unanswered.end(Future.failedFuture(
                new ApiException(ErrorCode.UNAVAILABLE, "Another server is too slow; what was written is stored")));
        hangUp();
    }

    private void hangUp() {
        if (call != null) {
            call.end();
        }
    }

    private void answered(BsonDocument answer) {
        long number = Frames.answered(answer);
        if (number == lastOfState) {
            silence.tookIn(System.nanoTime());
        }
        unanswered.answered(number, Frames.confirmation(answer));
    }

    /** What comes of calls. */
    private final class Answers implements Call.Events {

        @Override
        public void greeted(Call greeted, Outbox opened) {
            outbox = opened;
            isConnected = true;
            silence.connected(System.nanoTime());
            // what is told from now on is told after it
            unanswered.sendAgain();
            beginState();
            flush();
        }

        @Override
        public void heard(Buffer arrived) {
            silence.heard(System.nanoTime());
            Frames.split(arrived).stream().filter(Frames::isAnswer).forEach(Link.this::answered);
        }

        @Override
        public void drained() {
            flush();
        }

        @Override
        public void ended(Call ended) {
            call = null;
            outbox = null;
            isConnected = false;
            state = Collections.emptyIterator();
            long unused = vertx.setTimer(RETRY_MILLIS, later -> connect());
        }
    }
}
