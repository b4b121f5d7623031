package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bodies that are broken, huge or malicious: refused with the right status, and nothing is stored.
 */
@ExtendWith(SharedBackend.class)
final class HostileBodiesTest {

    private static final int LIMIT = 1 << 20;

    private final Backend backend;
    private final Client client;
    private String bucket = "";
    private long expected;

    HostileBodiesTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String", "n", "Integer", "d", "Double", "json", "JsonObject");
    }

    @AfterEach
    void nothingElseWasStored() {
        assertThat(client.count(bucket)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "{\"text\":}",
                "{\"text\":\"a\",}",
                "{\"text\":\"a\"} {}",
                "{'text':'a'}",
                "{text:\"a\"}",
                "{\"text\":\"a\",\"text\":\"b\"}",
                "{\"text\":\"a\nb\"}",
                "{\"text\":\"\\x\"}",
                "{\"n\":01}",
                "{\"n\":NaN}",
                "{\"n\":Infinity}",
                "{\"n\":0x10}",
                "{\"text\":\"\\ud800\"}",
                "// {}",
                "nul"
            })
    void insert_malformedJson_is400(String body) {
        Answer answer = client.post("/db/" + bucket, body);

        assertThat(answer.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "null", "true", "1", "\"text\"", "[{}]"})
    void insert_jsonButNoObject_is400(String body) {
        assertThat(client.post("/db/" + bucket, body).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/db/User/login", "/schema", "/db/User/query", "/db/Role", "/-/setup"})
    void post_malformedBodyElsewhere_is4xx(String path) {
        assertThat(backend.root().post(path, "{\"a\":").status()).isIn(400, 471);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "text/html",
                "application/xml",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "application/jsonp",
                "nonsense"
            })
    void insert_otherContentType_is415(String type) {
        Answer answer =
                client.send("POST", "/db/" + bucket, BodyPublishers.ofString("{\"text\":\"a\"}"), "Content-Type", type);

        assertThat(answer.status()).isEqualTo(415);
    }

    @Test
    void insert_noContentType_is415() {
        Answer answer = client.send("POST", "/db/" + bucket, BodyPublishers.ofString("{\"text\":\"a\"}"));

        assertThat(answer.status()).isEqualTo(415);
    }

    @Test
    void insert_bodyAtTheLimit_isStored() {
        String id = client.insert(bucket, ofLength(LIMIT));

        expected = 1;
        assertThat(client.get(id).object().getString("text").getValue())
                .hasSize(LIMIT - ofLength(0).length());
    }

    @Test
    void insert_bodyAboveTheLimit_is413() {
        assertThat(client.post("/db/" + bucket, ofLength(LIMIT + 1)).status()).isEqualTo(413);
    }

    @Test
    void insert_chunkedBodyAboveTheLimit_is413() {
        byte[] body = ofLength(LIMIT + 1).getBytes(StandardCharsets.UTF_8);

        Answer answer = client.send(
                "POST",
                "/db/" + bucket,
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)),
                "Content-Type",
                "application/json");

        assertThat(answer.status()).isEqualTo(413);
    }

    /** Returns an insertable object of at least that many bytes. */
    private static String ofLength(int length) {
        String frame = "{\"text\":\"\"}";
        return "{\"text\":\"" + "x".repeat(Math.max(0, length - frame.length())) + "\"}";
    }

    @Test
    void insert_nestedAHundredDeep_isStored() {
        String id = client.insert(bucket, nested(100));

        expected = 1;
        assertThat(client.get(id).text()).contains("{\"a\":".repeat(98));
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 1000, 100_000})
    void insert_nestedDeeper_is400(int depth) {
        assertThat(client.post("/db/" + bucket, nested(depth)).status()).isEqualTo(400);
    }

    @Test
    void insert_arraysNestedDeeper_is400() {
        String body = "{\"json\":{\"a\":" + "[".repeat(50_000) + "]".repeat(50_000) + "}}";

        assertThat(client.post("/db/" + bucket, body).status()).isEqualTo(400);
    }

    /** Returns objects within objects, {@code depth} in all. */
    private static String nested(int depth) {
        int inner = depth - 2;
        return "{\"json\":" + "{\"a\":".repeat(inner) + "{}" + "}".repeat(inner) + "}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"\\u0000\":1}", "{\"json\":{\"a\\u0000b\":1}}", "{\"json\":{\"a\":[{\"\\u0000\":1}]}}"})
    void insert_nulInAKey_is400(String body) {
        assertThat(client.post("/db/" + bucket, body).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"C328", "C0AF", "EDA080", "F4908080", "FF", "E282", "80"})
    void insert_invalidUtf8_is400(String hex) {
        byte[] head = "{\"text\":\"".getBytes(StandardCharsets.UTF_8);
        byte[] bad = HexFormat.of().parseHex(hex);
        byte[] tail = "\"}".getBytes(StandardCharsets.UTF_8);

        Answer answer = client.send(
                "POST",
                "/db/" + bucket,
                BodyPublishers.ofByteArrays(List.of(head, bad, tail)),
                "Content-Type",
                "application/json");

        assertThat(answer.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "-9223372036854775809", "123456789012345678901234567890"})
    void insert_integerBeyond64Bit_isRefused(String number) {
        assertThat(client.post("/db/" + bucket, "{\"n\":" + number + "}").status())
                .isIn(400, 463);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999", "-1e309", "1e99999999999999999999"})
    void insert_numberBeyondDouble_is400(String number) {
        assertThat(client.post("/db/" + bucket, "{\"d\":" + number + "}").status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807", "-9223372036854775808"})
    void insert_largest64BitIntegers_comeBackExactly(String number) {
        String id = client.insert(bucket, "{\"n\":" + number + "}");

        expected = 1;
        assertThat(client.get(id).text()).contains("\"n\":" + number + ",");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"text\":1}",
                "{\"text\":{}}",
                "{\"n\":\"1\"}",
                "{\"n\":true}",
                "{\"d\":[]}",
                "{\"json\":\"{}\"}",
                "{\"unknown\":1}",
                "{\"__proto__\":{}}"
            })
    void insert_valueThatDoesNotFit_is463(String body) {
        assertThat(client.post("/db/" + bucket, body).status()).isEqualTo(463);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"acl\":{\"read\":{\"/db/Thing/1\":\"allow\"}}}",
                "{\"acl\":{\"read\":{\"nobody\":\"allow\"}}}",
            })
    void insert_aclForSomethingElseThanUsersAndRoles_is462(String body) {
        assertThat(client.post("/db/" + bucket, body).status()).isEqualTo(462);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"/db/User/1\"}",
                "{\"id\":\"nonsense\"}",
                "{\"id\":1}",
                "{\"id\":\"/db//x\"}",
                "{\"id\":\"/db/Thing\"}"
            })
    void insert_idOfSomethingElse_is400(String body) {
        assertThat(client.post("/db/" + bucket, body).status()).isEqualTo(400);
    }

    @Test
    void insert_aUser_isRefusedAsNotAllowed() {
        Answer answer = client.post("/db/User", "{\"username\":\"eve\"}");

        assertThat(answer.status()).isEqualTo(466);
        assertThat(answer.object().getString("message").getValue()).contains("are not allowed");
    }

    @Test
    void replace_hostileBody_leavesTheObjectUnchanged() {
        String id = client.insert(bucket, "{\"text\":\"kept\"}");
        expected = 1;
        BsonDocument before = client.get(id).object();

        assertThat(client.put(id, "{\"text\":").status()).isEqualTo(400);
        assertThat(client.put(id, "{\"text\":1}").status()).isEqualTo(463);
        assertThat(client.put(id, ofLength(LIMIT + 1)).status()).isEqualTo(413);
        assertThat(client.put(id, "{\"id\":\"/db/" + bucket + "/other\"}").status())
                .isEqualTo(400);

        assertThat(client.get(id, "Cache-Control", "no-cache").object()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nowhere", "/db/Nowhere/1/2/3", "/asset/x"})
    void get_unknownResource_is404(String path) {
        assertThat(client.get(path).status()).isIn(404, 461);
    }

    @Test
    void send_methodThatThePathDoesNotKnow_is405AndNamesTheOthers() {
        Answer answer = client.send("PATCH", "/db/" + bucket + "/a", BodyPublishers.noBody());

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("allow")).hasValue("DELETE, GET, HEAD, OPTIONS, POST, PUT");
    }
}
