package io.orestes.store.mongo.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes of stored objects that are published. */
final class ChangeEventDecoderTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "_unique              | 0",
                "_unique.3            | 0",
                "_words               | 0",
                "_words.65f1 _unique  | 0",
                "text _words.65f1     | 1",
                "_wordsOfOthers       | 1",
                "_words.65f1 _commit  | 1"
            })
    void decode_ofIndexFields_areNone(String names, int count) {
        BsonDocument event = BsonDocument.parse(
                """
                {operationType: 'update', ns: {coll: 'Item'}, documentKey: {_id: '/db/Item/a'},
                 clusterTime: {$timestamp: {t: 1, i: 1}}, names: ['%s']}
                """
                        .formatted(names.replace(" ", "', '")));

        assertThat(ChangeEventDecoder.decode(event)).hasSize(count);
    }
}
