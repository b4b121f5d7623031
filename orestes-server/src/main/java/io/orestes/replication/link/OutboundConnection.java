package io.orestes.replication.link;

import io.orestes.coordination.Member;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.net.ConnectOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to another member, from the attempt to its end. It begins with TLS and a {@link
 * PeerHello}; the first frame of the member says that it is the one. Belongs to one event loop.
 */
final class OutboundConnection {

    private static final Logger log = LoggerFactory.getLogger(OutboundConnection.class);
    private static final RefusalLog REFUSALS = new RefusalLog(log);

    /** Maximum size of a frame in bytes; acknowledgements are small. */
    private static final int MAX_FRAME_BYTES = 1 << 10;

    private final Vertx vertx;
    private final Context home;
    private final Member to;
    private final PeerHello hello;
    private final OutboundListener outboundListener;
    private final FrameReader frames = new FrameReader(MAX_FRAME_BYTES, this::receive, this::refuse);
    private @Nullable FrameWriter frameWriter;
    private long timer;
    private boolean isAuthenticated;
    private boolean isEnded;

    /**
     * A listener to the events of one outbound connection: authenticated, frame received, queue
     * drained, connection ended.
     */
    interface OutboundListener {

        /** Reports that messages can be sent to the member. */
        void onAuthenticated(FrameWriter frameWriter);

        /** Reports a received frame. */
        void onFrame(BsonDocument frame);

        /** Reports that the writer, which was full, has drained. */
        void onDrained();

        /**
         * Reports that the connection is closed, or could not be opened; no further report follows.
         */
        void onClosed();
    }

    OutboundConnection(Vertx vertx, Member self, Member member, OutboundListener outboundListener) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.to = member;
        this.hello = new PeerHello(self.id(), member.id());
        this.outboundListener = outboundListener;
    }

    /**
     * Opens the connection.
     *
     * @param timeout time limit of connecting and authentication
     */
    void open(NetClient client, PeerTls tls, Duration timeout) {
        timer = vertx.setTimer(timeout.toMillis(), late -> close());
        client.connect(address().setSsl(true).setSslOptions(tls.client(timeout)))
                .onSuccess(this::sendHello)
                .onFailure(this::fail);
    }

    /** Closes the connection, also one that is still being opened. */
    void close() {
        if (isEnded) {
            return;
        }
        isEnded = true;
        boolean unused = vertx.cancelTimer(timer);
        if (frameWriter != null) {
            frameWriter.closeNow();
        }
        outboundListener.onClosed();
    }

    private ConnectOptions address() {
        String[] address = MemberInfo.of(to).address().split(":(?=[0-9]+$)", 2);
        return new ConnectOptions().setHost(address[0]).setPort(Integer.parseInt(address[1]));
    }

    private void fail(Throwable failure) {
        if (isAuthenticated) {
            log.debug("Link to {}", to, failure);
        } else if (!isEnded) {
            REFUSALS.record("the listener at the address of " + to, failure);
        }
        close();
    }

    private void sendHello(NetSocket opened) {
        FrameWriter out = new FrameWriter(home, opened, outboundListener::onDrained);
        if (isEnded) {
            out.closeNow();
            return;
        }
        frameWriter = out;
        // A server that refuses this one's certificate says so only after the client's handshake.
        opened.handler(frames).exceptionHandler(this::fail).closeHandler(closed -> close());
        out.add(FrameCodec.encode(hello.encode()));
    }

    private void receive(BsonDocument frame) {
        if (isEnded || frameWriter == null) {
            return;
        }
        if (!isAuthenticated) {
            isAuthenticated = true;
            boolean unused = vertx.cancelTimer(timer);
            outboundListener.onAuthenticated(frameWriter);
        }
        outboundListener.onFrame(frame);
    }

    private void refuse(RuntimeException invalid) {
        log.error("Member {} sent an invalid frame", to, invalid);
        close();
    }
}
