package io.orestes.replication.link;

import static io.orestes.store.Await.await;

import io.orestes.coordination.Member;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** A member that follows the protocol up to some point. */
public final class FakeMember {

    /** The last part of a state transfer, as far as this member knows it. */
    static final BsonDocument STATE = new BsonDocument("is", new BsonString("state"));

    private static final int MAX_FRAME_BYTES = 20 << 20;

    final AtomicInteger connections = new AtomicInteger();
    final List<BsonDocument> received = new CopyOnWriteArrayList<>();
    private final Vertx vertx;
    private final PeerTls tls;
    private final NetServer server;
    private final Behaviour behaviour;
    private volatile String self = "";

    /** Behaviour after the hello. */
    public enum Behaviour {
        /** Closes each connection at the first message. */
        BREAKS,
        /** Acknowledges the state transfer, and then closes the connection. */
        BREAKS_LATER,
        /** Acknowledges the state transfer, sends heartbeats, and reads nothing more. */
        READS_NO_MORE,
        /** Reads, sends heartbeats, and acknowledges the state transfer only. */
        ANSWERS_ONLY_STATE
    }

    public FakeMember(Vertx vertx, byte[] secret, Behaviour behaviour) {
        this.vertx = vertx;
        this.tls = PeerTls.of(secret);
        this.behaviour = behaviour;
        this.server = vertx.createNetServer(new NetServerOptions().setReceiveBufferSize(8_192))
                .connectHandler(this::accept);
    }

    /** Returns some message that is no part of a state transfer. */
    static BsonDocument message(String text) {
        return new BsonDocument("is", new BsonString("stale")).append("key", new BsonString(text));
    }

    /** Opens the server and returns its address, in the form that members publish. */
    public String open() {
        return "127.0.0.1:" + await(server.listen(0, "127.0.0.1")).actualPort();
    }

    public void become(Member member) {
        self = member.id();
    }

    private void accept(NetSocket socket) {
        connections.incrementAndGet();
        socket.upgradeToSsl(tls.server(Duration.ofSeconds(10)))
                .onSuccess(encrypted -> socket.handler(
                        new FrameReader(MAX_FRAME_BYTES, frame -> receive(socket, frame), invalid -> socket.close())))
                .onFailure(failure -> socket.close());
    }

    private void receive(NetSocket socket, BsonDocument frame) {
        if (FrameCodec.isMessage(frame)) {
            receiveMessage(socket, frame);
        } else if (PeerHello.decode(frame).to().equals(self)) {
            long timer = vertx.setPeriodic(1, 50, tick -> socket.write(FrameCodec.HEARTBEAT));
            socket.closeHandler(closed -> vertx.cancelTimer(timer));
        } else {
            socket.close();
        }
    }

    private void receiveMessage(NetSocket socket, BsonDocument frame) {
        if (behaviour == Behaviour.BREAKS) {
            socket.close();
            return;
        }
        BsonDocument message = FrameCodec.message(frame);
        received.add(message);
        if (message.getString("is").equals(STATE.getString("is"))) {
            socket.write(FrameCodec.encodeAcknowledgement(FrameCodec.number(frame), DeliveryOutcome.ACKNOWLEDGED));
            if (behaviour == Behaviour.READS_NO_MORE) {
                socket.pause();
            }
        }
        if (behaviour == Behaviour.BREAKS_LATER) {
            vertx.setTimer(100, later -> socket.close());
        }
    }
}
