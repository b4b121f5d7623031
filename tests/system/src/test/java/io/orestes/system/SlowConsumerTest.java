package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveSocket;
import io.orestes.support.http.LiveStream;
import io.orestes.support.http.RawHttp;
import java.io.IOException;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A subscriber that does not read is disconnected with a reason, and no other is. */
@ExtendWith(SharedBackend.class)
final class SlowConsumerTest {

    private static final int OBJECT_BYTES = 900_000;

    /**
     * Number of writes, which together far exceed the server's buffer of one subscriber and the
     * kernel's of one connection.
     */
    private static final int WRITES = 20;

    private final Backend backend;
    private final Client client;
    private final Client root;
    private String bucket = "";

    SlowConsumerTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String");
    }

    @Test
    void eventStream_notRead_endsWithAnErrorWithoutEffectOnOthers() throws Exception {
        try (RawHttp slow = RawHttp.connect(backend.server().base());
                LiveStream fast = LiveStream.open(client, bucket, "")) {
            subscribe(slow);
            assertThat(fast.next().array()).isEmpty();

            int writes = 0;
            // it has five seconds from then on to read the reason
            while (isSubscribed(2) && writes < WRITES) {
                String id = write();
                assertThat(fast.next().data().getString("id").getValue()).isEqualTo(id);
                writes++;
            }

            String rest = slow.readToTheEnd();
            assertThat(writes).isLessThan(WRITES);
            assertThat(rest).contains("event: error").contains("\"status\":429");
        }
    }

    @Test
    void webSocket_notRead_isClosedWithoutEffectOnOthers() throws Exception {
        try (RawHttp slow = RawHttp.connect(backend.server().base());
                LiveSocket fast = LiveSocket.open(backend.server())) {
            slow.send(RawHttp.WEB_SOCKET);
            assertThat(slow.readUntil(RawHttp.END_OF_HEAD)).contains("101");
            slow.sendFrame(subscribeMessage());
            assertThat(slow.readUntil("\"result\"")).isNotEmpty();
            fast.subscribe("f", bucket, "{}", "");
            assertThat(fast.next().getArray("data")).isEmpty();

            for (int i = 0; i < WRITES; i++) {
                String id = write();
                assertThat(fast.nextMatch()).isEqualTo("f add insert " + id);
            }

            String rest = slow.readToTheEnd();
            assertThat(rest.split("\"match\"", -1)).hasSizeLessThan(WRITES);
        }
    }

    @Test
    void eventStream_neverRead_isClosedSoonWithoutEffectOnOthers() throws Exception {
        try (RawHttp slow = RawHttp.connect(backend.server().base());
                LiveStream fast = LiveStream.open(client, bucket, "")) {
            subscribe(slow);
            assertThat(fast.next().array()).isEmpty();

            for (int i = 0; i < WRITES; i++) {
                write();
                assertThat(fast.next().name()).isEqualTo("match");
            }
            slow.awaitReset("\r\n");

            String id = write();
            assertThat(fast.next().data().getString("id").getValue()).isEqualTo(id);
        }
    }

    @Test
    void webSocket_neverRead_isClosedSoonWithoutEffectOnOthers() throws Exception {
        try (RawHttp slow = RawHttp.connect(backend.server().base());
                LiveSocket fast = LiveSocket.open(backend.server())) {
            slow.send(RawHttp.WEB_SOCKET);
            assertThat(slow.readUntil(RawHttp.END_OF_HEAD)).contains("101");
            slow.sendFrame(subscribeMessage());
            assertThat(slow.readUntil("\"result\"")).isNotEmpty();
            fast.subscribe("f", bucket, "{}", "");
            assertThat(fast.next().getArray("data")).isEmpty();

            for (int i = 0; i < WRITES; i++) {
                write();
                assertThat(fast.nextMatch()).startsWith("f add");
            }
            slow.awaitReset(RawHttp.PONG);

            String id = write();
            assertThat(fast.nextMatch()).isEqualTo("f add insert " + id);
        }
    }

    /** Returns whether this number of clients subscribes to the class. */
    private boolean isSubscribed(int subscribers) {
        return root.get("/-/live-queries?count=500").object().getArray("queries").stream()
                .map(BsonValue::asDocument)
                .filter(query -> query.getString("class").getValue().equals(bucket))
                .allMatch(query -> query.getNumber("subscribers").intValue() == subscribers);
    }

    private String subscribeMessage() {
        return "{\"id\":\"s\",\"type\":\"subscribe\",\"bucket\":\"%s\",\"query\":\"{}\",\"initial\":true}"
                .formatted(bucket);
    }

    private void subscribe(RawHttp connection) throws IOException {
        connection.send("GET /v1/db/" + bucket + "/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assertThat(connection.readUntil("event: result")).contains("200 OK");
    }

    @CanIgnoreReturnValue
    private String write() {
        return client.insert(bucket, "{\"text\":\"" + "x".repeat(OBJECT_BYTES) + "\"}");
    }
}
