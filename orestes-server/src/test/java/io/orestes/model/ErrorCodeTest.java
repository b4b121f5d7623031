package io.orestes.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class ErrorCodeTest {

    @Test
    void errorsJson_listsTheSameFailures() throws IOException {
        List<String> inCode = Arrays.stream(ErrorCode.values())
                .map(code -> String.join("|", code.name(), "" + code.httpStatus(), code.className(), code.reason()))
                .toList();

        assertThat(documented()).containsExactlyInAnyOrderElementsOf(inCode);
    }

    @Test
    void names_areThoseOfTheWire() {
        assertThat(ErrorCode.OBJECT_OUT_OF_DATE.className()).isEqualTo("ObjectOutOfDate");
        assertThat(ErrorCode.OBJECT_OUT_OF_DATE.reason()).isEqualTo("Object Out Of Date");
    }

    private static List<String> documented() throws IOException {
        try (InputStream in = ErrorCodeTest.class.getResourceAsStream("/orestes-schema/errors.json")) {
            byte[] json = Objects.requireNonNull(in).readAllBytes();
            return new JsonArray(new String(json, StandardCharsets.UTF_8))
                    .stream().map(entry -> line((JsonObject) entry)).toList();
        }
    }

    private static String line(JsonObject error) {
        return String.join(
                "|",
                error.getString("code"),
                error.getInteger("status").toString(),
                error.getString("className"),
                error.getString("reason"));
    }
}
