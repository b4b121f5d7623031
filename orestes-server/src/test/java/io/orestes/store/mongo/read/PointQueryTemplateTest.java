package io.orestes.store.mongo.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Test;

final class PointQueryTemplateTest {

    @Test
    void keyOf_onePlainValue_isItsKey() {
        assertThat(template("a").keyOf(BsonDocument.parse("{a: 1}"))).contains(new BsonInt64(1));
    }

    @Test
    void keyOf_listOrNothing_isNone() {
        assertThat(template("a").keyOf(BsonDocument.parse("{a: [1]}"))).isEmpty();
        assertThat(template("a").keyOf(BsonDocument.parse("{b: 1}"))).isEmpty();
    }

    /** Other programs may use such a field name, which a path does not address. */
    @Test
    void keyOf_pathIntoObjects_isNone() {
        assertThat(template("a.b").keyOf(BsonDocument.parse("{a: {b: 1}, 'a.b': 2}")))
                .isEmpty();
    }

    private static PointQueryTemplate template(String path) {
        return new PointQueryTemplate("Item", path, new BsonArray());
    }
}
