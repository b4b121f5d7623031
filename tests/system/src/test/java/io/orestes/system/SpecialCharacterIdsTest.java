package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of any characters (protocol §1.2): one object, one spelling, wherever the id is used. */
@ExtendWith(SharedBackend.class)
final class SpecialCharacterIdsTest {

    private final Backend backend;
    private final Client client;
    private String bucket = "";

    SpecialCharacterIdsTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String");
    }

    static Stream<String> keys() {
        return Stream.of(
                "-_.!~*'()",
                "a/b",
                "/",
                "a?b#c",
                "a b",
                " ",
                "a+b",
                "100%",
                "%2F",
                "%25",
                "Grüße",
                "日本",
                "🦊",
                "é",
                "a\\b",
                "\"quoted\"",
                ":@&=,;$[]{}|^`<>",
                "...",
                "../../User/1",
                "\t\r\n\u0001\u007f",
                "\u2028\uFEFF\u00a0",
                "$where",
                "_id",
                "0",
                "null",
                "k".repeat(512),
                "日".repeat(512));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void object_withOddKey_isReachedEverywhereUnderOneId(String key) throws Exception {
        String id = "/db/" + bucket + "/" + Client.encode(key);
        String quoted = "{\"id\":\"" + id + "\"";
        try (LiveStream live = LiveStream.open(client, bucket, "q=" + Client.encode(quoted + "}"))) {
            assertThat(live.next().array()).isEmpty();

            assertThat(client.insert(bucket, quoted + ",\"text\":\"a\"}")).isEqualTo(id);
            assertThat(live.next().data().getString("id").getValue()).isEqualTo(id);
        }
        assertThat(client.get(id).object().getString("id").getValue()).isEqualTo(id);
        assertThat(client.put(id, quoted + ",\"text\":\"b\"}", "If-Match", "\"1\"")
                        .status())
                .isEqualTo(200);
        assertThat(client.query(bucket, quoted + "}").ids()).containsExactly(id);
        assertThat(backend.root().get("/db/" + bucket + "/ids").text()).isEqualTo("[\"" + id + "\"]");
        assertThat(client.delete(id, "If-Match", "\"2\"").status()).isEqualTo(204);
        assertThat(client.get(id).status()).isEqualTo(404);
    }

    @Test
    void object_underAnotherEncodingOfItsKey_isTheSameObject() {
        client.insert(bucket, "{\"id\":\"/db/" + bucket + "/a%20b\",\"text\":\"a\"}");

        Answer lower = client.get("/db/" + bucket + "/%61%20%62");

        assertThat(lower.object().getString("id").getValue()).isEqualTo("/db/" + bucket + "/a%20b");
        assertThat(client.post("/db/" + bucket, "{\"id\":\"/db/" + bucket + "/%61%20b\"}")
                        .status())
                .isEqualTo(409);
    }

    @Test
    void object_writtenUnderAnotherEncoding_isNotServedStaleFromTheCache() {
        String id = client.insert(bucket, "{\"id\":\"/db/" + bucket + "/a%20b\",\"text\":\"a\"}");
        assertThat(client.get(id).object().getString("text").getValue()).isEqualTo("a");
        assertThat(client.get("/db/" + bucket + "/%61%20b")
                        .object()
                        .getString("text")
                        .getValue())
                .isEqualTo("a");

        client.update("/db/" + bucket + "/%61%20%62", "{\"text\":\"b\"}");

        assertThat(client.get(id).object().getString("text").getValue()).isEqualTo("b");
        assertThat(client.get("/db/" + bucket + "/%61%20b")
                        .object()
                        .getString("text")
                        .getValue())
                .isEqualTo("b");
    }

    @Test
    void insert_withoutId_assignsOne() {
        assertThat(client.insert(bucket, "{\"text\":\"a\"}")).matches("/db/" + bucket + "/[A-Za-z0-9-]{20,}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%00", "a%00b", "%C3%28", "%ED%A0%80", "%FF"})
    void object_keyThatIsNoText_isRefused(String encoded) {
        assertThat(client.get("/db/" + bucket + "/" + encoded).status()).isIn(400, 404);
        assertThat(client.put("/db/" + bucket + "/" + encoded, "{\"text\":\"a\"}")
                        .status())
                .isEqualTo(400);
        assertThat(client.count(bucket)).isZero();
    }

    @Test
    void object_keyTooLong_isRefusedWithTheReason() {
        String id = "/db/" + bucket + "/" + "k".repeat(513);

        Answer inserted = client.post("/db/" + bucket, "{\"id\":\"" + id + "\"}");

        assertThat(inserted.status()).isEqualTo(400);
        assertThat(inserted.text()).contains("1 to 512 characters");
        assertThat(client.put(id, "{}").status()).isEqualTo(400);
        assertThat(client.get(id).status()).isEqualTo(400);
        assertThat(client.count(bucket)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"query", "count", "ids", "events"})
    void write_reservedKey_is400(String key) {
        Answer answer = client.post("/db/" + bucket, "{\"id\":\"/db/" + bucket + "/" + key + "\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(client.put("/db/" + bucket + "/" + key, "{}").status()).isEqualTo(400);
        assertThat(client.count(bucket)).isZero();
    }
}
