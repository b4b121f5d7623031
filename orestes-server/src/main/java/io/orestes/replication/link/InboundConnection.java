package io.orestes.replication.link;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.function.Predicate;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection from another member, whose messages are processed in order and acknowledged one by
 * one. It begins with TLS and a {@link PeerHello}. A message is acknowledged when it has been
 * processed. While the member reads no acknowledgements, no further messages are read. Belongs to
 * one event loop.
 */
final class InboundConnection {

    private static final Logger log = LoggerFactory.getLogger(InboundConnection.class);
    private static final RefusalLog REFUSALS = new RefusalLog(log);
    private static final long HEARTBEAT_INTERVAL_MILLIS = 200;

    /**
     * Maximum size of a frame in bytes. A stored document has 16 MB at most, and no message has
     * more than a quarter of that beside it.
     */
    private static final int MAX_FRAME_BYTES = 20 << 20;

    private final Vertx vertx;
    private final Context home;
    private final NetSocket socket;
    private final PeerListener.InboundHandler host;
    private final InboundListener inboundListener;
    private final Duration patience;
    private final FrameWriter acknowledgements;
    private final FrameReader frames = new FrameReader(PeerHello.MAX_BYTES, this::receive, this::refuse);

    /** The identity of the member; null until it is authenticated. */
    private volatile @Nullable String member;

    private long timer;
    private boolean isEnded;

    /** A listener to the events of one inbound connection: authenticated, closed. */
    interface InboundListener {

        /** Reports that the member is authenticated. */
        void onAuthenticated(InboundConnection inboundConnection, String member);

        /** Reports that the connection is closed. */
        void onClosed(InboundConnection inboundConnection);
    }

    /**
     * @param patience time limit of authentication, and maximum time in which the member reads none
     *     of its acknowledgements
     */
    InboundConnection(
            Vertx vertx,
            NetSocket socket,
            PeerListener.InboundHandler host,
            InboundListener inboundListener,
            Duration patience) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.socket = socket;
        this.host = host;
        this.inboundListener = inboundListener;
        this.patience = patience;
        this.acknowledgements = new FrameWriter(home, socket, this::drained);
    }

    /** Starts TLS. Nothing is read before it has succeeded. */
    void start(PeerTls tls) {
        socket.exceptionHandler(failure -> log.debug("Link from {}", member, failure))
                .closeHandler(closed -> end());
        timer = vertx.setTimer(patience.toMillis(), late -> end());
        socket.upgradeToSsl(tls.server(patience))
                .onSuccess(encrypted -> socket.handler(frames))
                .onFailure(this::refuseTls);
    }

    /** Returns whether the member is authenticated and accepted by {@code filter}. Any thread. */
    boolean isFrom(Predicate<String> filter) {
        String name = member;
        return name != null && filter.test(name);
    }

    /** Closes the connection. Any thread. */
    void close() {
        home.runOnContext(now -> end());
    }

    private void end() {
        if (!isEnded) {
            isEnded = true;
            boolean unused = vertx.cancelTimer(timer);
            acknowledgements.closeNow();
            inboundListener.onClosed(this);
        }
    }

    private void refuseTls(Throwable failure) {
        if (!isEnded) {
            REFUSALS.record("the caller at " + socket.remoteAddress(), failure);
            end();
        }
    }

    private void refuse(RuntimeException invalid) {
        log.error("The caller at {} sent an invalid frame", socket.remoteAddress(), invalid);
        end();
    }

    private void receive(BsonDocument frame) {
        String name = member;
        if (isEnded) {
            return;
        }
        if (name == null) {
            admit(PeerHello.decode(frame));
        } else if (FrameCodec.isMessage(frame)) {
            process(name, frame);
        }
    }

    private void admit(PeerHello hello) {
        if (hello.to().equals(host.self())) {
            enter(hello.from());
        } else {
            log.debug("Member {} called a server that does not listen here", hello.from());
            end();
        }
    }

    /** The first heartbeat answers the hello. */
    private void enter(String name) {
        boolean unused = vertx.cancelTimer(timer);
        member = name;
        frames.setMaxBytes(MAX_FRAME_BYTES);
        timer = vertx.setPeriodic(HEARTBEAT_INTERVAL_MILLIS, tick -> tick());
        acknowledgements.add(FrameCodec.HEARTBEAT);
        inboundListener.onAuthenticated(this, name);
    }

    private void tick() {
        if (acknowledgements.detectStall(patience)) {
            log.warn("Member {} does not read acknowledgements", member);
            end();
        } else if (!acknowledgements.isFull()) {
            acknowledgements.add(FrameCodec.HEARTBEAT);
        }
    }

    private void process(String name, BsonDocument frame) {
        long number = FrameCodec.number(frame);
        host.receive(name, FrameCodec.message(frame)).onComplete(done -> {
            // A failure is not acknowledged; the deadline of the sender handles it.
            if (done.succeeded()) {
                acknowledge(FrameCodec.encodeAcknowledgement(number, done.result()));
            } else {
                log.warn("A message of member {} was not processed: {}", name, String.valueOf(done.cause()));
            }
        });
    }

    private void acknowledge(Buffer answer) {
        if (vertx.getOrCreateContext() == home) {
            enqueueAcknowledgement(answer);
        } else {
            home.runOnContext(back -> enqueueAcknowledgement(answer));
        }
    }

    private void enqueueAcknowledgement(Buffer answer) {
        if (isEnded) {
            return;
        }
        acknowledgements.add(answer);
        if (acknowledgements.isFull()) {
            socket.pause();
        }
    }

    private void drained() {
        socket.resume();
    }
}
