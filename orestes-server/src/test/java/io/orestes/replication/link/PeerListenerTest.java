package io.orestes.replication.link;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.coordination.Member;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.ConnectOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Admission of members, and refusal of and limits for all others. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PeerListenerTest {

    /** Time limit that no authentication exceeds, also on a busy machine. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    private static final Duration IMPATIENCE = Duration.ofSeconds(3);
    private static final byte[] SECRET = "secret".getBytes(StandardCharsets.UTF_8);
    private static final PeerTls TLS = PeerTls.of(SECRET);
    private static final Member SELF = Member.entering("");
    private static final Member CALLER = Member.entering("");

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger heard = new AtomicInteger();
    private final NetClient client = vertx.createNetClient(new NetClientOptions().setReceiveBufferSize(8_192));
    private int port;

    @BeforeEach
    void open() {
        open(PATIENCE);
    }

    private void open(Duration patience) {
        port = await(new PeerListener(vertx, TLS, patience).open("127.0.0.1", 0, new ServerHandler()));
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void connect_withCertificateAndHello_isReceived() {
        TestClient caller = new TestClient();
        caller.greet();
        caller.send(FrameCodec.encodeMessage(1, FakeMember.message("a")));

        assertThat(FrameCodec.acknowledgedNumber(caller.answer())).isEqualTo(1);
        assertThat(heard).hasValue(1);
    }

    /** Another server of the group may have taken the port of the one that was meant. */
    @Test
    void connect_meansAnotherMember_isClosedAndIgnored() {
        TestClient caller = new TestClient();
        caller.send(FrameCodec.encode(new PeerHello(CALLER.id(), "00000000000000aa").encode()));
        caller.send(FrameCodec.encodeMessage(1, FakeMember.message("a")));

        await(caller.closed.future());
        assertThat(heard).hasValue(0);
    }

    @Test
    void connect_sendsMessagesBeforeTheHello_isClosedAndIgnored() {
        TestClient caller = new TestClient();
        caller.send(FrameCodec.encodeMessage(1, FakeMember.message("a")));

        await(caller.closed.future());
        assertThat(heard).hasValue(0);
    }

    @Test
    void connect_clearText_isClosedAndIgnored() throws IOException {
        open(IMPATIENCE);
        try (Socket socket = connect()) {
            Buffer frames = FrameCodec.encode(new PeerHello(CALLER.id(), SELF.id()).encode())
                    .appendBuffer(FrameCodec.encodeMessage(1, FakeMember.message("a")));
            socket.getOutputStream().write(frames.getBytes());

            assertClosed(socket);
        }
        assertThat(heard).hasValue(0);
    }

    /** Repeats everything that a member sent over another connection. */
    @Test
    void connect_replaysOverheardBytes_isClosedAndIgnored() throws IOException {
        Relay relay = new Relay(vertx, port);
        TestClient overheard = new TestClient(relay.open(), TLS.client(PATIENCE));
        overheard.greet();
        overheard.send(FrameCodec.encodeMessage(1, FakeMember.message("a")));
        assertThat(FrameCodec.acknowledgedNumber(overheard.answer())).isEqualTo(1);

        try (Socket socket = connect()) {
            socket.getOutputStream().write(relay.sent());

            assertClosed(socket);
        }
        assertThat(heard).hasValue(1);
    }

    @Test
    void connect_certificateOfAnotherSecret_isClosedAndIgnored() {
        PeerTls guessed = PeerTls.of("guessed".getBytes(StandardCharsets.UTF_8));

        assertRefused(withoutTrust().setKeyCertOptions(guessed.client(PATIENCE).getKeyCertOptions()));
    }

    @Test
    void connect_certificateOfItsOwn_isClosedAndIgnored(@TempDir Path folder) throws Exception {
        Path store = folder.resolve("own.p12");
        String command =
                "keytool -genkeypair -keyalg EC -alias own -dname CN=own -storepass password -keystore " + store;
        assertThat(new ProcessBuilder(command.split(" ")).start().waitFor()).isZero();

        assertRefused(withoutTrust()
                .setKeyCertOptions(new PfxOptions().setPath(store.toString()).setPassword("password")));
    }

    @Test
    void connect_noCertificate_isClosedAndIgnored() {
        assertRefused(withoutTrust());
    }

    @Test
    void connect_olderTls_isClosedAndIgnored() {
        assertRefused(TLS.client(PATIENCE).setEnabledSecureTransportProtocols(Set.of("TLSv1.2")));
    }

    /** The client's part of TLS 1.3 may succeed before the server has seen its certificate. */
    private void assertRefused(ClientSSLOptions stranger) {
        Future<TestClient> connection = client.connect(options(port, stranger)).map(TestClient::new);
        awaitAll(List.of(connection));
        if (connection.succeeded()) {
            TestClient caller = connection.result();
            caller.send(FrameCodec.encode(new PeerHello(CALLER.id(), SELF.id()).encode()));
            caller.send(FrameCodec.encodeMessage(1, FakeMember.message("a")));
            await(caller.closed.future());
        }
        assertThat(heard).hasValue(0);
    }

    private static ClientSSLOptions withoutTrust() {
        return new ClientSSLOptions().setTrustAll(true).setHostnameVerificationAlgorithm("");
    }

    @Test
    void connect_sendsNothing_isClosedInTime() throws IOException {
        open(IMPATIENCE);
        try (Socket beforeTls = connect()) {
            TestClient afterTls = new TestClient();

            await(afterTls.closed.future());
            assertClosed(beforeTls);
        }
    }

    /** The listener does not assemble any part of it. */
    @Test
    void connect_beginsWithALargeFrame_isClosedAtOnce() {
        TestClient caller = new TestClient();
        caller.send(Buffer.buffer().appendIntLE(10 << 20).appendBytes(new byte[1 << 20]));

        await(caller.closed.future());
    }

    @Test
    void connect_manyStrangers_aMemberIsAdmittedAfterTheirTimeLimit() throws IOException {
        open(IMPATIENCE);
        List<Socket> strangers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            strangers.add(connect());
        }
        assertClosed(strangers.get(299));
        assertClosed(strangers.get(0));
        connect_withCertificateAndHello_isReceived();
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
                many.appendBuffer(FrameCodec.encodeMessage(sent, FakeMember.message("a")));
            }
            if (caller.socket.writeQueueFull()) {
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

    /** Asserts that the listener closes the connection, after a TLS alert or without one. */
    private static void assertClosed(Socket socket) {
        try {
            assertThat(socket.getInputStream().readAllBytes().length).isLessThan(10_000);
        } catch (IOException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    private static ConnectOptions options(int port, ClientSSLOptions tls) {
        return new ConnectOptions()
                .setHost("127.0.0.1")
                .setPort(port)
                .setSsl(true)
                .setSslOptions(tls);
    }

    /** Handler of the listening server. */
    private final class ServerHandler implements PeerListener.InboundHandler {

        @Override
        public String self() {
            return SELF.id();
        }

        @Override
        public Future<DeliveryOutcome> receive(String member, BsonDocument message) {
            assertThat(member).isEqualTo(CALLER.id());
            heard.incrementAndGet();
            return DeliveryOutcome.DONE;
        }
    }

    /** A connecting client. */
    private final class TestClient {

        final Promise<Void> closed = Promise.promise();
        final Promise<Void> welcome = Promise.promise();
        final NetSocket socket;
        private volatile Promise<BsonDocument> next = Promise.promise();

        TestClient() {
            this(port, TLS.client(PATIENCE));
        }

        TestClient(int port, ClientSSLOptions tls) {
            this(await(client.connect(options(port, tls))));
        }

        TestClient(NetSocket connected) {
            socket = connected;
            socket.closeHandler(done -> closed.tryComplete());
            socket.handler(new FrameReader(1 << 10, this::receive, invalid -> socket.close()));
        }

        private void receive(BsonDocument frame) {
            if (frame.isEmpty()) {
                welcome.tryComplete();
            } else {
                next.tryComplete(frame);
            }
        }

        void greet() {
            send(FrameCodec.encode(new PeerHello(CALLER.id(), SELF.id()).encode()));
            await(welcome.future());
        }

        void send(Buffer frame) {
            var unused = socket.write(frame);
        }

        BsonDocument answer() {
            BsonDocument answer = await(next.future());
            next = Promise.promise();
            return answer;
        }
    }
}
