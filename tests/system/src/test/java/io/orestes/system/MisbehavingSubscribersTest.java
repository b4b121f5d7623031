package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Client;
import io.orestes.support.http.LiveSocket;
import io.orestes.support.http.LiveStream;
import io.orestes.support.http.RawHttp;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * All at once: a hundred queries that each nearly reach the limit of one, a window and an aggregate
 * above it, a subscriber that does not read. Other subscribers receive every event, and writes are
 * answered.
 */
@ExtendWith(SharedBackend.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class MisbehavingSubscribersTest {

    private static final int COSTLY = 100;
    private static final int WRITES = 12;

    /** Takes more than 3 million steps on the text below, of a limit of 5 million. */
    private static final String NEARLY_TOO_COSTLY = "{\"text\":{\"$regex\":\"[ab]{400}c%d\"}}";

    private static final String TOO_COSTLY = "{\"text\":{\"$regex\":\"([ab]{1,30}x?){30}c%d\"}}";

    private static final String OBJECT =
            "{\"n\":%d,\"text\":\"" + "a".repeat(8_000) + "\",\"blob\":\"" + "x".repeat(700_000) + "\"}";

    private final Backend backend;
    private final Client client;
    private String bucket = "";

    MisbehavingSubscribersTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String", "blob", "String", "n", "Integer");
    }

    @Test
    void manyAtOnce_onOneClass_doNotAffectOthers() throws Exception {
        try (LiveSocket costly = LiveSocket.open(backend.server());
                LiveSocket tooCostly = LiveSocket.open(backend.server());
                RawHttp deaf = RawHttp.connect(backend.server().base());
                LiveStream other = LiveStream.open(client, bucket, "q=" + Client.encode("{\"n\":{\"$gt\":0}}"))) {
            assertThat(other.next().name()).isEqualTo("result");
            subscribeMany(costly);
            tooCostly.subscribe("window", bucket, TOO_COSTLY.formatted(1), ",\"sort\":\"{\\\"n\\\":1}\",\"limit\":3");
            tooCostly.subscribe(
                    "aggregate",
                    bucket,
                    TOO_COSTLY.formatted(2),
                    ",\"aggregate\":\"{\\\"_id\\\":null,\\\"objects\\\":{\\\"$count\\\":{}}}\"");
            assertThat(List.of(type(tooCostly.next()), type(tooCostly.next()))).containsOnly("result");
            deaf.send("GET /v1/db/" + bucket + "/events HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(deaf.readUntil("event: result")).contains("200 OK");

            for (int n = 1; n <= WRITES; n++) {
                String id = client.insert(bucket, OBJECT.formatted(n));
                assertThat(other.next().data().getString("id").getValue()).isEqualTo(id);
            }

            assertThat(List.of(tooCostly.nextError(), tooCostly.nextError())).containsOnly(468);
            assertThat(costly.nextError()).isEqualTo(468);
        }
    }

    private void subscribeMany(LiveSocket socket) throws InterruptedException {
        List<String> types = new ArrayList<>();
        for (int i = 0; i < COSTLY; i++) {
            socket.subscribe("q" + i, bucket, NEARLY_TOO_COSTLY.formatted(i), "");
            types.add(type(socket.next()));
        }
        assertThat(types).containsOnly("result");
    }

    private static String type(BsonDocument message) {
        return message.getString("type").getValue();
    }
}
