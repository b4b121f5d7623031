package io.orestes.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.config.Settings;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** {@code schema/config.json} lists exactly the keys that the server reads. */
final class ConfigKeysTest {

    @Test
    void document_listsExactlyTheKeysThatAreRead() throws IOException {
        Settings settings = Settings.of(List.of(), Map.of());
        var ignored = ServerConfig.read(settings);

        assertThat(documented()).containsExactlyInAnyOrderElementsOf(settings.keys());
    }

    private static List<String> documented() throws IOException {
        try (InputStream in = ConfigKeysTest.class.getResourceAsStream("/orestes-schema/config.json")) {
            byte[] json = Objects.requireNonNull(in).readAllBytes();
            return new JsonArray(new String(json, StandardCharsets.UTF_8))
                    .stream().map(key -> ((JsonObject) key).getString("key")).toList();
        }
    }
}
