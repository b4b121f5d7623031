package io.invalidb.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The truth table shared by all languages. */
final class FilterVectorsTest {

    @TestFactory
    Stream<DynamicTest> vectors() throws IOException {
        return read("/orestes-schema/vectors/filters.json").stream()
                .map(vector -> vector.asDocument())
                .map(vector -> DynamicTest.dynamicTest(vector.getString("name").getValue(), () -> check(vector)));
    }

    private static void check(BsonDocument vector) {
        BsonDocument given = vector.getDocument("given");
        Filter filter = Filter.parse(given.getDocument("filter"));

        boolean matches = filter.matches(given.getDocument("document"));

        assertThat(matches).isEqualTo(vector.getBoolean("expect").getValue());
        assertThat(Filter.parse(filter.normalForm())).isEqualTo(filter);
    }

    private static BsonArray read(String resource) throws IOException {
        try (InputStream in = Objects.requireNonNull(FilterVectorsTest.class.getResourceAsStream(resource))) {
            return BsonArray.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
