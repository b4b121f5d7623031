package io.orestes.peers;

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
 * One connection on which another member tells this server something; the {@link Greeting} comes first. What it brings is heard in order,
 * and each message is answered when it was dealt with; who does not take answers is not heard any further. Belongs to one event loop.
 */
final class Visitor {

    private static final Logger log = LoggerFactory.getLogger(Visitor.class);
    private static final long ALIVE_MILLIS = 200;

    private final Vertx vertx;
    private final Context home;
    private final ServerWebSocket socket;
    private final Door.Host host;
    private final Events events;
    private final Duration patience;
    private final Outbox answers;
    private Greeting.@Nullable Challenge challenge;
    private volatile Optional<String> member = Optional.empty();
    private long timer = -1;
    private boolean isEnded;

    /** What the door is told. */
    interface Events {

        /** The visitor has shown who it is. */
        void entered(Visitor visitor);

        /** The connection is gone. */
        void left(Visitor visitor);
    }

    /** @param patience how long it may take nothing of what it is answered */
    Visitor(Vertx vertx, ServerWebSocket socket, Door.Host host, Events events, Duration patience) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.socket = socket;
        this.host = host;
        this.events = events;
        this.patience = patience;
        this.answers = new Outbox(home, socket, this::drained);
    }

    void begin() {
        socket.frameHandler(this::greet)
                .exceptionHandler(failure -> log.debug("Link from {}", member, failure))
                .closeHandler(closed -> end());
    }

    /** Who it is; empty until the greeting is over. Any thread. */
    Optional<String> member() {
        return member;
    }

    /** Ends the connection. Any thread. */
    void hangUp() {
        home.runOnContext(now -> end());
    }

    private void end() {
        if (!isEnded) {
            isEnded = true;
            boolean unused = vertx.cancelTimer(timer);
            answers.reset();
            events.left(this);
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
                frame.isBinary() && frame.isFinal() ? Frames.greeting(frame.binaryData()) : Optional.empty();
        return said.filter(document -> challenge == null ? isAsked(document) : isAnswered(challenge, document))
                .isPresent();
    }

    private boolean isAsked(BsonDocument said) {
        Optional<Greeting.Challenge> asked =
                host.greeting().readHello(said, host.self()).map(host.greeting()::challenge);
        asked.ifPresent(next -> {
            challenge = next;
            answers.send(Frames.greeting(host.greeting().document(next)));
        });
        return asked.isPresent();
    }

    private boolean isAnswered(Greeting.Challenge asked, BsonDocument answer) {
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
        events.entered(this);
    }

    private void tick() {
        if (answers.isStalled(patience)) {
            log.warn("Member {} takes no answers", member);
            end();
        } else if (!answers.isFull()) {
            answers.add(Frames.ALIVE);
        }
    }

    private void hear(String name, Buffer arrived) {
        try {
            Frames.split(arrived).stream().filter(Frames::isMessage).forEach(message -> hear(name, message));
        } catch (RuntimeException nonsense) {
            log.error("Member {} said what nobody understands", name, nonsense);
            end();
        }
    }

    private void hear(String name, BsonDocument message) {
        long number = Frames.number(message);
        host.hear(name, MessageCodec.decode(message)).onComplete(done -> {
            // a failure is not answered: the teller's deadline says what becomes of it
            if (done.succeeded()) {
                answer(Frames.answer(number, done.result().kept()));
            } else {
                log.warn("What member {} told was not dealt with: {}", name, String.valueOf(done.cause()));
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
