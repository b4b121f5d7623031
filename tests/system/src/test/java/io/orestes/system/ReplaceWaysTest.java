package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.RawHttp;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Replacements of announced length bypass the router, others pass through it: the answers must not
 * differ.
 */
@ExtendWith(SharedBackend.class)
final class ReplaceWaysTest {

    private static final String JSON = "application/json";

    private final Backend backend;
    private final Client client;
    private String bucket = "";

    ReplaceWaysTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String");
        client.insert(bucket, "{\"id\":\"/db/" + bucket + "/there\",\"text\":\"before\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "there | application/json                | {\"text\":\"after\"}  | 200",
                "new   | application/json; charset=utf-8 | {\"text\":\"after\"}  | 200",
                "a%20b | Application/JSON                | {\"text\":\"after\"}  | 200",
                "there | text/plain                      | {\"text\":\"after\"}  | 415",
                "there | application/json                | {\"text\":            | 400",
                "there | application/json                | []                    | 400",
                "there | application/json                | {\"text\":1}          | 463",
                "there | application/json                | {\"other\":1}         | 463",
                "query | application/json                | {\"text\":\"after\"}  | 400",
                "%00   | application/json                | {\"text\":\"after\"}  | 400",
                "a/b   | application/json                | {\"text\":\"after\"}  | 405"
            })
    void put_eitherWay_getsTheSameAnswer(String key, String type, String body, int status) {
        Answer direct = put(key, announced(body), "Content-Type", type);
        Answer routed = put(key, chunked(body), "Content-Type", type);

        assertThat(direct.status()).as(direct.text()).isEqualTo(status);
        assertThat(routed.status()).isEqualTo(status);
        assertThat(lasting(direct)).isEqualTo(lasting(routed));
        assertThat(headers(direct)).isEqualTo(headers(routed));
    }

    @ParameterizedTest
    @CsvSource({"BAT nonsense,460", "nonsense,460"})
    void put_eitherWayWithABadToken_isRefused(String token, int status) {
        String body = "{\"text\":\"after\"}";

        for (BodyPublisher way : List.of(announced(body), chunked(body))) {
            assertThat(put("there", way, "Content-Type", JSON, "Authorization", token)
                            .status())
                    .isEqualTo(status);
        }
        assertThat(client.get("/db/" + bucket + "/there").text()).contains("before");
    }

    @Test
    void put_eitherWayWithAnOldVersion_isRefused() {
        String body = "{\"text\":\"after\"}";

        for (BodyPublisher way : List.of(announced(body), chunked(body))) {
            assertThat(put("there", way, "Content-Type", JSON, "If-Match", "\"7\"")
                            .status())
                    .isEqualTo(412);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "If-None-Match    | \"1\"     | 412",
                "If-None-Match    | *           | 412",
                "Content-Encoding | gzip        | 415",
                "Content-Encoding | GZIP        | 415",
                "Content-Encoding | br,identity | 415",
            })
    void put_eitherWayWithAHeaderThatForbidsIt_isRefused(String header, String value, int status) {
        String body = "{\"text\":\"after\"}";

        for (BodyPublisher way : List.of(announced(body), chunked(body))) {
            assertThat(put("there", way, "Content-Type", JSON, header, value).status())
                    .isEqualTo(status);
        }
        assertThat(client.get("/db/" + bucket + "/there").text()).contains("before");
    }

    @Test
    void put_eitherWayWithTheCodingThatChangesNothing_succeeds() {
        String body = "{\"text\":\"after\"}";

        for (BodyPublisher way : List.of(announced(body), chunked(body))) {
            assertThat(put("there", way, "Content-Type", JSON, "Content-Encoding", "Identity")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void put_expectContinue_isAnsweredWith100() throws IOException {
        String body = "{\"text\":\"after\"}";
        String head = "PUT /v1/db/" + bucket + "/there HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Expect: 100-continue\r\nConnection: close\r\nContent-Length: " + body.length();
        try (RawHttp connection = RawHttp.connect(backend.server().base())) {
            connection.send(head + RawHttp.END_OF_HEAD);
            assertThat(connection.readUntil(RawHttp.END_OF_HEAD)).startsWith("HTTP/1.1 100 Continue");

            connection.send(body);

            assertThat(connection.readToTheEnd()).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void put_clientDisconnectsInTheMiddleOfTheBody_storesNothing() throws IOException {
        try (RawHttp connection = RawHttp.connect(backend.server().base())) {
            connection.send("PUT /v1/db/" + bucket + "/there HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 60000" + RawHttp.END_OF_HEAD + "{\"text\":\"after\"}");
        }

        assertThat(client.get("/db/" + bucket + "/there").text()).contains("before");
    }

    private Answer put(String key, BodyPublisher body, String... headers) {
        return client.send("PUT", "/db/" + bucket + "/" + key, body, headers);
    }

    private static BodyPublisher announced(String body) {
        return BodyPublishers.ofString(body);
    }

    private static BodyPublisher chunked(String body) {
        return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns the answer without what the second of two writes has to change. */
    private static BsonDocument lasting(Answer answer) {
        BsonDocument object = answer.object().clone();
        List.of("version", "updatedAt").forEach(member -> {
            if (object.containsKey(member)) {
                object.put(member, new BsonString("…"));
            }
        });
        return object;
    }

    private static Map<String, List<String>> headers(Answer answer) {
        Map<String, List<String>> headers =
                new TreeMap<>(answer.response().headers().map());
        List.of("date", "etag", "content-length").forEach(headers::remove);
        // counts seconds
        headers.computeIfPresent("orestes-results-kept", (name, values) -> List.of("…"));
        return headers;
    }
}
