package io.orestes.store.mongo.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WholeDocumentFilterDetectorTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$jsonSchema: {additionalProperties: false}}",
                "{$or: [{a: 1}, {$jsonSchema: {maxProperties: 7}}]}",
                "{$jsonSchema: {patternProperties: {x: {}}}}",
                "{$expr: {$eq: [{$size: {$objectToArray: '$$ROOT'}}, 5]}}",
                "{$expr: {$gt: ['$$CURRENT', 1]}}"
            })
    void dependsOnWholeDocument_filterOnAllFields_isTrue(String filter) {
        assertThat(WholeDocumentFilterDetector.dependsOnWholeDocument(BsonDocument.parse(filter)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{a: {$in: [1, 'ROOT']}}",
                "{$jsonSchema: {required: ['a'], properties: {a: {bsonType: 'int'}}}}",
                "{$expr: {$eq: ['$$ROOT.a', 5]}}"
            })
    void dependsOnWholeDocument_filterOnNamedFields_isFalse(String filter) {
        assertThat(WholeDocumentFilterDetector.dependsOnWholeDocument(BsonDocument.parse(filter)))
                .isFalse();
    }
}
