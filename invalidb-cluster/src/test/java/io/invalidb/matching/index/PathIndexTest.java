package io.invalidb.matching.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.selectivity.AccessPredicate;
import io.invalidb.matching.selectivity.DocumentSample;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.filter.PathConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PathIndexTest {

    private final PathIndex values = new PathIndex("a");

    /** There may be thousands of filters, and a document with thousands of values. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{a: 'x'} ~ {a: ['x', 'y', 'x', 'x']}",
                "{a: {$in: ['x', 'y']}} ~ {a: ['x', 'x', 'x']}",
                "{a: /^x/} ~ {a: ['x1', 'x2', 'x3']}",
                "{a: {$geoWithin: {$box: [[1.1, 1.1], [1.2, 1.2]]}}} ~ {a: [[1.1, 1.1], [1.1, 1.1], [1.1, 1.1]]}"
            })
    void find_manyValuesThatLeadToOnePlace_looksThereOnce(String filter, String document) {
        Filter parsed = Filter.parse(BsonDocument.parse(filter));
        IndexedFilter indexedFilter = new CellQuery(new QuerySpec("q", "Test", parsed), Map.of());
        PathConstraint constraint = AccessPredicate.of(
                        parsed.necessaryCondition(), new DocumentSample(PeriodicStepBudget.forEstimates()), 1)
                .orElseThrow()
                .anyOf()
                .get(0);
        indexedFilter.setRegistration(values.addSole(constraint, indexedFilter, null));

        List<IndexedFilter> found = new ArrayList<>();
        values.find(BsonDocument.parse(document), found::add, new PeriodicStepBudget());

        assertThat(found).containsExactly(indexedFilter);
    }
}
