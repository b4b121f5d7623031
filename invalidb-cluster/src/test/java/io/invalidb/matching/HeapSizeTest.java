package io.invalidb.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.model.Operation;
import io.invalidb.model.Stamp;
import io.invalidb.model.WriteEvent;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;

final class HeapSizeTest {

    private static final Stamp STAMP = new Stamp(1, 1);

    @Test
    void of_deletion_isSmall() {
        assertThat(HeapSize.of(new WriteEvent.Delete("Todo", "a", STAMP))).isBetween(1L, 1_000L);
    }

    @Test
    void of_text_isCountedWhereverItLies() {
        String text = "x".repeat(10_000);

        assertThat(size("{a: '" + text + "'}")).isBetween(20_000L, 21_000L);
        assertThat(size("{a: {b: ['" + text + "', {c: '" + text + "'}]}}")).isBetween(40_000L, 42_000L);
        assertThat(size("{" + text + ": 1}")).isBetween(20_000L, 21_000L);
    }

    @Test
    void of_manySmallValues_isMoreThanTheirBson() {
        String document = "{a: [" + "{n: 1},".repeat(999) + "{n: 1}]}";

        assertThat(size(document)).isBetween(100_000L, 400_000L);
    }

    @Test
    void of_encodedDocument_isAboutItsBytes() {
        RawBsonDocument raw = RawBsonDocument.parse("{a: '" + "x".repeat(10_000) + "'}");

        assertThat(size(raw)).isBetween(10_000L, 11_000L);
    }

    private static long size(String document) {
        return size(BsonDocument.parse(document));
    }

    private static long size(BsonDocument document) {
        return HeapSize.of(new WriteEvent.Upsert("Todo", "a", STAMP, Operation.INSERT, document));
    }
}
