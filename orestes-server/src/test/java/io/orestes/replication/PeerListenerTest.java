package io.orestes.replication;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.coordination.Member;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Admission of members, and time limits for other connections. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PeerListenerTest {

    /** Time limit that no handshake exceeds, also on a busy machine. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    private static final Duration IMPATIENCE = Duration.ofSeconds(3);
    private static final Member SELF = Member.entering("");
    private static final Member CALLER = Member.entering("");

    private final Vertx vertx = Vertx.vertx();
    private final PeerHandshake peerHandshake = new PeerHandshake("secret".getBytes(StandardCharsets.UTF_8));
    private final AtomicInteger heard = new AtomicInteger();
    private final WebSocketClient client = vertx.createWebSocketClient(
            new WebSocketClientOptions().setReceiveBufferSize(8_192).setMaxConnections(1_000));
    private int port;

    @BeforeEach
    void open() {
        open(PATIENCE);
    }

    private void open(Duration patience) {
        port = await(new PeerListener(vertx, new ServerHandler(), patience).open("127.0.0.1", 0));
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void connect_withHandshake_isReceived() {
        TestClient caller = new TestClient();
        caller.greet();
        caller.send(FrameCodec.message(1, new PeerMessage.Invalidation("a")));

        assertThat(FrameCodec.acknowledgedNumber(caller.answer())).isEqualTo(1);
        assertThat(heard).hasValue(1);
    }

    /** Replays everything that another connection sent. */
    @Test
    void connect_replaysMessages_isClosedAndIgnored() {
        TestClient overheard = new TestClient();
        overheard.greet();
        TestClient repeating = new TestClient();

        overheard.sent.forEach(repeating::send);
        repeating.send(FrameCodec.message(1, new PeerMessage.Invalidation("a")));

        await(repeating.closed.future());
        assertThat(heard).hasValue(0);
    }

    @Test
    void connect_sendsBeforeTheHandshake_isClosedAndIgnored() {
        TestClient caller = new TestClient();
        caller.send(FrameCodec.message(1, new PeerMessage.Invalidation("a")));

        await(caller.closed.future());
        assertThat(heard).hasValue(0);
    }

    @Test
    void connect_sendsNothing_isClosedInTime() {
        open(IMPATIENCE);
        TestClient caller = new TestClient();
        TestClient hesitating = new TestClient();
        hesitating.send(FrameCodec.encodeHandshake(
                peerHandshake.hello(CALLER.id(), SELF.id()).document()));

        await(caller.closed.future());
        await(hesitating.closed.future());
    }

    @Test
    void connect_noWebSocketYet_isClosedInTime() throws IOException {
        open(IMPATIENCE);
        try (Socket socket = connect()) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    /** The listener does not assemble any part of it. */
    @Test
    void connect_beginsWithALargeMessage_isClosedAtOnce() {
        TestClient caller = new TestClient();
        caller.send(Buffer.buffer(new byte[10 << 20]));

        await(caller.closed.future());
    }

    @Test
    void connect_manyStrangers_aMemberIsAdmittedAfterTheirTimeLimit() throws IOException {
        open(IMPATIENCE);
        List<Socket> strangers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            strangers.add(connect());
        }
        assertThat(strangers.get(299).getInputStream().read()).isEqualTo(-1);

        assertThat(strangers.get(0).getInputStream().read()).isEqualTo(-1);
        connect_withHandshake_isReceived();
        for (Socket stranger : strangers) {
            stranger.close();
        }
    }

    @Test
    void connect_again_theEarlierConnectionEnds() {
        TestClient earlier = new TestClient();
        earlier.greet();
        TestClient later = new TestClient();
        later.greet();

        await(earlier.closed.future());
        assertThat(later.closed.future().isComplete()).isFalse();
    }

    /** Otherwise responses would accumulate here without a bound. */
    @Test
    void receive_callerReadsNoResponses_isReadNoFurtherAndClosed() {
        open(IMPATIENCE);
        TestClient caller = new TestClient();
        caller.greet();
        caller.socket.pause();
        int sent = 0;
        while (!caller.closed.future().isComplete()) {
            assertThat(Thread.interrupted()).as("out of time").isFalse();
            Buffer many = Buffer.buffer();
            for (int i = 0; i < 1_000; i++) {
                sent++;
                many.appendBuffer(FrameCodec.message(sent, new PeerMessage.Invalidation("a")));
            }
            if (caller.takesNoMore()) {
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            } else {
                caller.send(many);
            }
        }

        assertThat(heard.get()).isPositive().isLessThan(sent);
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(20_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5_000);
        return socket;
    }

    /** Handler of the listening server. */
    private final class ServerHandler implements PeerListener.InboundHandler {

        @Override
        public PeerHandshake handshake() {
            return peerHandshake;
        }

        @Override
        public String self() {
            return SELF.id();
        }

        @Override
        public Future<DeliveryOutcome> receive(String member, PeerMessage peerMessage) {
            assertThat(member).isEqualTo(CALLER.id());
            heard.incrementAndGet();
            return Future.succeededFuture(DeliveryOutcome.ACKNOWLEDGED);
        }
    }

    /** A connecting client. */
    private final class TestClient {

        final Promise<Void> closed = Promise.promise();
        final List<Buffer> sent = new ArrayList<>();
        final WebSocket socket;
        private volatile Promise<BsonDocument> next = Promise.promise();

        TestClient() {
            socket = await(client.connect(port, "127.0.0.1", "/"));
            socket.closeHandler(done -> closed.tryComplete());
            socket.binaryMessageHandler(arrived -> FrameCodec.split(arrived).stream()
                    .filter(document -> !document.isEmpty())
                    .forEach(next::tryComplete));
        }

        void greet() {
            PeerHandshake.Hello hello = peerHandshake.hello(CALLER.id(), SELF.id());
            send(FrameCodec.encodeHandshake(hello.document()));
            send(FrameCodec.encodeHandshake(
                    peerHandshake.respond(hello, answer()).orElseThrow()));
        }

        void send(Buffer frame) {
            sent.add(frame);
            var unused = socket.writeBinaryMessage(frame);
        }

        /**
         * Returns whether the socket accepts no more data. A closed socket throws, possibly before
         * its close event arrives.
         */
        boolean takesNoMore() {
            try {
                return socket.writeQueueFull();
            } catch (IllegalStateException isClosed) {
                return true;
            }
        }

        BsonDocument answer() {
            BsonDocument answer = await(next.future());
            next = Promise.promise();
            return answer;
        }
    }
}
