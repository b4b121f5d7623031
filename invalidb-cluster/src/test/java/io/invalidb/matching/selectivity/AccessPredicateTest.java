package io.invalidb.matching.selectivity;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.filter.PathConstraint;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AccessPredicateTest {

    private final PeriodicStepBudget estimates = PeriodicStepBudget.forEstimates();
    private final DocumentSample documentSample = new DocumentSample(estimates);

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{a: 1, b: {$gt: 1}}                       ~ a",
                "{a: {$gt: 1, $lt: 5}, b: {$gt: 1}}        ~ a",
                "{a: {$lt: 1}, b: /^abc/}                  ~ b",
                "{a: {$gt: 1}, b: {$geoWithin: {$box: [[0, 0], [1, 1]]}}} ~ b",
                "{a: {$ne: 1}, b: {$gte: 1}}               ~ b",
                "{a: {$elemMatch: {x: 1}}, b: {$gt: 1}}    ~ a.x",
                "{a: {$all: [[1, 2]]}, b: {$gt: 1}}        ~ a",
                "{$or: [{a: 1}, {b: /^x/}]}                ~ a,b",
                "{$or: [{a: 1}, {b: 2, c: {$gt: 1}}], d: {$gt: 1}} ~ a,b",
                "{a: {$in: [1, /^x/]}}                     ~ a,a",
                "{c: 1, $or: [{a: 1}, {b: /^x/}]}          ~ c"
            })
    void of_nothingWritten_goesByTheKindOfCondition(String filter, String paths) {
        assertThat(paths(filter)).containsExactly(paths.split(","));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{a: {$ne: 1}}",
                "{$or: [{a: 1}, {b: {$ne: 1}}]}",
                "{$nor: [{a: 1}]}",
                "{a: {$in: [1, /x/]}}",
                "{'a.0': 1}",
                "{a: {$near: [1, 1]}}",
                "{$expr: {$eq: ['$a', 1]}}"
            })
    void of_everyDocumentMayMatch_isNone(String filter) {
        assertThat(AccessPredicate.of(Filter.parse(BsonDocument.parse(filter)).necessaryCondition(), documentSample, 1))
                .isEmpty();
    }

    @Test
    void of_filterThatMatchesNothing_isWithoutConstraints() {
        assertThat(paths("{a: {$in: []}}")).isEmpty();
    }

    @Test
    void of_equalityThatMostDocumentsSatisfy_isTheRange() {
        write("{a: 1, b: %s}");

        assertThat(paths("{a: 1, b: {$gt: 10, $lt: 20}}")).containsExactly("b");
        assertThat(paths("{a: 2, b: {$gt: 10, $lt: 200}}")).containsExactly("a");
    }

    @Test
    void of_severalBounds_isTheOneThatFewerDocumentsSatisfy() {
        write("{a: %s, b: %s}");

        assertThat(paths("{a: {$gt: 10}, b: {$gt: 290}}")).containsExactly("b");
        assertThat(paths("{a: {$lt: 10}, b: {$lt: 290}}")).containsExactly("a");
    }

    @Test
    void of_elementsOfArrays_areCounted() {
        write("{a: ['x', 'y', 'z'], b: %s}");

        assertThat(paths("{a: 'y', b: {$gte: 5}}")).containsExactly("b");
        assertThat(paths("{a: 'other', b: {$gte: 5}}")).containsExactly("a");
    }

    @Test
    void of_textsAndPlaces_areCounted() {
        write("{a: 'same', b: %s, c: [1, 1]}");

        assertThat(paths("{a: /^sa/, b: {$gt: 290}}")).containsExactly("b");
        assertThat(paths("{a: /^xa/, b: {$gt: 290}}")).containsExactly("a");
        assertThat(paths("{b: {$gt: 290}, c: {$geoWithin: {$box: [[0, 0], [2, 2]]}}}"))
                .containsExactly("b");
        assertThat(paths("{b: {$gt: 290}, c: {$geoWithin: {$box: [[5, 5], [7, 7]]}}}"))
                .containsExactly("c");
    }

    @Test
    void of_manyFilters_isASharedValueAndWhatTellsApartThoseWithIt() {
        writeThirds();

        AccessPredicate accessPredicate = access("{a: 'same', b: {$gt: 270}, c: {$lt: 90}}", 10_000);

        assertThat(accessPredicate.anyOf()).extracting(PathConstraint::path).containsExactly("a");
        assertThat(accessPredicate.further()).extracting(PathConstraint::path).isEqualTo("b");
        assertThat(accessPredicate.prefilter()).extracting(PathConstraint::path).isEqualTo("c");
    }

    @Test
    void of_fewFilters_isOneConstraint() {
        writeThirds();

        AccessPredicate accessPredicate = access("{a: 'same', b: {$gt: 270}}", 10);

        assertThat(accessPredicate.anyOf()).extracting(PathConstraint::path).containsExactly("b");
        assertThat(accessPredicate.further()).isNull();
    }

    @Test
    void of_manyFiltersWithAValueThatAllHave_isOneConstraint() {
        write("{a: 'same', b: %s}");

        assertThat(access("{a: 'same', b: {$gt: 270}}", 10_000).further()).isNull();
    }

    @Test
    void of_documentsThatChange_followsThem() {
        write("{a: 1, b: 1}");
        IntStream.range(0, 20).forEach(i -> write("{a: %s, b: 1}"));

        assertThat(paths("{a: 1, b: 1}")).containsExactly("a");
    }

    /**
     * Each path takes some 120,000 steps through the sample; the budget for all of them is 10
     * million.
     */
    @Test
    void share_thousandsOfPathsIntoArrays_fewAreLookedAtUntilRenewed() {
        IntStream.range(0, 256).forEach(i -> documentSample.offer(list()));

        assertThat(known(0, 4_000)).hasSizeBetween(50, 150).startsWith(0, 1, 2);
        assertThat(known(4_000, 8_000)).isEmpty();

        estimates.renew();
        assertThat(known(8_000, 12_000)).hasSizeBetween(50, 150).startsWith(8_000, 8_001, 8_002);
    }

    /** Numbers of the paths for which the sample showed that no object has them. */
    private List<Integer> known(int from, int to) {
        return IntStream.range(from, to)
                .filter(i -> documentSample.selectivity(access("{'list.v%d': null}".formatted(i), 1)
                                .anyOf()
                                .get(0))
                        > 0.5)
                .boxed()
                .toList();
    }

    private static BsonDocument list() {
        BsonArray list = new BsonArray();
        IntStream.range(0, 40).forEach(i -> list.add(new BsonDocument("n", new BsonInt32(i))));
        return new BsonDocument("list", list);
    }

    /** Writes documents of which one in three has the value. */
    private void writeThirds() {
        IntStream.range(0, 100).forEach(i -> List.of("same", "other", "another")
                .forEach(a -> documentSample.offer(
                        BsonDocument.parse("{a: '%s', b: %d, c: %d}".formatted(a, 3 * i, 3 * i)))));
    }

    /** Writes three hundred documents. */
    private void write(String document) {
        IntStream.range(0, 300)
                .mapToObj(i -> BsonDocument.parse(document.replace("%s", Integer.toString(i))))
                .forEach(documentSample::offer);
    }

    private List<String> paths(String filter) {
        return access(filter, 1).anyOf().stream().map(PathConstraint::path).toList();
    }

    private AccessPredicate access(String filter, int filters) {
        return AccessPredicate.of(
                        Filter.parse(BsonDocument.parse(filter)).necessaryCondition(), documentSample, filters)
                .orElseThrow();
    }
}
