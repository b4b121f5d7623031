package io.invalidb.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.text.IndexWordExtractor;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConstraintsTest {

    @Test
    void constraints_equalityAndIn_areOneOf() {
        assertThat(of("{a: 1, b: {$in: [2, null]}}"))
                .containsExactlyInAnyOrder(oneOf("a", "[1]"), oneOf("b", "[null, 2]"));
    }

    @Test
    void constraints_twoBounds_areTwoRanges() {
        assertThat(of("{a: {$gt: 5, $lt: 10}}"))
                .containsExactlyInAnyOrder(range("a", "[5]", "[]"), range("a", "[]", "[10]"));
    }

    @Test
    void constraints_twoBoundsOfOneElement_areOneRange() {
        assertThat(of("{a: {$elemMatch: {$gt: 5, $lt: 10}}}")).containsExactly(range("a", "[5]", "[10]"));
    }

    @Test
    void constraints_documentsOfAnArray_haveTheLongerPath() {
        assertThat(of("{a: {$elemMatch: {b: 1, c: null}}}")).containsExactly(oneOf("a.b", "[1]"));
    }

    @Test
    void constraints_belowAnd_areFound() {
        assertThat(of("{$and: [{a: 1}, {$and: [{'b.c': 2}]}]}"))
                .containsExactlyInAnyOrder(oneOf("a", "[1]"), oneOf("b.c", "[2]"));
    }

    @Test
    void constraints_anchoredPrefix_isARangeOfText() {
        assertThat(of("{a: /^ab.*c/}")).containsExactly(range("a", "['ab']", "['ac']"));
    }

    @Test
    void constraints_prefixAtTheEndOfTheAlphabet_carries() {
        String last = Character.toString(Character.MAX_CODE_POINT);
        BsonDocument filter = new BsonDocument("a", BsonDocument.parse("{$regex: '^b" + last + "'}"));

        assertThat(SortedLookups.of(Filter.parse(filter)))
                .containsExactly(new PathConstraint.Range("a", new BsonString("b" + last), new BsonString("c")));
    }

    @Test
    void constraints_notLessThanNull_isNullOrAbsent() {
        assertThat(of("{a: {$gte: null}}")).containsExactly(oneOf("a", "[null]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{$or: [{a: 1}, {b: 1}]}",
                "{a: {$ne: 1}}",
                "{'a.0': 1}",
                "{a: [1]}",
                "{a: {$in: [[1]]}}",
                "{a: {$in: [1, /x/]}}",
                "{a: {$gt: {$minKey: 1}}}",
                "{a: {$gte: {$numberDouble: 'NaN'}}}",
                "{a: /^ab/i}",
                "{a: /^ab|c/}",
                "{a: /ab/}",
                "{a: /^a?/}",
                "{a: {$exists: true}}"
            })
    void constraints_nothingToLookUp_areNone(String filter) {
        assertThat(of(filter)).isEmpty();
    }

    @Test
    void lookups_search_areTheWordsThatAnIndexHolds() {
        Filter filter = Filter.parse(BsonDocument.parse("{$text: {$search: 'The running Houses -cat \"blue car\"'}}"));

        assertThat(filter.lookupCondition())
                .isEqualTo(new NecessaryCondition.Words(Set.of("run", "hous", "blue", "car")));
        assertThat(filter.necessaryCondition()).isEqualTo(NecessaryCondition.NONE);
        assertThat(IndexWordExtractor.of(BsonDocument.parse("{_id: 'x', a: {b: ['My car', 7]}, language: 'none'}")))
                .containsExactlyInAnyOrder("my", "car");
    }

    private static List<PathConstraint> of(String filter) {
        return SortedLookups.of(Filter.parse(BsonDocument.parse(filter)));
    }

    private static PathConstraint oneOf(String path, String values) {
        return new PathConstraint.OneOf(path, List.copyOf(BsonArray.parse(values)));
    }

    private static PathConstraint range(String path, String lower, String upper) {
        return new PathConstraint.Range(path, bound(lower), bound(upper));
    }

    private static @Nullable BsonValue bound(String oneOrNone) {
        return BsonArray.parse(oneOrNone).stream().findFirst().orElse(null);
    }
}
