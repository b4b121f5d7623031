package io.invalidb.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Accepted and refused specifications. */
final class AggregateSpecTest {

    private static AggregateSpec spec(String json) {
        return AggregateSpec.parse(BsonDocument.parse(json));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{_id: null}",
                "{_id: null, n: {$sum: 1}}",
                "{_id: '$shelf', n: {$sum: 2.5}, most: {$max: '$price'}, least: {$min: '$price.net'}}",
                "{_id: {shelf: '$shelf', year: '$printed.year'}, mean: {$avg: '$price'}}"
            })
    void parse_toBson_isTheSameAgain(String json) {
        AggregateSpec spec = spec(json);

        assertThat(spec.toBson()).isEqualTo(BsonDocument.parse(json));
        assertThat(AggregateSpec.parse(spec.toBson())).isEqualTo(spec).hasSameHashCodeAs(spec);
    }

    @Test
    void count_isASumOfOnes() {
        assertThat(spec("{_id: null, n: {$count: {}}}")).isEqualTo(spec("{_id: null, n: {$sum: 1}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{n: {$sum: 1}}",
                "{_id: null, n: 1}",
                "{_id: null, n: {}}",
                "{_id: null, n: {$sum: 1, $avg: '$a'}}",
                "{_id: null, n: {$count: 1}}",
                "{_id: null, n: {$count: {a: 1}}}",
                "{_id: null, 'a.b': {$sum: 1}}",
                "{_id: null, '': {$sum: 1}}",
                "{_id: null, $sum: {$sum: 1}}",
                "{_id: '$'}",
                "{_id: '$a..b'}",
                "{_id: '$a.$b'}",
                "{_id: '$a.'}",
                "{_id: {'a.b': '$a'}}"
            })
    void parse_malformed_isASyntaxError(String json) {
        assertThatThrownBy(() -> spec(json)).isInstanceOf(QuerySyntaxException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{_id: null, n: {$push: '$a'}}",
                "{_id: null, n: {sum: 1}}",
                "{_id: null, n: {$sum: 'a'}}",
                "{_id: null, n: {$sum: ['$a']}}",
                "{_id: null, n: {$sum: {$add: ['$a', 1]}}}",
                "{_id: null, n: {$avg: 1}}",
                "{_id: null, n: {$max: null}}",
                "{_id: '$$ROOT'}",
                "{_id: '$$NOW'}",
                "{_id: 'shelf'}",
                "{_id: 1}",
                "{_id: ['$a']}",
                "{_id: {}}",
                "{_id: {a: {b: '$c'}}}",
                "{_id: {a: 1}}",
                "{_id: {$toUpper: '$a'}}"
            })
    void parse_whatIsNotComputedHere_isNotSupported(String json) {
        assertThatThrownBy(() -> spec(json)).isInstanceOf(QueryNotSupportedException.class);
    }

    @Test
    void parse_hostileSizes_areRefused() {
        BsonDocument many = BsonDocument.parse("{_id: null}");
        IntStream.range(0, 32).forEach(i -> many.append("f" + i, BsonDocument.parse("{$sum: 1}")));
        BsonValue deep = new BsonString("$a" + ".a".repeat(200));

        assertThatThrownBy(() -> AggregateSpec.parse(many)).isInstanceOf(QuerySyntaxException.class);
        assertThatThrownBy(() -> AggregateSpec.parse(new BsonDocument("_id", deep)))
                .isInstanceOf(QuerySyntaxException.class);
        assertThatThrownBy(() -> spec("{_id: null, " + "n".repeat(129) + ": {$sum: 1}}"))
                .isInstanceOf(QuerySyntaxException.class);
    }

    @Test
    void withFieldValues_touchesKeysAndExtremesOnly() {
        AggregateSpec spec = spec("{_id: {s: '$shelf'}, n: {$sum: '$a'}, mean: {$avg: '$a'}, most: {$max: '$b'}}");
        BsonDocument row = BsonDocument.parse("{_id: {s: 1}, n: 2, mean: 3, most: 4}");

        BsonDocument formed = spec.withFieldValues(row, (path, value) -> new BsonString(path));

        assertThat(formed).isEqualTo(BsonDocument.parse("{_id: {s: 'shelf'}, n: 2, mean: 3, most: 'b'}"));
        assertThat(spec.withFieldValues(BsonDocument.parse("{_id: {}}"), (path, value) -> value))
                .isEqualTo(BsonDocument.parse("{_id: {}}"));
    }
}
