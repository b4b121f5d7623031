package io.invalidb.query.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;

final class HeapSizeTest {

    @Test
    void of_text_isCountedWhereverItLies() {
        String text = "x".repeat(10_000);

        assertThat(size("{a: '" + text + "'}")).isBetween(10_000L, 11_000L);
        assertThat(size("{a: {b: ['" + text + "', {c: '" + text + "'}]}}")).isBetween(20_000L, 22_000L);
        assertThat(size("{" + text + ": 1}")).isBetween(10_000L, 11_000L);
    }

    @Test
    void of_manySmallValues_isMoreThanTheirBson() {
        String document = "{a: [" + "{n: 1},".repeat(999) + "{n: 1}]}";

        assertThat(size(document)).isBetween(100_000L, 400_000L);
    }

    @Test
    void of_encodedDocument_isAboutItsBytes() {
        RawBsonDocument raw = RawBsonDocument.parse("{a: '" + "x".repeat(10_000) + "'}");

        assertThat(HeapSize.of(raw)).isBetween(10_000L, 11_000L);
    }

    private static long size(String document) {
        return HeapSize.of(BsonDocument.parse(document));
    }
}
