package io.orestes.replication.link;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.coordination.Member;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bytes between two servers, and messages on connections that break. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class EncryptedLinkTest {

    private static final byte[] SECRET = "secret".getBytes(StandardCharsets.UTF_8);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String KEY = "/db/Todo/a-key-of-an-object";
    private static final String BODY = "the body of an object that nobody else may read";

    private final Vertx vertx = Vertx.vertx();
    private final PeerListener listener = new PeerListener(vertx, PeerTls.of(SECRET), PATIENCE);
    private final PeerLinks links = new PeerLinks(vertx, PeerTls.of(SECRET), new PeerLinkConfig(PATIENCE, 32L << 20));
    private final List<BsonDocument> received = new CopyOnWriteArrayList<>();
    private Relay relay = new Relay(vertx, 0);
    private Member called = Member.entering("");

    @BeforeEach
    void open() {
        int port = await(listener.open("127.0.0.1", 0, new RecordingHandler()));
        relay = new Relay(vertx, port);
        called = Member.entering("127.0.0.1:" + relay.open());
        links.open(Member.entering(""), called, () -> List.of(FakeMember.STATE).iterator(), reason -> {});
    }

    @AfterEach
    void close() {
        links.close(Future.succeededFuture(DeliveryOutcome.MEMBERSHIP_ENDED));
        await(vertx.close());
    }

    @Test
    void broadcast_keysAndBodies_areNotReadableOnTheWire() {
        BsonDocument write = FakeMember.message(KEY).append("object", new BsonString(BODY.repeat(100)));

        await(links.broadcast(write, PATIENCE));

        assertThat(received).contains(write);
        assertThat(relay.sent()).hasSizeGreaterThan(BODY.length() * 100);
        assertThat(relay.text())
                .doesNotContain(KEY)
                .doesNotContain("a-key")
                .doesNotContain(BODY)
                .doesNotContain("body")
                .doesNotContain("stale")
                .doesNotContain("message")
                .doesNotContain(called.id());
    }

    @Test
    void broadcast_connectionsBreak_allMessagesArriveInOrder() {
        List<BsonDocument> sent = IntStream.range(0, 2_000)
                .mapToObj(i -> FakeMember.message("message " + i))
                .toList();
        List<Future<DeliveryOutcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            outcomes.add(links.broadcast(sent.get(i), PATIENCE));
            if (i % 400 == 399) {
                await(outcomes.get(i - 200));
                relay.breakConnections();
            }
        }
        awaitAll(outcomes);

        assertThat(outcomes).allMatch(outcome -> outcome.result().isAcknowledged());
        List<BsonDocument> firstArrivals = new ArrayList<>(new LinkedHashSet<>(received));
        firstArrivals.remove(FakeMember.STATE);
        assertThat(firstArrivals).isEqualTo(sent);
        assertThat(received.stream().filter(FakeMember.STATE::equals))
                .as("state transfers, one on each connection")
                .hasSizeGreaterThan(4);
    }

    /** A handler that acknowledges all messages. */
    private final class RecordingHandler implements PeerListener.InboundHandler {

        @Override
        public String self() {
            return called.id();
        }

        @Override
        public Future<DeliveryOutcome> receive(String member, BsonDocument message) {
            received.add(message);
            return DeliveryOutcome.DONE;
        }
    }
}
