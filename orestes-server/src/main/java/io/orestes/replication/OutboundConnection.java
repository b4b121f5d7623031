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
        void onAuthenticated(OutboundConnection outboundConnection, WebSocketWriter webSocketWriter);

        /** Reports received data. */
        void onData(Buffer arrived);

        /** Reports that the outbox, which was full, has drained. */
        void onDrained();

        /**
         * Reports that the connection is closed, or could not be opened; no further report follows.
         */
        void onClosed(OutboundConnection outboundConnection);
    }

    OutboundConnection(
            Vertx vertx, Member self, Member member, PeerHandshake peerHandshake, OutboundListener outboundListener) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.to = member;
        this.peerHandshake = peerHandshake;
        this.hello = peerHandshake.hello(self.id(), member.id());
        this.outboundListener = outboundListener;
    }

    /**
     * Opens the connection.
     *
     * @param timeout time limit of connecting and handshake
     */
    void open(WebSocketClient client, Duration timeout) {
        timer = vertx.setTimer(timeout.toMillis(), late -> close());
        client.connect(address()).onSuccess(this::sendHello).onFailure(failure -> close());
    }

    /** Closes the connection, also one that is still being opened. */
    void close() {
        if (isEnded) {
            return;
        }
        isEnded = true;
        boolean unused = vertx.cancelTimer(timer);
        if (webSocketWriter != null) {
            webSocketWriter.closeNow();
        }
        outboundListener.onClosed(this);
    }

    private WebSocketConnectOptions address() {
        String[] address = MemberInfo.of(to).address().split(":(?=[0-9]+$)", 2);
        return new WebSocketConnectOptions()
                .setHost(address[0])
                .setPort(Integer.parseInt(address[1]))
                .setURI("/");
    }

    private void sendHello(WebSocket opened) {
        WebSocketWriter out = new WebSocketWriter(home, opened, outboundListener::onDrained);
        if (isEnded) {
            out.closeNow();
            return;
        }
        socket = opened;
        webSocketWriter = out;
        opened.frameHandler(this::receiveChallenge)
                .exceptionHandler(failure -> log.debug("Link to {}", to, failure))
                .closeHandler(closed -> close());
        out.send(FrameCodec.encodeHandshake(hello.document()));
    }

    /** Handles the only handshake message of the other side. */
    private void receiveChallenge(WebSocketFrame frame) {
        if (frame.isClose()) {
            // The member may not have entered yet, or regard this server as departed.
            close();
            return;
        }
        try {
            FrameCodec.decodeHandshake(frame.binaryData())
                    .flatMap(challenge -> peerHandshake.respond(hello, challenge))
                    .filter(response -> frame.isBinary() && frame.isFinal())
                    .ifPresentOrElse(response -> sendResponse(FrameCodec.encodeHandshake(response)), this::refuse);
        } catch (RuntimeException nonsense) {
            refuse();
        }
    }

    private void refuse() {
        log.debug("The listener at the address of member {} is not in this group", to);
        close();
    }

    private void sendResponse(Buffer response) {
        if (isEnded || socket == null || webSocketWriter == null) {
            return;
        }
        boolean unused = vertx.cancelTimer(timer);
        socket.frameHandler(null).binaryMessageHandler(this::receive);
        webSocketWriter.send(response);
        outboundListener.onAuthenticated(this, webSocketWriter);
    }

    private void receive(Buffer arrived) {
        try {
            outboundListener.onData(arrived);
        } catch (RuntimeException nonsense) {
            log.error("Member {} sent an invalid response", to, nonsense);
            close();
        }
    }
}
