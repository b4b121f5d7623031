package io.orestes.replication;

import io.orestes.coordination.Member;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.http.WebSocketFrame;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to another member, from the attempt to the authenticated WebSocket connection that
 * results from it. The {@link PeerHandshake} comes first. Belongs to one event loop.
 */
final class OutboundConnection {

    private static final Logger log = LoggerFactory.getLogger(OutboundConnection.class);

    private final Vertx vertx;
    private final Context home;
    private final Member to;
    private final PeerHandshake peerHandshake;
    private final PeerHandshake.Hello hello;
    private final OutboundListener outboundListener;
    private @Nullable WebSocket socket;
    private @Nullable WebSocketWriter webSocketWriter;
    private long timer;
    private boolean isEnded;

    /**
     * A listener to the events of one outbound connection: handshake done, data received, queue
     * drained, connection ended.
     */
    interface OutboundListener {

        /** Reports that messages can be sent to the member. */
        void greeted(OutboundConnection outboundConnection, WebSocketWriter webSocketWriter);

        /** Reports received data. */
        void heard(Buffer arrived);

        /** Reports that the outbox, which was full, has drained. */
        void drained();

        /**
         * Reports that the connection is closed, or could not be opened; no further report follows.
         */
        void ended(OutboundConnection outboundConnection);
    }

    OutboundConnection(
            Vertx vertx, Member self, Member to, PeerHandshake peerHandshake, OutboundListener outboundListener) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.to = to;
        this.peerHandshake = peerHandshake;
        this.hello = peerHandshake.hello(self.id(), to.id());
        this.outboundListener = outboundListener;
    }

    /**
     * Opens the connection.
     *
     * @param longest time limit of connecting and handshake
     */
    void begin(WebSocketClient client, Duration longest) {
        timer = vertx.setTimer(longest.toMillis(), late -> end());
        client.connect(address()).onSuccess(this::connected).onFailure(failure -> end());
    }

    /** Closes the connection, also one that is still being opened. */
    void end() {
        if (isEnded) {
            return;
        }
        isEnded = true;
        boolean unused = vertx.cancelTimer(timer);
        if (webSocketWriter != null) {
            webSocketWriter.reset();
        }
        outboundListener.ended(this);
    }

    private WebSocketConnectOptions address() {
        String[] address = MemberInfo.of(to).address().split(":(?=[0-9]+$)", 2);
        return new WebSocketConnectOptions()
                .setHost(address[0])
                .setPort(Integer.parseInt(address[1]))
                .setURI("/");
    }

    private void connected(WebSocket opened) {
        WebSocketWriter out = new WebSocketWriter(home, opened, outboundListener::drained);
        if (isEnded) {
            out.reset();
            return;
        }
        socket = opened;
        webSocketWriter = out;
        opened.frameHandler(this::greet)
                .exceptionHandler(failure -> log.debug("Link to {}", to, failure))
                .closeHandler(closed -> end());
        out.send(FrameCodec.greeting(hello.document()));
    }

    /** Handles the only handshake message of the other side. */
    private void greet(WebSocketFrame frame) {
        if (frame.isClose()) {
            // The member may not have entered yet, or regard this server as departed.
            end();
            return;
        }
        try {
            FrameCodec.greeting(frame.binaryData())
                    .flatMap(asked -> peerHandshake.answer(hello, asked))
                    .filter(answer -> frame.isBinary() && frame.isFinal())
                    .ifPresentOrElse(answer -> greeted(FrameCodec.greeting(answer)), this::refuse);
        } catch (RuntimeException nonsense) {
            refuse();
        }
    }

    private void refuse() {
        log.debug("The listener at the address of member {} is not in this group", to);
        end();
    }

    private void greeted(Buffer answer) {
        if (isEnded || socket == null || webSocketWriter == null) {
            return;
        }
        boolean unused = vertx.cancelTimer(timer);
        socket.frameHandler(null).binaryMessageHandler(this::hear);
        webSocketWriter.send(answer);
        outboundListener.greeted(this, webSocketWriter);
    }

    private void hear(Buffer arrived) {
        try {
            outboundListener.heard(arrived);
        } catch (RuntimeException nonsense) {
            log.error("Member {} sent an invalid response", to, nonsense);
            end();
        }
    }
}
