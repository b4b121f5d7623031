package io.orestes.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are crafted to circumvent a rule; each of them once succeeded. */
final class HostileRequestsTest {

    private static final String TODO =
            "{\"class\":\"/db/Todo\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}}";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final RunningServer running;
    private final String token;

    HostileRequestsTest(@TempDir Path folder) throws Exception {
        running = RunningServer.start(
                folder.resolve("data"), "--root-password", "secret", "--http.max-pending-bodies", "2mb");
        token = logIn().headers().firstValue("baqend-authorization-token").orElseThrow();
        assertThat(send(authorized("/schema/Todo").POST(BodyPublishers.ofString(TODO)))
                        .statusCode())
                .isEqualTo(200);
    }

    @AfterEach
    void tearDown() {
        running.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "\"0\"", "W/\"0\"", "\"\"", ""})
    void put_ofAVersionThatNeverWas_writesNothing(String version) throws Exception {
        HttpResponse<String> answer = send(request("/db/User/0")
                .header("If-Match", version)
                .PUT(BodyPublishers.ofString("{\"username\":\"root\"}")));

        assertThat(answer.statusCode()).isEqualTo(412);
        assertThat(logIn().statusCode()).isEqualTo(200);
    }

    @Test
    void put_ifNoneMatchStar_createsOnly() throws Exception {
        HttpRequest.Builder create = request("/db/Todo/a").header("If-None-Match", "*");

        assertThat(send(create.PUT(BodyPublishers.ofString("{\"text\":\"1\"}"))).statusCode())
                .isEqualTo(200);
        assertThat(send(create.PUT(BodyPublishers.ofString("{\"text\":\"2\"}"))).statusCode())
                .isEqualTo(412);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/db/Todo/%zz",
                "/db/Todo/%",
                "/db/Todo/query?q=%zz",
                "/schema/%zz",
                "/a/Todo/query/../../../db/Todo/zz",
                "/db/Todo/%2e%2e/x",
                "/db/Todo/."
            })
    void anything_underABrokenPath_is400InTheFormOfErrors(String path) throws Exception {
        String answer = raw("GET /v1" + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 400 ");
        JsonObject body = new JsonObject(answer.substring(answer.indexOf("\r\n\r\n") + 4));
        assertThat(body.getInteger("status")).isEqualTo(400);
        assertThat(body.getString("className")).isEqualTo("BadRequest");
    }

    @Test
    void import_byAnybody_isRefusedBeforeItsBodyIsRead() throws Exception {
        String answer = raw("PUT /v1/db/Todo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "Content-Type: application/json\r\nContent-Length: 60000000\r\n\r\n[");

        assertThat(answer).startsWith("HTTP/1.1 466 ");
    }

    @Test
    void bodies_beyondTheBudget_areRefusedAndRoomIsGivenBack() throws Exception {
        byte[] large = new byte[900_000];
        Runnable[] held = new Runnable[2];
        for (int i = 0; i < held.length; i++) {
            held[i] = hold("POST /v1/db/Todo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 900001\r\n\r\n" + " ".repeat(900_000));
        }

        awaitPendingBytes("1800000.0");

        HttpRequest.Builder third = request("/db/Todo").POST(BodyPublishers.ofByteArray(large));
        assertThat(send(third).statusCode()).isEqualTo(503);
        Stream.of(held).forEach(Runnable::run);

        assertThat(eventually(third, 400)).isEqualTo(400);
    }

    @Test
    void liveQuery_whoseClassIsClosed_endsWithoutAnotherEvent() throws Exception {
        HttpResponse<InputStream> stream =
                client.send(request("/db/Todo/events").build(), BodyHandlers.ofInputStream());
        BufferedReader events = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
        awaitLine(events, "event: result");

        String closed = "{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/Todo\",\"acl\":"
                + "{\"query\":{\"/db/Role/1\":\"allow\"},\"load\":{\"/db/Role/1\":\"allow\"}}}";
        assertThat(send(authorized("/schema").POST(BodyPublishers.ofString(closed)))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(authorized("/db/Todo").POST(BodyPublishers.ofString("{\"text\":\"secret plan\"}")))
                        .statusCode())
                .isEqualTo(201);

        assertThat(events.lines().toList().toString()).contains("event: error").doesNotContain("secret plan");
    }

    @Test
    void queryResult_saysThatItDependsOnTheCaller() throws Exception {
        for (int request = 0; request < 3; request++) {
            assertThat(send(request("/db/Todo/query?q=%7B%7D").GET())
                            .headers()
                            .firstValue("vary")
                            .orElseThrow())
                    .containsIgnoringCase("authorization");
        }
    }

    @Test
    void page_ofManySegments_isNotThere() throws Exception {
        String answer =
                raw("GET /dashboard/" + "a/".repeat(7_000) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void load_tagWithManyEncodings_isAnswered() throws Exception {
        HttpResponse<String> stored = send(request("/db/Todo/tagged").PUT(BodyPublishers.ofString("{\"text\":\"1\"}")));
        String tag = stored.headers().firstValue("etag").orElseThrow();
        String condition = tag.substring(0, tag.length() - 1) + "--a".repeat(4_500) + "\"";

        for (int i = 0; i < 2; i++) {
            assertThat(send(request("/db/Todo/tagged").header("If-None-Match", condition))
                            .statusCode())
                    .isEqualTo(304);
        }
    }

    private HttpResponse<String> logIn() throws Exception {
        return send(request("/db/User/login")
                .POST(BodyPublishers.ofString("{\"username\":\"root\",\"password\":\"secret\"}")));
    }

    private int eventually(HttpRequest.Builder request, int status) throws Exception {
        int answered = send(request).statusCode();
        for (int attempt = 0; attempt < 200 && answered != status; attempt++) {
            answered = send(request).statusCode();
        }
        return answered;
    }

    /**
     * Waits until this many bytes are pending. The server may read a request later than one that is
     * sent after it on another connection.
     */
    private void awaitPendingBytes(String bytes) throws Exception {
        String expected = "orestes_http_bodies_pending_bytes " + bytes;
        String meters = "";
        for (int attempt = 0; attempt < 1_000 && !meters.contains(expected); attempt++) {
            meters = send(authorized("/-/metrics").GET()).body();
        }
        assertThat(meters).contains(expected);
    }

    private static void awaitLine(BufferedReader lines, String expected) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.equals(expected)) {
            line = lines.readLine();
        }
        assertThat(line).isEqualTo(expected);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(running.server().url() + "/v1" + path))
                .header("Content-Type", "application/json");
    }

    private HttpRequest.Builder authorized(String path) {
        return request(path).header("Authorization", "BAT " + token);
    }

    /** Sends text as it is and reads until the server closes the connection. */
    private String raw(String text) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Sends the beginning of a request; the returned action closes the connection. */
    private Runnable hold(String text) throws IOException {
        Socket socket = connect();
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return () -> {
            try {
                socket.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        };
    }

    private Socket connect() throws IOException {
        URI url = URI.create(running.server().url());
        Socket socket = new Socket(url.getHost(), url.getPort());
        socket.setSoTimeout(20_000);
        return socket;
    }
}
