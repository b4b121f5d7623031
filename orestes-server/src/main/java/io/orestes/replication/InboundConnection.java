package io.orestes.replication;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import java.time.Duration;
import java.util.Optional;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection from another member, whose messages are processed in order and acknowledged one by
 * one. The {@link PeerHandshake} comes first. A message is acknowledged when it has been processed.
 * While the member reads no acknowledgements, no further messages are read. Belongs to one event
 * loop.
 */
final class InboundConnection {

    private static final Logger log = LoggerFactory.getLogger(InboundConnection.class);
    private static final long HEARTBEAT_INTERVAL_MILLIS = 200;

    private final Vertx vertx;
    private final Context home;
    private final ServerWebSocket socket;
    private final PeerListener.InboundHandler host;
    private final InboundListener inboundListener;
    private final Duration patience;
    private final WebSocketWriter acknowledgements;
    private PeerHandshake.@Nullable Challenge challenge;
    private volatile Optional<String> member = Optional.empty();
    private long timer = -1;
    private boolean isEnded;

    /** A listener to the events of one inbound connection: handshake done, connection closed. */
    interface InboundListener {

        /** Reports that the member is authenticated. */
        void onAuthenticated(InboundConnection inboundConnection);

        /** Reports that the connection is closed. */
        void onClosed(InboundConnection inboundConnection);
    }

    /** @param patience maximum time in which the member reads none of its acknowledgements */
    InboundConnection(
            Vertx vertx,
            ServerWebSocket socket,
            PeerListener.InboundHandler host,
            InboundListener inboundListener,
            Duration patience) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.socket = socket;
        this.host = host;
        this.inboundListener = inboundListener;
        this.patience = patience;
        this.acknowledgements = new WebSocketWriter(home, socket, this::drained);
    }

    void start() {
        socket.frameHandler(this::greet)
                .exceptionHandler(failure -> log.debug("Link from {}", member, failure))
                .closeHandler(closed -> end());
    }

    /** Returns the identity of the member; empty until the handshake is complete. Any thread. */
    Optional<String> member() {
        return member;
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

    private void greet(WebSocketFrame frame) {
        try {
            if (!continueHandshake(frame)) {
                end();
            }
        } catch (RuntimeException nonsense) {
            end();
        }
    }

    private boolean continueHandshake(WebSocketFrame frame) {
        Optional<BsonDocument> said =
                frame.isBinary() && frame.isFinal() ? FrameCodec.decodeHandshake(frame.binaryData()) : Optional.empty();
        return said.filter(document ->
                        challenge == null ? trySendChallenge(document) : tryAuthenticate(challenge, document))
                .isPresent();
    }

    private boolean trySendChallenge(BsonDocument said) {
        Optional<PeerHandshake.Challenge> asked =
                host.handshake().readHello(said, host.self()).map(host.handshake()::challenge);
        asked.ifPresent(next -> {
            challenge = next;
            acknowledgements.send(FrameCodec.encodeHandshake(host.handshake().document(next)));
        });
        return asked.isPresent();
    }

    private boolean tryAuthenticate(PeerHandshake.Challenge challenge, BsonDocument answer) {
        boolean isMember = host.handshake().isValidResponse(challenge, answer);
        if (isMember) {
            enter(challenge.hello().from());
        }
        return isMember;
    }

    private void enter(String name) {
        member = Optional.of(name);
        timer = vertx.setPeriodic(HEARTBEAT_INTERVAL_MILLIS, tick -> tick());
        socket.frameHandler(null).binaryMessageHandler(arrived -> receive(name, arrived));
        inboundListener.onAuthenticated(this);
    }

    private void tick() {
        if (acknowledgements.detectStall(patience)) {
            log.warn("Member {} does not read acknowledgements", member);
            end();
        } else if (!acknowledgements.isFull()) {
            acknowledgements.add(FrameCodec.HEARTBEAT);
        }
    }

    private void receive(String name, Buffer arrived) {
        try {
            FrameCodec.split(arrived).stream().filter(FrameCodec::isMessage).forEach(message -> process(name, message));
        } catch (RuntimeException nonsense) {
            log.error("Member {} sent an invalid frame", name, nonsense);
            end();
        }
    }

    private void process(String name, BsonDocument message) {
        long number = FrameCodec.number(message);
        host.receive(name, PeerMessageCodec.decode(message)).onComplete(done -> {
            // A failure is not acknowledged; the deadline of the sender handles it.
            if (done.succeeded()) {
                acknowledge(
                        FrameCodec.encodeAcknowledgement(number, done.result().resultsUnchangedFor()));
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
