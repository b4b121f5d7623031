package io.orestes.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The document that {@code /spec} serves describes the actual interface, with exactly the existing
 * endpoints.
 */
final class OpenApiTest {

    private static final Set<String> REFUSALS = Set.of("408", "413", "415");

    /** Statuses of errors that are found before the request is routed. */
    private static final Set<String> OF_ANY_REQUEST = Set.of("400", "414", "429");

    /** Paths of endpoints that read neither the store nor the caller's identity. */
    private static final Set<String> NEVER_UNAVAILABLE = Set.of(
            "/",
            "/version",
            "/spec",
            "/-/live",
            "/events-url",
            "/events",
            "/bloomfilter",
            "/banned",
            "/banned/{ip}",
            "/db/User/logout",
            "/db/User/changeUsername");

    /** Names of parameters that accept any text. */
    private static final Set<String> TEXTS =
            Set.of("BAT", "Cache-Control", "If-Match", "If-None-Match", "Last-Event-ID", "values");

    /** Endpoint that first checks whether its caller is an admin. */
    private static final String IMPORT = "PUT /v1/db/User";

    @Test
    void spec_listsExactlyTheEndpointsThereAre(@TempDir Path data) throws IOException {
        try (RunningServer running = RunningServer.start(data.resolve("store"))) {
            Set<String> served = running.server().endpoints().stream()
                    .filter(endpoint -> !endpoint.startsWith("HEAD "))
                    .map(endpoint -> endpoint.replaceAll(":(\\w+)", "{$1}").replaceAll("(?<=[}\\w])/\\*?$", "/{path}"))
                    .collect(Collectors.toSet());

            assertThat(documented()).containsExactlyInAnyOrderElementsOf(served);
        }
    }

    @Test
    void spec_everyOperation_listsTheErrorsOfAnyRequest() throws IOException {
        assertThat(operations()).allSatisfy(operation -> assertThat(operation.statuses())
                .as(operation.method() + " " + operation.path())
                .containsAll(OF_ANY_REQUEST));
    }

    @Test
    void spec_everyOperationThatReadsTheStore_saysThatItMayBeUnavailable() throws IOException {
        assertThat(operations())
                .filteredOn(operation -> !operation.statuses().contains("501"))
                .filteredOn(operation -> !NEVER_UNAVAILABLE.contains(operation.path()))
                .allSatisfy(operation -> assertThat(operation.statuses())
                        .as(operation.method() + " " + operation.path())
                        .contains("503"));
    }

    @Test
    void spec_everyParameter_describesItsValues() throws IOException {
        assertThat(operations().stream().flatMap(Operation::parameters))
                .filteredOn(parameter -> !TEXTS.contains(parameter.getString("name")))
                .allSatisfy(parameter -> assertThat(isBounded(parameter.getJsonObject("schema")))
                        .as(parameter.encode())
                        .isTrue());
    }

    private static boolean isBounded(JsonObject schema) {
        return switch (schema.getString("type")) {
            case "boolean" -> true;
            case "integer" -> schema.containsKey("minimum") && schema.containsKey("maximum");
            default ->
                Stream.of("enum", "pattern", "minLength", "contentMediaType").anyMatch(schema::containsKey);
        };
    }

    @Test
    void spec_everyAnswerWithABody_hasItsSchema() throws IOException {
        assertThat(operations()).allSatisfy(operation -> assertThat(operation.bodies())
                .as(operation.method() + " " + operation.path())
                .allSatisfy(body ->
                        assertThat(body.getJsonObject("schema").fieldNames()).isNotEmpty()));
    }

    /**
     * 408 needs a slow client, so it is not provoked. It is documented together with the other two,
     * and all three have the same origin.
     */
    @Test
    void spec_whereverABodyIsRead_listsItsRefusals(@TempDir Path data) throws IOException {
        try (RunningServer running = RunningServer.start(data.resolve("store"), "--root-password", "secret")) {
            URI url = URI.create(running.server().url());
            for (Operation operation : operations()) {
                String line = operation.method() + " /v1" + operation.path().replaceAll("\\{\\w+}", "User");

                assertThat(operation.hasBody())
                        .as(line)
                        .isEqualTo(operation.statuses().containsAll(REFUSALS));
                if (operation.hasBody() && !line.equals(IMPORT)) {
                    assertThat(status(url, line, "Content-Length: 2\r\nContent-Encoding: gzip", "{}"))
                            .as(line)
                            .isEqualTo(415);
                    assertThat(status(url, line, "Content-Length: 99999999", ""))
                            .as(line)
                            .isEqualTo(413);
                }
            }
        }
    }

    private static int status(URI url, String line, String headers, String body) throws IOException {
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout(20_000);
            String request = line + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + headers + "\r\n\r\n" + body;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
        }
    }

    private static List<Operation> operations() throws IOException {
        JsonObject paths = spec().getJsonObject("paths");
        return paths.fieldNames().stream()
                .flatMap(path -> paths.getJsonObject(path).fieldNames().stream()
                        .map(method -> new Operation(
                                method.toUpperCase(Locale.ROOT),
                                path,
                                paths.getJsonObject(path).getJsonObject(method))))
                .toList();
    }

    private record Operation(String method, String path, JsonObject description) {

        boolean hasBody() {
            return description.containsKey("requestBody");
        }

        Stream<JsonObject> parameters() {
            return objects(description.getJsonArray("parameters", new JsonArray()).stream());
        }

        /** Returns the content of all responses, one object for each media type. */
        Stream<JsonObject> bodies() {
            return objects(description.getJsonObject("responses").stream().map(Map.Entry::getValue))
                    .map(response -> response.getJsonObject("content", new JsonObject()))
                    .flatMap(content -> objects(content.stream().map(Map.Entry::getValue)));
        }

        private static Stream<JsonObject> objects(Stream<Object> values) {
            return values.map(JsonObject.class::cast);
        }

        Set<String> statuses() {
            return description.getJsonObject("responses").fieldNames();
        }
    }

    private static List<String> documented() throws IOException {
        return operations().stream()
                .map(operation -> operation.method() + " " + operation.path())
                .toList();
    }

    private static JsonObject spec() throws IOException {
        try (InputStream in = OpenApiTest.class.getResourceAsStream("/orestes-schema/openapi.json")) {
            return new JsonObject(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
