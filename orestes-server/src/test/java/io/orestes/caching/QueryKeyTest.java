package io.orestes.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class QueryKeyTest {

    private static final JsonWriterSettings RELAXED =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

    static Stream<Arguments> queries() {
        return TestVectors.list("query-key.json");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("queries")
    void of_vector_isAsExpected(String name, JsonObject given, String expect) {
        String key = QueryKey.of(
                given.getString("bucket"),
                document(given, "q"),
                document(given, "sort"),
                given.getInteger("start"),
                given.getInteger("count"),
                given.getBoolean("ids", false),
                QueryKeyTest::withoutBlanks);

        assertThat(key).as(name).isEqualTo(expect);
    }

    private static BsonDocument document(JsonObject given, String field) {
        return BsonDocument.parse(given.getJsonObject(field).encode());
    }

    private static String withoutBlanks(BsonDocument document) {
        return new JsonObject(document.toJson(RELAXED)).encode();
    }
}
