package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.oneOf;

import io.orestes.support.http.Client;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pages of any origin may send requests, with credentials, and read the headers they need (protocol
 * §1.6).
 */
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
        Response answer = client.given()
                .header("Origin", ORIGIN)
                .header("Access-Control-Request-Method", "PUT")
                .header("Access-Control-Request-Headers", "x-new-header, if-match")
                .when()
                .options(path);

        answer.then().statusCode(is(oneOf(200, 204)));
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
        assertThat(Integer.parseInt(answer.header("access-control-max-age"))).isGreaterThanOrEqualTo(3600);
        assertReflected(answer);
    }

    @Test
    void answers_ofEveryKind_mayBeReadByTheCallersOrigin() {
        Response found = fromOrigin().get(id);
        assertReadable(found);
        assertReadable(fromOrigin().get(id));
        assertReadable(
                fromOrigin().header("If-None-Match", found.header("etag")).get(id));
        assertReadable(fromOrigin().get(id + "-missing"));
        assertReadable(fromOrigin().body("{").put(id));
        assertReadable(
                fromOrigin().body("{\"text\":\"" + "x".repeat(1 << 20) + "\"}").put(id));
        assertReadable(fromOrigin().get("/connect"));
        assertReadable(fromOrigin().get("/no/such/path"));
        assertReadable(fromOrigin().delete(id));
    }

    private RequestSpecification fromOrigin() {
        return client.given().header("Origin", ORIGIN);
    }

    @Test
    void answer_thatIsCached_namesTheOriginOfEachCaller() {
        client.given()
                .header("Origin", "https://one.example")
                .when()
                .get(id)
                .then()
                .header("access-control-allow-origin", "https://one.example");
        client.given()
                .header("Origin", "https://two.example")
                .when()
                .get(id)
                .then()
                .header("access-control-allow-origin", "https://two.example");
        client.given().when().get(id).then().header("access-control-allow-origin", nullValue());
    }

    private static void assertReadable(Response answer) {
        assertReflected(answer);
        answer.then().header("timing-allow-origin", "*");
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

    private static void assertReflected(Response answer) {
        answer.then().header("access-control-allow-origin", ORIGIN).header("access-control-allow-credentials", "true");
        assertThat(names(answer, "vary")).contains("origin");
    }

    private static Set<String> names(Response answer, String header) {
        return answer.headers().getValues(header).stream()
                .flatMap(value -> Arrays.stream(value.split(",", -1)))
                .map(name -> name.trim().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }
}
