package io.orestes.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The document that {@code /spec} serves describes the interface there is: no endpoint more, none less. */
final class OpenApiTest {

    @Test
    void spec_listsExactlyTheEndpointsThereAre(@TempDir Path data) throws IOException {
        try (RunningServer running = RunningServer.start(data.resolve("store"))) {
            Set<String> served = running.server().endpoints().stream()
                    .filter(endpoint -> !endpoint.startsWith("HEAD "))
                    .map(endpoint -> endpoint.replaceAll(":(\\w+)", "{$1}"))
                    .collect(Collectors.toSet());

            assertThat(documented()).containsExactlyInAnyOrderElementsOf(served);
        }
    }

    private static List<String> documented() throws IOException {
        JsonObject paths = spec().getJsonObject("paths");
        return paths.fieldNames().stream()
                .flatMap(path -> paths.getJsonObject(path).fieldNames().stream()
                        .map(method -> method.toUpperCase(Locale.ROOT) + " " + path))
                .toList();
    }

    private static JsonObject spec() throws IOException {
        try (InputStream in = OpenApiTest.class.getResourceAsStream("/orestes-schema/openapi.json")) {
            return new JsonObject(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
