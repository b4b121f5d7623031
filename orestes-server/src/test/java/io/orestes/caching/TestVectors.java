package io.orestes.caching;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Reads {@code schema/vectors}, which the TypeScript SDK runs too. */
public final class TestVectors {

    private TestVectors() {}

    /** Returns the cases of a file that is a list, as (name, given, expect). */
    public static Stream<Arguments> list(String file) {
        return cases((JsonArray) read(file));
    }

    /** Returns the cases of one section of a file, as (name, given, expect). */
    public static Stream<Arguments> section(String file, String section) {
        return cases(((JsonObject) read(file)).getJsonArray(section));
    }

    private static Stream<Arguments> cases(JsonArray cases) {
        return cases.stream()
                .map(JsonObject.class::cast)
                .map(c -> Arguments.of(c.getString("name"), c.getJsonObject("given"), c.getValue("expect")));
    }

    private static Object read(String file) {
        try (InputStream in = TestVectors.class.getResourceAsStream("/orestes-schema/vectors/" + file)) {
            return Json.decodeValue(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
