package io.invalidb.matching.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.cell.FilterCell;
import io.invalidb.matching.cell.RetentionLimits;
import io.invalidb.matching.selectivity.AccessPredicate;
import io.invalidb.matching.selectivity.DocumentSample;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.filter.PathConstraint;
import io.invalidb.query.value.OrderPrefix;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/**
 * Thousands of paths into one large array: each takes some 40,000 steps through all of it, and the
 * budget of a cell is 100 million.
 */
final class CostlyPathsTest {

    private static final int MANY = 4_000;
    private static final int SPARED = 2_500;
    private static final BsonDocument LIST = list();

    private final List<FailedQuery> failures = new ArrayList<>();
    private final FilterCell cell = new FilterCell(new RetentionLimits(Duration.ofSeconds(10), 100), failures::add);
    private long version;

    @Test
    void onWrite_queriesOnAsManyPaths_theyEndAndOthersGoOn() {
        subscribe("honest", "{n: 5}");
        for (int i = 0; i < MANY; i++) {
            subscribe("costly" + i, "{'list.v" + i + "': 7}");
        }

        assertThat(matchedIds(LIST)).containsExactly("honest");
        assertThat(failures).hasSizeBetween(MANY - SPARED - 10, MANY - SPARED + 10);
        assertThat(matchedIds(LIST)).containsExactly("honest");
        assertThat(failures)
                .hasSize(MANY)
                .noneMatch(failed -> failed.query().id().equals("honest"));
    }

    /** Together they may take as long as each of them alone would. */
    @Test
    void onWrite_manyQueriesShareAPath_doNotEndForTheSakeOfOthers() {
        for (int i = 0; i < 100; i++) {
            subscribe("tag" + i, "{tags: 'tag" + i + "'}");
        }
        for (int i = 0; i < MANY; i++) {
            subscribe("costly" + i, "{'list.v" + i + "': 7}");
        }
        assertThat(matchedIds(LIST)).isEmpty();
        assertThat(matchedIds(LIST)).isEmpty();

        BsonArray tags = new BsonArray();
        IntStream.range(0, 40_000).forEach(i -> tags.add(new BsonString("tag" + (50 + i % 100))));

        assertThat(matchedIds(new BsonDocument("tags", tags))).hasSize(50);
        assertThat(failures).noneMatch(failed -> failed.query().id().startsWith("tag"));
    }

    @Test
    void find_waysToThoseWithAFurtherConstraint_areBoundedTogether() {
        PathIndex values = new PathIndex("n");
        for (int i = 0; i < MANY; i++) {
            IndexedFilter indexedFilter = new CellQuery(new QuerySpec("q" + i, "B", Filter.ALL), Map.of());
            PathConstraint further = constraint("{'list.v" + i + "': 7}");
            indexedFilter.setRegistration(values.add(constraint("{n: 5}"), indexedFilter, further));
        }
        List<IndexedFilter> found = new ArrayList<>();

        values.find(document(LIST), found::add, new PeriodicStepBudget());

        assertThat(found).hasSizeBetween(MANY - SPARED - 10, MANY - SPARED + 10);
    }

    @Test
    void touch_manyPathsOfGuards_areBoundedTogether() {
        PeriodicStepBudget periodicStepBudget = new PeriodicStepBudget();
        long seven = OrderPrefix.of(new BsonInt32(7));

        long passed = IntStream.range(0, MANY)
                .filter(i -> new DocumentKeyRange("list.v" + i, periodicStepBudget).overlaps(seven, seven, 1, LIST))
                .count();

        assertThat(passed).isBetween(MANY - SPARED - 10L, MANY - SPARED + 10L);
    }

    /** Estimates on the sample are charged to a budget of their own. */
    @Test
    void subscribe_manyPathsIntoTheSample_takesNothingFromFilters() {
        subscribe("costly", "{'list.v': 7}");
        IntStream.range(0, 256).forEach(i -> assertThat(matchedIds(shortList())).isEmpty());
        for (int i = 0; i < MANY; i++) {
            subscribe("many" + i, "{'few.v" + i + "': 7}");
            cell.unsubscribe("many" + i);
        }

        assertThat(matchedIds(LIST)).isEmpty();
        assertThat(failures).isEmpty();
    }

    private static BsonDocument shortList() {
        BsonArray list = new BsonArray();
        IntStream.range(0, 40).forEach(i -> list.add(new BsonDocument("n", new BsonInt32(i))));
        return new BsonDocument("few", list);
    }

    private void subscribe(String id, String filter) {
        QuerySpec query = new QuerySpec(id, "B", Filter.parse(BsonDocument.parse(filter)));
        assertThat(cell.subscribe(query, new StreamPosition(0), Map.of())).isEmpty();
    }

    private List<String> matchedIds(BsonDocument fields) {
        return cell.onWrite(++version, upsert(fields), Instant.EPOCH).stream()
                .map(MatchEvent::queryId)
                .toList();
    }

    private WriteEvent upsert(BsonDocument fields) {
        return new WriteEvent.Upsert(
                "B", "a", new VersionStamp(1, version + 1), WriteOperation.UPDATE, document(fields));
    }

    private static BsonDocument document(BsonDocument fields) {
        BsonDocument document = new BsonDocument("n", new BsonInt32(5));
        document.putAll(fields);
        return document;
    }

    private static PathConstraint constraint(String filter) {
        return AccessPredicate.of(
                        Filter.parse(BsonDocument.parse(filter)).necessaryCondition(),
                        new DocumentSample(PeriodicStepBudget.forEstimates()),
                        1)
                .orElseThrow()
                .anyOf()
                .get(0);
    }

    private static BsonDocument list() {
        BsonArray list = new BsonArray();
        IntStream.range(0, 20_000).forEach(i -> list.add(new BsonDocument("n", new BsonInt32(i))));
        return new BsonDocument("list", list);
    }
}
