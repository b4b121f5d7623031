package io.orestes.store.mongo.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Test;

final class BatchableQueryShapeTest {

    @Test
    void equalityKeyOf_onePlainValue_isItsKey() {
        assertThat(shape("a").equalityKeyOf(BsonDocument.parse("{a: 1}"))).contains(new BsonInt64(1));
    }

    @Test
    void equalityKeyOf_listOrNothing_isNone() {
        assertThat(shape("a").equalityKeyOf(BsonDocument.parse("{a: [1]}"))).isEmpty();
        assertThat(shape("a").equalityKeyOf(BsonDocument.parse("{b: 1}"))).isEmpty();
    }

    /** Other programs may use such a field name, which a path does not address. */
    @Test
    void equalityKeyOf_pathIntoObjects_isNone() {
        assertThat(shape("a.b").equalityKeyOf(BsonDocument.parse("{a: {b: 1}, 'a.b': 2}")))
                .isEmpty();
    }

    private static BatchableQueryShape shape(String path) {
        return new BatchableQueryShape("Item", path, new BsonArray());
    }
}
