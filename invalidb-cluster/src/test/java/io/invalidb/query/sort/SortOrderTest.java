package io.invalidb.query.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.RandomBson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SortOrderTest {

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{} ~ [{_id: 1}, {_id: 2}]",
                "{_id: -1} ~ [{_id: 2}, {_id: 1}]",
                "{a: 1} ~ [{a: {$minKey: 1}}, {a: []}, {a: null, _id: 1}, {_id: 2}, {a: 1}, {a: 'x'}, {a: true}]",
                "{a: -1} ~ [{a: true}, {a: 'x'}, {a: 1}, {a: null, _id: 1}, {_id: 2}, {a: []}]",
                "{a: 1} ~ [{a: [5, 1]}, {a: 2}, {a: [3, 9]}]",
                "{a: -1} ~ [{a: [3, 9]}, {a: [5, 1]}, {a: 2}]",
                "{'a.b': 1} ~ [{a: 7}, {a: {b: 1}}, {a: [{b: 9}, {b: 2}]}, {a: {b: [3, 4]}}]",
                "{'a.1': 1} ~ [{a: [9]}, {a: [9, 1]}, {a: [1, 2]}]",
                "{a: 1, b: -1} ~ [{a: 1, b: 2}, {a: 1, b: 1}, {a: 2, b: 9}]",
                "{a: 1} ~ [{a: '\\uFFFD'}, {a: '\\uD83D\\uDE00'}]"
            })
    void compare_shuffledDocuments_areSortedAgain(String sort, String sorted) {
        List<BsonValue> expected = BsonArray.parse(sorted);
        List<BsonDocument> documents =
                new ArrayList<>(expected.stream().map(BsonValue::asDocument).toList());
        Collections.shuffle(documents, new Random(1));

        documents.sort(parse(sort));

        assertThat(documents).isEqualTo(expected);
    }

    @Test
    void sortKey_positionsInNestedArrays_exceedsTheBudgetWhereWaysMultiply() {
        BsonArray innermost = new BsonArray(Collections.nCopies(300, new BsonInt32(1)));
        BsonArray inner = new BsonArray(Collections.nCopies(300, new BsonDocument("c", innermost)));
        BsonArray outer = new BsonArray(Collections.nCopies(300, new BsonDocument("b", inner)));
        SortOrder order = parse("{'a.0.b.0.c': 1}");

        assertThatThrownBy(() -> order.sortKey(new BsonDocument("a", outer)))
                .isInstanceOf(BudgetExceededException.class);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void compare_anyDocuments_isATotalOrder(long seed) {
        RandomBson random = new RandomBson(seed);
        BsonDocument sort = new BsonDocument();
        IntStream.range(0, 2).forEach(i -> sort.put(random.path(), new BsonInt32(random.chance(50) ? 1 : -1)));
        SortOrder order = SortOrder.parse(sort);
        List<BsonDocument> documents = IntStream.range(0, 8)
                .mapToObj(i -> random.document().append("_id", new BsonInt32(i)))
                .toList();

        for (BsonDocument a : documents) {
            for (BsonDocument b : documents) {
                assertThat(sign(order, a, b)).isEqualTo(-sign(order, b, a));
                assertThat(sign(order, a, b) == 0).isEqualTo(a.equals(b));
                assertThat(documents)
                        .noneMatch(c -> sign(order, a, b) < 0 && sign(order, b, c) < 0 && sign(order, a, c) >= 0);
            }
        }
    }

    private static int sign(SortOrder order, BsonDocument one, BsonDocument other) {
        return Integer.signum(order.compare(one, other));
    }

    @Test
    void isById_onlyIdAscendingDecides_isTrue() {
        assertThat(parse("{}")).isEqualTo(SortOrder.BY_ID);
        assertThat(parse("{_id: 1, a: 1}")).isEqualTo(SortOrder.BY_ID);
        assertThat(parse("{_id: 1}").isById()).isTrue();
        assertThat(parse("{a: 1}").isById()).isFalse();
        assertThat(parse("{_id: -1}").isById()).isFalse();
    }

    @Test
    void toBson_directionsOfAnyNumberType_areIntegers() {
        assertThat(parse("{a: -1.0, b: {$numberLong: '1'}, _id: 1}").toBson())
                .isEqualTo(BsonDocument.parse("{a: -1, b: 1}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{a: 0}", "{a: 2}", "{a: 'asc'}", "{a: 1.5}", "{a: true}", "{'': 1}", "{'a..b': 1}"})
    void parse_malformed_isSyntaxError(String sort) {
        assertThatThrownBy(() -> parse(sort)).isInstanceOf(QuerySyntaxException.class);
    }

    @Test
    void parse_textScore_isNotSupported() {
        assertThatThrownBy(() -> parse("{a: {$meta: 'textScore'}}")).isInstanceOf(QueryNotSupportedException.class);
    }

    @Test
    void parse_moreThan32Keys_isSyntaxError() {
        BsonDocument sort = new BsonDocument();
        IntStream.rangeClosed(0, 32).forEach(i -> sort.put("f" + i, new BsonInt32(1)));

        assertThatThrownBy(() -> SortOrder.parse(sort)).isInstanceOf(QuerySyntaxException.class);
    }

    private static SortOrder parse(String sort) {
        return SortOrder.parse(BsonDocument.parse(sort));
    }

    /** It counts as a whole for each of its elements, and is not compared with itself for each. */
    @Test
    @Timeout(120)
    void sortKey_largeArrayInAnArray_isFound() {
        BsonArray inner = new BsonArray();
        IntStream.range(0, 60_000).forEach(i -> inner.add(new BsonInt32(i)));
        BsonDocument document = new BsonDocument("a", new BsonArray(List.of(inner)));
        SortOrder order = SortOrder.parse(BsonDocument.parse("{'a.0': 1}"));

        assertThat(order.sortKey(document)).isEqualByComparingTo(order.sortKey(document));
    }
}
