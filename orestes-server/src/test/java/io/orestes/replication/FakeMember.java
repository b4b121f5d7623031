package io.orestes.replication;

import static io.orestes.store.Await.await;

import io.orestes.coordination.Member;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.ServerWebSocket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;

/** A member that knows the secret and follows the protocol up to some point. */
final class FakeMember {

    final AtomicInteger connections = new AtomicInteger();
    final List<PeerMessage> received = new CopyOnWriteArrayList<>();
    private final Vertx vertx;
    private final PeerHandshake peerHandshake;
    private final HttpServer server;
    private final Behaviour manner;
    private volatile Optional<Member> self = Optional.empty();

    /** Behaviour after the handshake. */
    enum Behaviour {
        /** Closes each connection at the first message. */
        BREAKS,
        /** Acknowledges the state transfer, and then closes the connection. */
        BREAKS_LATER,
        /** Acknowledges the state transfer, sends heartbeats, and reads nothing more. */
        READS_NO_MORE,
        /** Reads, sends heartbeats, and acknowledges the state transfer only. */
        ANSWERS_ONLY_STATE
    }

    FakeMember(Vertx vertx, byte[] secret, Behaviour manner) {
        this.vertx = vertx;
        this.peerHandshake = new PeerHandshake(secret);
        this.manner = manner;
        this.server = vertx.createHttpServer(PeerListener.options().setReceiveBufferSize(8_192))
                .webSocketHandler(this::greet);
    }

    /** Opens the server and returns its address, in the form that members publish. */
    String open() {
        return "127.0.0.1:" + await(server.listen(0, "127.0.0.1")).actualPort();
    }

    void become(Member member) {
        self = Optional.of(member);
    }

    private void greet(ServerWebSocket socket) {
        connections.incrementAndGet();
        socket.binaryMessageHandler(first -> {
            PeerHandshake.Hello hello = FrameCodec.decodeHandshake(first)
                    .flatMap(said ->
                            peerHandshake.readHello(said, self.map(Member::id).orElse("")))
                    .orElse(null);
            if (hello == null) {
                var unused = socket.close();
                return;
            }
            var unused = socket.writeBinaryMessage(
                    FrameCodec.encodeHandshake(peerHandshake.document(peerHandshake.challenge(hello))));
            socket.binaryMessageHandler(answer -> serve(socket));
        });
    }

    private void serve(ServerWebSocket socket) {
        long timer = vertx.setPeriodic(50, tick -> {
            if (!socket.isClosed()) {
                var unused = socket.writeBinaryMessage(FrameCodec.HEARTBEAT);
            }
        });
        socket.closeHandler(closed -> vertx.cancelTimer(timer));
        socket.binaryMessageHandler(arrived -> hear(socket, arrived));
    }

    private void hear(ServerWebSocket socket, Buffer arrived) {
        if (manner == Behaviour.BREAKS) {
            var unused = socket.close();
            return;
        }
        FrameCodec.split(arrived).stream().filter(FrameCodec::isMessage).forEach(message -> hear(socket, message));
        if (manner == Behaviour.BREAKS_LATER) {
            vertx.setTimer(100, later -> {
                var unused = socket.close();
            });
        }
    }

    private void hear(ServerWebSocket socket, BsonDocument message) {
        PeerMessage told = PeerMessageCodec.decode(message);
        received.add(told);
        if (told instanceof PeerMessage.StateChunk) {
            var unused = socket.writeBinaryMessage(
                    FrameCodec.encodeAcknowledgement(FrameCodec.number(message), Optional.empty()));
            if (manner == Behaviour.READS_NO_MORE) {
                socket.pause();
            }
        }
    }
}
