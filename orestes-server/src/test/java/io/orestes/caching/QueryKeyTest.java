package io.orestes.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class QueryKeyTest {

    static Stream<Arguments> queries() {
        return TestVectors.list("query-key.json");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("queries")
    void text_vector_isAsExpected(String name, JsonObject given, String expect) {
        QueryKey key = new QueryKey(
                given.getString("bucket"),
                document(given, "q"),
                document(given, "sort"),
                given.getInteger("start"),
                given.getInteger("count"),
                given.getBoolean("ids", false));

        assertThat(key.text()).as(name).isEqualTo(expect);
    }

    private static BsonDocument document(JsonObject given, String field) {
        return BsonDocument.parse(given.getJsonObject(field).encode());
    }
}
