package io.orestes.replication.link;

import io.orestes.coordination.Member;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reliable, ordered message channel to one other member that survives broken connections.
 * Messages are sent in the order of {@link #send}. After a broken connection they are sent again
 * from the first unacknowledged one. On each connection the contents of this server's sketch go
 * first. The link sends only as much as the member reads. When too many bytes are unacknowledged,
 * it sends nothing more, and the member permanently counts as silent. Any thread may add messages;
 * the rest is done on one event loop.
 */
public final class PeerLink {

    private static final Logger log = LoggerFactory.getLogger(PeerLink.class);
    private static final long CHECK_MILLIS = 100;
    private static final long RETRY_MILLIS = 50;
    private static final long NONE = -1;

    private final Vertx vertx;
    private final Context home;
    private final NetClient client;
    private final Member to;
    private final PeerLinkContext peerLinkContext;
    private final PeerLinkConfig config;
    private final UnackedMessages unackedMessages;
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private volatile boolean isClosed;
    private volatile boolean isConnected;

    /** Belong to the event loop. */
    private final FailureDetector failureDetector;

    private @Nullable OutboundConnection outboundConnection;
    private @Nullable FrameWriter frameWriter;

    /** The rest of the state to send on this connection. */
    private Iterator<BsonDocument> state = Collections.emptyIterator();

    /** The number of the last state chunk, once that was sent. */
    private long lastOfState = NONE;

    private boolean isDisconnectedForGood;
    private long timer;

    /**
     * The environment of one link: own identity, TLS, source of the initial state, and
     * reaction to failure.
     *
     * @param self identity of the caller
     * @param state supplies the messages that go first on each connection
     * @param onSuspected called with the reason, again and again while the member is silent for too
     *     long
     */
    record PeerLinkContext(
            Member self, PeerTls tls, Supplier<Iterator<BsonDocument>> state, Consumer<String> onSuspected) {}

    PeerLink(Vertx vertx, NetClient client, Member to, PeerLinkContext peerLinkContext, PeerLinkConfig config) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.client = client;
        this.to = to;
        this.peerLinkContext = peerLinkContext;
        this.config = config;
        this.unackedMessages = new UnackedMessages(config.maxUnackedBytes());
        this.failureDetector = new FailureDetector(config.failureTimeout(), System.nanoTime());
    }

    void open() {
        home.runOnContext(begun -> {
            timer = vertx.setPeriodic(CHECK_MILLIS, tick -> check());
            connect();
        });
    }

    /**
     * Sends a message. Completes on some thread when the member has acknowledged it, or has ended.
     * Fails with {@code UNAVAILABLE} after the deadline, or when nothing more is sent to the
     * member.
     */
    Future<DeliveryOutcome> send(BsonDocument message, Duration deadline) {
        Future<DeliveryOutcome> answer = unackedMessages.add(message, deadline);
        if (isScheduled.compareAndSet(false, true)) {
            home.runOnContext(turn -> {
                isScheduled.set(false);
                flush();
            });
        }
        return answer;
    }

    /** Returns the member at the other end. */
    public Member member() {
        return to;
    }

    /** Returns the state of the link; any thread. */
    PeerLinkStatus state() {
        return new PeerLinkStatus(
                isConnected, unackedMessages.count(), unackedMessages.bytes(), config.maxUnackedBytes());
    }

    /**
     * Closes the link of an ended member: nothing more is sent, and all waits complete with
     * {@code outcome}.
     */
    public void close(Future<DeliveryOutcome> outcome) {
        isClosed = true;
        unackedMessages.completeAll(outcome);
        home.runOnContext(ended -> {
            boolean unused = vertx.cancelTimer(timer);
            closeConnection();
        });
    }

    /** Sends the state of the sketch again; other messages are not affected. */
    void resendState() {
        home.runOnContext(turn -> {
            if (frameWriter != null) {
                startStateTransfer();
                flush();
            }
        });
    }

    private void connect() {
        if (!isClosed && !isDisconnectedForGood) {
            OutboundConnection next =
                    new OutboundConnection(vertx, peerLinkContext.self(), to, new ConnectionListener());
            outboundConnection = next;
            next.open(client, peerLinkContext.tls(), config.failureTimeout());
        }
    }

    private void startStateTransfer() {
        state = peerLinkContext.state().get();
        lastOfState = NONE;
    }

    private void flush() {
        while (frameWriter != null && !frameWriter.isFull()) {
            Optional<Buffer> next = next();
            if (next.isEmpty()) {
                return;
            }
            frameWriter.add(next.get());
        }
    }

    private Optional<Buffer> next() {
        return state.hasNext()
                ? Optional.of(nextOfState())
                : unackedMessages.next().map(PendingMessage::frame);
    }

    private Buffer nextOfState() {
        long number = unackedMessages.nextNumber();
        Buffer frame = FrameCodec.encodeMessage(number, state.next());
        lastOfState = state.hasNext() ? NONE : number;
        return frame;
    }

    private void check() {
        flush();
        if (unackedMessages.isOverfull() && !isDisconnectedForGood) {
            disconnectForGood();
        }
        boolean isStalled = frameWriter != null && frameWriter.detectStall(config.failureTimeout());
        if (isDisconnectedForGood || isStalled || failureDetector.isSuspected(System.nanoTime())) {
            peerLinkContext.onSuspected().accept(reason(isStalled));
        }
        unackedMessages.failOverdue();
    }

    /** Returns why the member is suspected, as the end of a sentence about it. */
    private String reason(boolean isStalled) {
        if (isDisconnectedForGood) {
            return "does not acknowledge messages";
        }
        if (!isConnected) {
            return "cannot be reached at its address";
        }
        return isStalled ? "does not read messages" : failureDetector.reason();
    }

    /**
     * Stops sending. The member misses messages permanently and has to enter anew. Until it has
     * ended no message counts as acknowledged by all.
     */
    private void disconnectForGood() {
        log.warn("Member {} has not acknowledged {} bytes and gets no more messages", to, config.maxUnackedBytes());
        isDisconnectedForGood = true;
        unackedMessages.completeAll(Future.failedFuture(
                new ApiException(ErrorCode.UNAVAILABLE, "Another server is too slow; what was written is stored")));
        closeConnection();
    }

    private void closeConnection() {
        if (outboundConnection != null) {
            outboundConnection.close();
        }
    }

    private void acknowledge(BsonDocument answer) {
        long number = FrameCodec.acknowledgedNumber(answer);
        if (number == lastOfState) {
            failureDetector.onStateAcknowledged(System.nanoTime());
        }
        unackedMessages.acknowledge(number, FrameCodec.outcome(answer));
    }

    /** The listener of the link to its current outbound connection. */
    private final class ConnectionListener implements OutboundConnection.OutboundListener {

        @Override
        public void onAuthenticated(FrameWriter opened) {
            frameWriter = opened;
            isConnected = true;
            failureDetector.onConnected(System.nanoTime());
            // Later messages must follow the state.
            unackedMessages.requeueSent();
            startStateTransfer();
            flush();
        }

        @Override
        public void onFrame(BsonDocument frame) {
            failureDetector.onMessage(System.nanoTime());
            if (FrameCodec.isAcknowledgement(frame)) {
                acknowledge(frame);
            }
        }

        @Override
        public void onDrained() {
            flush();
        }

        @Override
        public void onClosed() {
            outboundConnection = null;
            frameWriter = null;
            isConnected = false;
            state = Collections.emptyIterator();
            long unused = vertx.setTimer(RETRY_MILLIS, later -> connect());
        }
    }
}
