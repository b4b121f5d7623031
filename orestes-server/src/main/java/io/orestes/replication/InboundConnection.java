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
    private static final long ALIVE_MILLIS = 200;

    private final Vertx vertx;
    private final Context home;
    private final ServerWebSocket socket;
    private final PeerListener.InboundHandler host;
    private final InboundListener inboundListener;
    private final Duration patience;
    private final WebSocketWriter answers;
    private PeerHandshake.@Nullable Challenge challenge;
    private volatile Optional<String> member = Optional.empty();
    private long timer = -1;
    private boolean isEnded;

    /** A listener to the events of one inbound connection: handshake done, connection closed. */
    interface InboundListener {

        /** Reports that the member is authenticated. */
        void entered(InboundConnection inboundConnection);

        /** Reports that the connection is closed. */
        void left(InboundConnection inboundConnection);
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
        this.answers = new WebSocketWriter(home, socket, this::drained);
    }

    void begin() {
        socket.frameHandler(this::greet)
                .exceptionHandler(failure -> log.debug("Link from {}", member, failure))
                .closeHandler(closed -> end());
    }

    /** Returns the identity of the member; empty until the handshake is complete. Any thread. */
    Optional<String> member() {
        return member;
    }

    /** Closes the connection. Any thread. */
    void hangUp() {
        home.runOnContext(now -> end());
    }

    private void end() {
        if (!isEnded) {
            isEnded = true;
            boolean unused = vertx.cancelTimer(timer);
            answers.reset();
            inboundListener.left(this);
        }
    }

    private void greet(WebSocketFrame frame) {
        try {
            if (!isGreeted(frame)) {
                end();
            }
        } catch (RuntimeException nonsense) {
            end();
        }
    }

    private boolean isGreeted(WebSocketFrame frame) {
        Optional<BsonDocument> said =
                frame.isBinary() && frame.isFinal() ? FrameCodec.greeting(frame.binaryData()) : Optional.empty();
        return said.filter(document -> challenge == null ? isAsked(document) : isAnswered(challenge, document))
                .isPresent();
    }

    private boolean isAsked(BsonDocument said) {
        Optional<PeerHandshake.Challenge> asked =
                host.greeting().readHello(said, host.self()).map(host.greeting()::challenge);
        asked.ifPresent(next -> {
            challenge = next;
            answers.send(FrameCodec.greeting(host.greeting().document(next)));
        });
        return asked.isPresent();
    }

    private boolean isAnswered(PeerHandshake.Challenge asked, BsonDocument answer) {
        boolean isMember = host.greeting().isAnswered(asked, answer);
        if (isMember) {
            enter(asked.hello().from());
        }
        return isMember;
    }

    private void enter(String name) {
        member = Optional.of(name);
        timer = vertx.setPeriodic(ALIVE_MILLIS, tick -> tick());
        socket.frameHandler(null).binaryMessageHandler(arrived -> hear(name, arrived));
        inboundListener.entered(this);
    }

    private void tick() {
        if (answers.isStalled(patience)) {
            log.warn("Member {} does not read acknowledgements", member);
            end();
        } else if (!answers.isFull()) {
            answers.add(FrameCodec.ALIVE);
        }
    }

    private void hear(String name, Buffer arrived) {
        try {
            FrameCodec.split(arrived).stream().filter(FrameCodec::isMessage).forEach(message -> hear(name, message));
        } catch (RuntimeException nonsense) {
            log.error("Member {} sent an invalid frame", name, nonsense);
            end();
        }
    }

    private void hear(String name, BsonDocument message) {
        long number = FrameCodec.number(message);
        host.hear(name, PeerMessageCodec.decode(message)).onComplete(done -> {
            // A failure is not acknowledged; the deadline of the sender handles it.
            if (done.succeeded()) {
                answer(FrameCodec.answer(number, done.result().kept()));
            } else {
                log.warn("A message of member {} was not processed: {}", name, String.valueOf(done.cause()));
            }
        });
    }

    private void answer(Buffer answer) {
        if (vertx.getOrCreateContext() == home) {
            addAnswer(answer);
        } else {
            home.runOnContext(back -> addAnswer(answer));
        }
    }

    private void addAnswer(Buffer answer) {
        if (isEnded) {
            return;
        }
        answers.add(answer);
        if (answers.isFull()) {
            socket.pause();
        }
    }

    private void drained() {
        socket.resume();
    }
}
