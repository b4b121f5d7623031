package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Client;
import io.orestes.support.http.RawHttp;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that are wrong below the level of resources: refused as errors of the client, without an
 * effect on others.
 */
@ExtendWith(SharedBackend.class)
final class TransportMistakesTest {

    private static final String DRIPPING = String.join(
            "\r\n", "Host: x", "Content-Type: application/json", "Transfer-Encoding: chunked", "", "1", " ", "");

    private final Backend backend;
    private final Client client;
    private String bucket = "";

    TransportMistakesTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String");
        assertThat(client.put("/db/" + bucket + "/a", "{}").status()).isEqualTo(200);
    }

    @Test
    void write_whileManyOthersDripTheirBodies_succeeds() throws IOException {
        List<RawHttp> dripping = new ArrayList<>();
        try {
            for (int i = 0; i < 256; i++) {
                RawHttp slow = RawHttp.connect(backend.server().base());
                dripping.add(slow);
                slow.send("POST /v1/db/" + bucket + " HTTP/1.1\r\n" + DRIPPING);
            }
            for (RawHttp slow : dripping) {
                slow.send("1\r\n \r\n");
                assertThat(client.put("/db/" + bucket + "/a", "{\"text\":\"b\"}")
                                .status())
                        .isEqualTo(200);
            }
        } finally {
            for (RawHttp slow : dripping) {
                slow.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "close, TE", "TE, Close", "TE\r\nConnection: close"})
    void request_withCloseAmongOtherOptions_isAnsweredAndTheConnectionCloses(String options) throws IOException {
        String object = "/v1/db/" + bucket + "/a HTTP/1.1\r\nHost: x\r\nConnection: " + options + "\r\n";
        String put = "PUT " + object + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
        for (String request : List.of("GET " + object + "\r\n", "GET " + object + "\r\n", put)) {
            assertThat(RawHttp.exchange(backend.server().base(), request))
                    .startsWith("HTTP/1.1 200")
                    .containsIgnoringCase("connection: close")
                    .endsWith("}");
        }
        assertThat(RawHttp.exchange(
                        backend.server().base(),
                        "GET /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: " + options + "\r\n\r\n"))
                .startsWith("HTTP/1.1 404");
    }

    @Test
    void write_bodyLate_is408AndTheConnectionCloses(@TempDir Path temp) throws Exception {
        try (ServerProcess server = Launcher.here().start(temp, "--http.body-timeout", "100ms")) {
            String chunked = RawHttp.exchange(server.base(), "POST /v1/db/User HTTP/1.1\r\n" + DRIPPING);
            String announced = RawHttp.exchange(
                    server.base(), "PUT /v1/db/User/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{");

            assertThat(chunked).startsWith("HTTP/1.1 408").contains("RequestTimeout");
            assertThat(announced).startsWith("HTTP/1.1 408").contains("RequestTimeout");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Host: a b\r\n",
                "Host: x:99999999\r\n",
                "Host: \r\n",
                "Host: x\r\nHost: y\r\n",
                "Host: x\r\nHost: x\r\n",
                "Host: x\r\nhost: \r\n"
            })
    void send_noHostOrABadOneOrTwo_is400Everywhere(String host) throws IOException {
        String object = "/v1/db/" + bucket + "/a";

        assertThat(client.get("/db/" + bucket + "/a").status()).isEqualTo(200);
        assertThat(exchange("GET " + object, host, "")).startsWith("HTTP/1.1 400");
        assertThat(exchange("GET /v1/connect", host, "")).startsWith("HTTP/1.1 400");
        assertThat(exchange("PUT " + object, host + "Content-Length: 2\r\nContent-Type: application/json\r\n", "{}"))
                .startsWith("HTTP/1.1 400");
    }

    @Test
    void put_invalidChunkSize_is400() throws IOException {
        String head = "Host: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n";

        assertThat(exchange("PUT /v1/db/" + bucket + "/a", head, "zz\r\n{}\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
    }

    /**
     * The end of the body is unknown: what follows may be part of it, and must not be parsed as a
     * request.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {"xchunked", "identity", "", "gzip", "gzip, chunked", "chunked, identity", "chunked, chunked"})
    void send_transferCodingThatIsNotChunked_is400AndTheRestIsNotRead(String coding) throws IOException {
        String head = "Host: x\r\nContent-Type: application/json\r\n";
        String smuggled = "PUT /v1/db/" + bucket + "/smuggled HTTP/1.1\r\n" + head + "Content-Length: 2\r\n\r\n{}";

        for (String line : List.of("GET /v1/db/" + bucket + "/a", "PUT /v1/db/" + bucket + "/a", "POST /v1/connect")) {
            String answer = RawHttp.exchange(
                    backend.server().base(),
                    line + " HTTP/1.1\r\n" + head + "Transfer-Encoding: " + coding + "\r\n\r\n" + smuggled);

            assertThat(answer).startsWith("HTTP/1.1 400").containsOnlyOnce("HTTP/1.1");
        }
        assertThat(client.count(bucket)).isEqualTo(1);
    }

    @Test
    void connect_formWithABrokenEscape_is400() throws IOException {
        String head = "Host: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 6\r\n";

        assertThat(exchange("POST /v1/connect", head, "BAT=%z")).startsWith("HTTP/1.1 400");
        assertThat(exchange("POST /v1/connect", head, "BAT=12")).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00c3\u00a4", "1#frag", "1\u007f", "1\u0001"})
    void send_invalidCharacterInTheTarget_is400AndNothingIsStored(String key) throws IOException {
        String target = "/v1/db/" + bucket + "/" + key;
        String head = "Host: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n";

        assertThat(exchange("PUT " + target, head, "{}")).startsWith("HTTP/1.1 400");
        assertThat(exchange("GET " + target, "Host: x\r\n", "")).startsWith("HTTP/1.1 400");
        assertThat(client.count(bucket)).isEqualTo(1);
    }

    private String exchange(String line, String headers, String body) throws IOException {
        return RawHttp.exchange(
                backend.server().base(), line + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n" + body);
    }
}
