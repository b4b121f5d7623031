package io.orestes.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Errors that a subscriber receives when its rights or its class are removed, over both transports.
 */
@Timeout(60)
final class SubscriptionEndsTest {

    private static final String ROOT = "/db/User/1";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Path folder;

    SubscriptionEndsTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void token_expires_bothReceive460() throws Exception {
        try (RunningServer running = start("--auth.session-lifetime", "3s")) {
            expectEnd(running, token -> {}, 460, "BadCredentials");
        }
    }

    @Test
    void user_deactivated_bothReceive460() throws Exception {
        try (RunningServer running = start()) {
            assertThat(addAdmin(running)).isNotEqualTo(ROOT);
            expectEnd(
                    running,
                    token -> send(running, token, ROOT, "PUT", "{\"username\":\"root\",\"inactive\":true}"),
                    460,
                    "BadCredentials");
        }
    }

    @Test
    void tokens_revoked_bothReceive460() throws Exception {
        try (RunningServer running = start()) {
            expectEnd(running, token -> send(running, token, "/db/User/1/token", "DELETE", ""), 460, "BadCredentials");
        }
    }

    @Test
    void password_changed_bothReceive460() throws Exception {
        try (RunningServer running = start()) {
            expectEnd(
                    running,
                    token -> send(
                            running,
                            token,
                            "/db/User/password",
                            "POST",
                            "{\"username\":\"root\",\"password\":\"\",\"newPassword\":\"other\"}"),
                    460,
                    "BadCredentials");
        }
    }

    @Test
    void role_changed_bothReceive466() throws Exception {
        try (RunningServer running = start()) {
            String second = addAdmin(running);
            expectEnd(
                    running,
                    token -> send(running, token, "/db/Role/1", "PUT", admins(second)),
                    466,
                    "PermissionDenied");
        }
    }

    @Test
    void class_dropped_bothReceive461() throws Exception {
        try (RunningServer running = start()) {
            send(running, logIn(running), "/schema/Todo", "POST", "{\"class\":\"/db/Todo\",\"fields\":{}}");

            expectEnd(
                    running,
                    List.of("Todo", "Todo"),
                    token -> send(running, token, "/schema/Todo", "DELETE", ""),
                    461,
                    "BucketNotFound");
        }
    }

    private RunningServer start(String... flags) {
        String[] all = new String[flags.length + 2];
        System.arraycopy(flags, 0, all, 0, flags.length);
        all[flags.length] = "--root-password";
        all[flags.length + 1] = "secret";
        return RunningServer.start(folder.resolve("data"), all);
    }

    private void expectEnd(RunningServer running, RightsRemoval step, int status, String className) throws Exception {
        expectEnd(running, List.of("Role", "User"), step, status, className);
    }

    /** @param buckets those to which the event stream and the socket subscribe */
    private void expectEnd(
            RunningServer running, List<String> buckets, RightsRemoval step, int status, String className)
            throws Exception {
        String token = logIn(running);
        BufferedReader stream = stream(running, token, buckets.get(0));
        BlockingQueue<JsonObject> messages = new LinkedBlockingQueue<>();
        WebSocket socket = socket(running, token, buckets.get(1), messages);
        assertThat(next(messages).getString("type")).isEqualTo("result");

        step.takeWith(token);

        String streamed = String.join("\n", stream.lines().toList());
        assertThat(streamed)
                .contains("event: error\ndata: {\"status\":" + status)
                .contains(className);
        JsonObject message = next(messages);
        assertThat(message.getString("type")).isEqualTo("error");
        assertThat(message.getString("id")).isEqualTo("s");
        assertThat(message.getJsonObject("error").getInteger("status")).isEqualTo(status);
        socket.abort();
    }

    private BufferedReader stream(RunningServer running, String token, String bucket) throws Exception {
        HttpResponse<InputStream> response =
                client.send(request(running, token, "/db/" + bucket + "/events").build(), BodyHandlers.ofInputStream());
        BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        awaitLine(lines, "event: result");
        return lines;
    }

    private static void awaitLine(BufferedReader lines, String expected) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.equals(expected)) {
            line = lines.readLine();
        }
        assertThat(line).isEqualTo(expected);
    }

    private WebSocket socket(RunningServer running, String token, String bucket, BlockingQueue<JsonObject> messages) {
        URI address = URI.create(running.server().url().replace("http:", "ws:") + "/v1/events");
        WebSocket socket = client.newWebSocketBuilder()
                .buildAsync(address, new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
                        messages.add(new JsonObject(data.toString()));
                        return WebSocket.Listener.super.onText(from, data, last);
                    }
                })
                .join();
        var unused = socket.sendText(
                        "{\"id\":\"s\",\"type\":\"subscribe\",\"bucket\":\"" + bucket
                                + "\",\"query\":\"{}\",\"initial\":true," + "\"token\":\"" + token + "\"}",
                        true)
                .join();
        return socket;
    }

    private static JsonObject next(BlockingQueue<JsonObject> messages) throws InterruptedException {
        return Objects.requireNonNull(messages.poll(30, TimeUnit.SECONDS), "no message");
    }

    private String logIn(RunningServer running) throws Exception {
        HttpRequest login = HttpRequest.newBuilder(URI.create(running.server().url() + "/v1/db/User/login"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"username\":\"root\",\"password\":\"secret\"}"))
                .build();
        return client.send(login, BodyHandlers.ofString())
                .headers()
                .firstValue("baqend-authorization-token")
                .orElseThrow();
    }

    /** Adds a second admin, as the server always requires one, and returns its id. */
    private String addAdmin(RunningServer running) throws Exception {
        HttpRequest register = HttpRequest.newBuilder(
                        URI.create(running.server().url() + "/v1/db/User/register"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"user\":{\"username\":\"second\"},\"password\":\"secret\"}"))
                .build();
        String id =
                new JsonObject(client.send(register, BodyHandlers.ofString()).body()).getString("id");
        send(running, logIn(running), "/db/Role/1", "PUT", admins(ROOT, id));
        return id;
    }

    private static String admins(String... ids) {
        return "{\"name\":\"admin\",\"users\":[\"" + String.join("\",\"", ids) + "\"]}";
    }

    private void send(RunningServer running, String token, String path, String method, String body) throws Exception {
        HttpResponse<String> answer = client.send(
                request(running, token, path)
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 204);
    }

    private static HttpRequest.Builder request(RunningServer running, String token, String path) {
        return HttpRequest.newBuilder(URI.create(running.server().url() + "/v1" + path))
                .header("Content-Type", "application/json")
                .header("If-Match", "*")
                .header("Authorization", "BAT " + token);
    }

    /** Removes a right or an object that the subscription needs. */
    private interface RightsRemoval {
        void takeWith(String token) throws Exception;
    }
}
