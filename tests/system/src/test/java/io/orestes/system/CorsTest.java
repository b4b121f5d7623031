package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of any origin may call, with credentials, and read the headers they need (protocol §1.6). */
@ExtendWith(SharedBackend.class)
final class CorsTest {

    private static final String ORIGIN = "https://app.example";

    private final Backend backend;
    private final Client client;
    private String id = "";

    CorsTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @BeforeEach
    void createObject() {
        String bucket = backend.newClass("text", "String");
        id = client.insert(bucket, "{\"text\":\"a\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/connect", "/db/User/login", "/db/Nowhere/x", "/no/such/path", "/db/User/events"})
    void preflight_onAnyPath_allowsEverythingClientsSend(String path) {
        Answer answer = client.send(
                "OPTIONS",
                path,
                BodyPublishers.noBody(),
                "Origin",
                ORIGIN,
                "Access-Control-Request-Method",
                "PUT",
                "Access-Control-Request-Headers",
                "x-new-header, if-match");

        assertThat(answer.status()).isIn(200, 204);
        assertThat(names(answer, "access-control-allow-methods"))
                .contains("get", "head", "post", "put", "delete", "options");
        assertThat(names(answer, "access-control-allow-headers"))
                .contains(
                        "authorization",
                        "content-type",
                        "accept",
                        "cache-control",
                        "if-match",
                        "if-none-match",
                        "if-unmodified-since",
                        "baqend-acl",
                        "baqend-custom-headers",
                        "x-new-header");
        assertThat(answer.header("access-control-max-age"))
                .hasValueSatisfying(
                        seconds -> assertThat(Integer.parseInt(seconds)).isGreaterThanOrEqualTo(3600));
        assertReflected(answer);
    }

    @Test
    void answers_ofEveryKind_mayBeReadByTheCallersOrigin() {
        Answer found = client.get(id, "Origin", ORIGIN);
        assertReadable(found);
        assertReadable(client.get(id, "Origin", ORIGIN));
        assertReadable(client.get(
                id, "Origin", ORIGIN, "If-None-Match", found.header("etag").orElseThrow()));
        assertReadable(client.get(id + "-missing", "Origin", ORIGIN));
        assertReadable(client.put(id, "{", "Origin", ORIGIN));
        assertReadable(client.put(id, "{\"text\":\"" + "x".repeat(1 << 20) + "\"}", "Origin", ORIGIN));
        assertReadable(client.get("/connect", "Origin", ORIGIN));
        assertReadable(client.get("/no/such/path", "Origin", ORIGIN));
        assertReadable(client.delete(id, "Origin", ORIGIN));
    }

    @Test
    void answer_thatIsCached_namesTheOriginOfEachCaller() {
        assertThat(client.get(id, "Origin", "https://one.example").header("access-control-allow-origin"))
                .hasValue("https://one.example");
        assertThat(client.get(id, "Origin", "https://two.example").header("access-control-allow-origin"))
                .hasValue("https://two.example");
        assertThat(client.get(id).header("access-control-allow-origin")).isEmpty();
    }

    private static void assertReadable(Answer answer) {
        assertReflected(answer);
        assertThat(answer.header("timing-allow-origin")).hasValue("*");
        assertThat(names(answer, "access-control-expose-headers"))
                .contains(
                        "baqend-authorization-token",
                        "content-type",
                        "etag",
                        "last-modified",
                        "baqend-size",
                        "baqend-acl",
                        "baqend-created-at",
                        "baqend-custom-headers",
                        "baqend-mfa-auth-token");
    }

    private static void assertReflected(Answer answer) {
        assertThat(answer.header("access-control-allow-origin")).hasValue(ORIGIN);
        assertThat(answer.header("access-control-allow-credentials")).hasValue("true");
        assertThat(names(answer, "vary")).contains("origin");
    }

    private static Set<String> names(Answer answer, String header) {
        return answer.response().headers().allValues(header).stream()
                .flatMap(value -> Arrays.stream(value.split(",", -1)))
                .map(name -> name.trim().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }
}
