package io.invalidb.matching.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.HostileTexts;
import io.invalidb.matching.QuerySpec;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortHorizon;
import io.invalidb.query.sort.SortOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

final class FilterCellTest {

    private static final StreamPosition START = new StreamPosition(0);

    private final CountedEffort effort = new CountedEffort();
    private final FilterCell cell =
            new FilterCell(new RetentionLimits(Duration.ofSeconds(10), 3, 10_000), 0, this::noteFailure, effort);
    private final List<FailedQuery> failures = new ArrayList<>();
    private long sequence = 0;
    private Instant now = Instant.EPOCH;

    @Test
    void onWrite_objectStartsToMatch_isAdd() {
        var unused = cell.subscribe(positive("q"), START, Map.of());

        assertThat(types(on(write("a", 1, 5)))).containsExactly(MatchType.ADD);
    }

    @Test
    void onWrite_objectGoesOnMatching_isChange() {
        var unused = cell.subscribe(positive("q"), START, Map.of("a", stamp(1)));

        assertThat(types(on(write("a", 2, 5)))).containsExactly(MatchType.CHANGE);
    }

    @Test
    void onWrite_objectStopsMatching_isRemove() {
        var unused = cell.subscribe(positive("q"), START, Map.of("a", stamp(1)));

        assertThat(types(on(write("a", 2, -5)))).containsExactly(MatchType.REMOVE);
    }

    @Test
    void releaseObjects_stateThatIsHeld_isNotMissedWhenItLeavesAndNewWhenItReturns() {
        var unused = cell.subscribe(positive("q"), START, Map.of("a", stamp(1), "b", stamp(1)));

        cell.releaseObjects("q", Map.of("a", stamp(1)));

        assertThat(on(write("a", 2, -5))).isEmpty();
        assertThat(types(on(write("a", 3, 5)))).containsExactly(MatchType.ADD);
        assertThat(types(on(write("b", 2, 5)))).containsExactly(MatchType.CHANGE);
    }

    @Test
    void releaseObjects_stateThatWasWrittenMeanwhile_isKept() {
        var unused = cell.subscribe(positive("q"), START, Map.of("a", stamp(1)));
        assertThat(on(write("a", 2, 5))).hasSize(1);

        cell.releaseObjects("q", Map.of("a", stamp(1)));
        cell.releaseObjects("unknown", Map.of("a", stamp(1)));

        assertThat(types(on(write("a", 3, -5)))).containsExactly(MatchType.REMOVE);
    }

    @Test
    void onWrite_deletion_isRemove() {
        var unused = cell.subscribe(positive("q"), START, Map.of("a", stamp(1)));

        assertThat(types(on(new WriteEvent.Delete("Todo", "a", stamp(2))))).containsExactly(MatchType.REMOVE);
    }

    @Test
    void onWrite_neverMatched_isNothing() {
        var unused = cell.subscribe(positive("q"), START, Map.of());

        assertThat(on(write("a", 1, -5))).isEmpty();
    }

    @Test
    void onWrite_filterExceedsItsBudget_endsThatQueryAlone() {
        QuerySpec expensive =
                new QuerySpec("q", "Todo", Filter.parse(BsonDocument.parse("{t: {$regex: '[ab]{900}c'}}")));
        var unused = cell.subscribe(expensive, START, Map.of("a", stamp(1)));
        var unusedToo = cell.subscribe(positive("other"), START, Map.of());

        List<MatchEvent> events = on(longText("a", 2));
        List<MatchEvent> later = on(longText("a", 3));

        assertThat(failures).singleElement().satisfies(failed -> {
            assertThat(failed.query()).isSameAs(expensive);
            assertThat(failed.cause()).isInstanceOf(BudgetExceededException.class);
        });
        assertThat(events).extracting(MatchEvent::queryId).containsExactly("other");
        assertThat(later).extracting(MatchEvent::queryId).containsExactly("other");
    }

    @Test
    void subscribe_filterExceedsItsBudgetInTheReplay_fails() {
        onAll(longText("a", 1));
        QuerySpec expensive =
                new QuerySpec("q", "Todo", Filter.parse(BsonDocument.parse("{t: {$regex: '[ab]{900}c'}}")));

        assertThatThrownBy(() -> cell.subscribe(expensive, START, Map.of()))
                .isInstanceOf(BudgetExceededException.class);
        assertThat(on(write("a", 2, 5))).isEmpty();
    }

    @Test
    void onWrite_always_tellsWhatItTook() {
        var unused = cell.subscribe(positive("q"), START, Map.of());
        assertThat(on(write("a", 1, 5))).hasSize(1);
        assertThat(on(write("b", 1, -5))).isEmpty();
        assertThat(on(new WriteEvent.Delete("Elsewhere", "c", stamp(1)))).isEmpty();
        assertThat(on(write("a", 1, 5))).isEmpty();

        assertThat(effort.sum()).isEqualTo(new CountedEffort.Sum(4, 1, 1, 1));

        cell.unsubscribe("q");
        assertThat(effort.sum()).isEqualTo(new CountedEffort.Sum(4, 1, 1, 1));
    }

    @Test
    void onWrite_equalFilters_areEvaluatedOnce() {
        for (String id : List.of("p", "q", "r")) {
            var unused = cell.subscribe(positive(id), START, Map.of());
        }
        cell.unsubscribe("p");

        List<MatchEvent> events = on(write("a", 1, 5));

        assertThat(events).extracting(MatchEvent::queryId).containsExactlyInAnyOrder("q", "r");
        assertThat(effort.sum()).isEqualTo(new CountedEffort.Sum(1, 1, 1, 2));
    }

    @Test
    void onWrite_filtersOnOneObjectWithItsFieldsInAnotherOrder_matchOneEach() {
        for (String value : List.of("{x: 1, y: 2}", "{y: 2, x: 1}")) {
            Filter filter = Filter.parse(BsonDocument.parse("{t: " + value + "}"));
            var unused = cell.subscribe(new QuerySpec(value, "Todo", filter), START, Map.of());
        }

        List<MatchEvent> events = on(withText("a", 1, BsonDocument.parse("{y: 2, x: 1}")));

        assertThat(events).extracting(MatchEvent::queryId).containsExactly("{y: 2, x: 1}");
    }

    @Test
    void onWrite_valuesOfManyFiltersHaveOneHashCode_meetsThoseThatAreEqualOnly() {
        List<String> alike = HostileTexts.some(4_096);
        for (String text : alike) {
            Filter filter = Filter.parse(new BsonDocument("t", new BsonString(text)));
            var unused = cell.subscribe(new QuerySpec(text, "Todo", filter), START, Map.of());
        }

        List<MatchEvent> events = on(withText("a", 1, new BsonString(alike.get(7))));

        assertThat(events).extracting(MatchEvent::queryId).containsExactly(alike.get(7));
        assertThat(effort.sum()).isEqualTo(new CountedEffort.Sum(1, 1, 1, 1));
    }

    @Test
    void setHorizon_objectsThatComeInBehind_areNotToldUntilTheyComeBefore() {
        var unused = cell.subscribe(positive("q"), START, Map.of());
        cell.setHorizon("q", horizon(5));

        assertThat(on(write("a", 1, 6))).isEmpty();
        assertThat(on(write("a", 2, 7))).isEmpty();
        assertThat(on(write("b", 1, 6))).isEmpty();
        assertThat(on(new WriteEvent.Delete("Todo", "b", stamp(2)))).isEmpty();
        assertThat(types(on(write("a", 3, 4)))).containsExactly(MatchType.ADD);
    }

    @Test
    void setHorizon_objectsThatTieWithTheHorizon_areToldIfTheirIdsDoNotComeLater() {
        var unused = cell.subscribe(positive("q"), START, Map.of());
        cell.setHorizon("q", horizon(5));

        assertThat(on(withText("z", 1, new BsonString("")))).isEmpty();
        assertThat(on(withText("a", 1, new BsonString("")))).hasSize(1);
        assertThat(on(withText("m", 1, new BsonString("")))).hasSize(1);
    }

    @Test
    void setHorizon_objectOfTheResultGoesBehind_isReportedAndRememberedUntilItIsForgotten() {
        var unused = cell.subscribe(positive("q"), START, Map.of("a", stamp(1)));
        cell.setHorizon("q", horizon(5));

        assertThat(types(on(write("a", 2, 9)))).containsExactly(MatchType.CHANGE);
        assertThat(types(on(write("a", 3, 8)))).containsExactly(MatchType.CHANGE);
        cell.releaseObjects("q", Map.of("a", stamp(3)));
        assertThat(on(write("a", 4, 7))).isEmpty();
    }

    @Test
    void setHorizon_oneOfTwoQueriesWithOneFilter_sparesThatOne() {
        for (String id : List.of("p", "q")) {
            var unused = cell.subscribe(positive(id), START, Map.of());
        }
        cell.setHorizon("q", horizon(5));

        assertThat(on(write("a", 1, 6))).extracting(MatchEvent::queryId).containsExactly("p");
    }

    /** Returns the horizon whose last object has that n and the id m. */
    private static SortHorizon horizon(int n) {
        SortOrder order = SortOrder.parse(BsonDocument.parse("{n: 1}"));
        return new SortHorizon(order, order.sortKey(BsonDocument.parse("{_id: 'm', n: " + n + "}")));
    }

    @Test
    void onWrite_filterOfSeveralQueriesFails_endsAllOfThem() {
        Filter expensive = Filter.parse(BsonDocument.parse("{t: {$regex: '[ab]{900}c'}}"));
        var unused = cell.subscribe(new QuerySpec("p", "Todo", expensive), START, Map.of());
        var unusedToo = cell.subscribe(new QuerySpec("q", "Todo", expensive), START, Map.of());
        onAll(longText("a", 2));

        assertThat(on(longText("a", 3))).isEmpty();
        assertThat(failures).extracting(failed -> failed.query().id()).containsExactlyInAnyOrder("p", "q");
    }

    @Test
    void onWrite_queriesEnteredByAConditionThatAllWritesMeet_areSoonFoundByAnother() {
        int queries = 200;
        for (int i = 0; i < queries; i++) {
            String filter = "{m: {$gte: 0, $lt: 9}, n: {$gte: %d, $lt: %d}}".formatted(i, i + 1);
            var unused = cell.subscribe(
                    new QuerySpec("q" + i, "Todo", Filter.parse(BsonDocument.parse(filter))), START, Map.of());
        }
        onAll(withM("first", 1, 0));
        assertThat(effort.sum().candidates()).isEqualTo(queries);

        for (int i = 0; i < 100; i++) {
            onAll(withM("a" + i, 1, i));
        }

        long before = effort.sum().candidates();
        List<MatchEvent> events = on(withM("last", 1, 7));
        assertThat(events).extracting(MatchEvent::queryId).containsExactly("q7");
        assertThat(effort.sum().candidates() - before).isLessThan(10);
    }

    @Test
    void onWrite_secondConditionIsNotMet_isReportedWithoutTheFilter() {
        Filter filter = Filter.parse(BsonDocument.parse("{m: {$gte: 5, $lt: 6}, n: {$gte: 1, $lt: 3}}"));
        var unused = cell.subscribe(new QuerySpec("q", "Todo", filter), START, Map.of());

        assertThat(on(withM("a", 1, 7))).isEmpty();
        assertThat(effort.sum()).isEqualTo(new CountedEffort.Sum(1, 1, 0, 0));
        assertThat(types(on(withM("a", 2, 2)))).containsExactly(MatchType.ADD);
        assertThat(types(on(withM("a", 3, 7)))).containsExactly(MatchType.REMOVE);
        assertThat(effort.sum()).isEqualTo(new CountedEffort.Sum(3, 3, 1, 2));
    }

    private static WriteEvent withM(String id, long version, int n) {
        BsonDocument after = new BsonDocument("m", new BsonInt32(5)).append("n", new BsonInt32(n));
        return new WriteEvent.Upsert("Todo", id, stamp(version), WriteOperation.UPDATE, after);
    }

    @Test
    void onWrite_otherBucket_isNothing() {
        var unused = cell.subscribe(new QuerySpec("q", "Other", Filter.ALL), START, Map.of());

        assertThat(on(write("a", 1, 5))).isEmpty();
    }

    @Test
    void onWrite_lateWriteOfObjectThatLeft_isIgnored() {
        var unused = cell.subscribe(positive("q"), START, Map.of());
        onAll(write("a", 2, -5));

        assertThat(on(write("a", 1, 5))).isEmpty();
    }

    @Test
    void onWrite_sameWriteTwice_isIgnored() {
        var unused = cell.subscribe(positive("q"), START, Map.of());
        onAll(write("a", 1, 5));

        assertThat(on(write("a", 1, 5))).isEmpty();
    }

    @Test
    void onWrite_writeThatTheResultKnows_isIgnored() {
        var unused = cell.subscribe(positive("q"), START, Map.of("a", stamp(3)));

        assertThat(on(write("a", 2, -5))).isEmpty();
    }

    @Test
    void onWrite_insertedAgain_isLaterThanTheDeletion() {
        var unused = cell.subscribe(positive("q"), START, Map.of("a", stamp(7)));
        onAll(new WriteEvent.Delete("Todo", "a", stamp(8)));

        assertThat(types(on(upsert("a", new VersionStamp(2, 1), 5)))).containsExactly(MatchType.ADD);
        assertThat(on(upsert("a", new VersionStamp(1, 6), 5))).isEmpty();
    }

    @Test
    void subscribe_severalWritesOfOneObject_replaysOnlyTheLast() {
        onAll(write("a", 1, 5), write("a", 2, -5));

        assertThat(cell.subscribe(positive("q"), START, Map.of())).isEmpty();
    }

    @Test
    void subscribe_writesSince_areReplayedAgainstTheResult() {
        onAll(write("a", 2, 5), write("b", 2, -5), write("c", 1, 5));

        List<MatchEvent> replayed = cell.subscribe(positive("q"), START, Map.of("a", stamp(1), "b", stamp(1)));

        assertThat(types(replayed)).containsExactly(MatchType.CHANGE, MatchType.REMOVE, MatchType.ADD);
    }

    @Test
    void subscribe_writesBeforeThePosition_areNotReplayed() {
        List<MatchEvent> before = on(write("a", 1, 5));

        assertThat(cell.subscribe(positive("q"), new StreamPosition(sequence), Map.of()))
                .isEqualTo(before);
    }

    @Test
    void subscribe_moreWritesThanRetained_fails() {
        onAll(write("a", 1, 5), write("b", 1, 5), write("c", 1, 5), write("d", 1, 5));

        assertThatThrownBy(() -> cell.subscribe(positive("q"), START, Map.of()))
                .isInstanceOf(RetentionExceededException.class);
        assertThat(cell.subscribe(positive("q"), new StreamPosition(1), Map.of()))
                .hasSize(3);
    }

    @Test
    void subscribe_writesOlderThanRetained_fails() {
        onAll(write("a", 1, 5));
        now = now.plusSeconds(11);
        onAll(write("b", 1, 5));

        assertThatThrownBy(() -> cell.subscribe(positive("q"), START, Map.of()))
                .isInstanceOf(RetentionExceededException.class);
    }

    @Test
    void subscribe_afterATickWithoutWrites_oldOnesAreGivenUp() {
        onAll(write("a", 1, 5));

        cell.onTick(now.plusSeconds(11));

        assertThatThrownBy(() -> cell.subscribe(positive("q"), START, Map.of()))
                .isInstanceOf(RetentionExceededException.class);
    }

    @Test
    void subscribe_moreBytesThanRetained_failsForThoseGivenUp() {
        onAll(large("a", 1), large("b", 1), large("c", 1));

        assertThatThrownBy(() -> cell.subscribe(positive("q"), START, Map.of()))
                .isInstanceOf(RetentionExceededException.class);
        assertThat(cell.subscribe(positive("q"), new StreamPosition(1), Map.of()))
                .hasSize(2);
    }

    @Test
    void subscribe_oneLargeObjectReplacedOften_countsOnlyItsLatestState() {
        onAll(write("b", 1, 5), large("a", 1), large("a", 2));

        assertThat(cell.subscribe(positive("q"), START, Map.of())).hasSize(2);
    }

    @Test
    void subscribe_afterOldWritesAreGivenUp_theirBytesAreFree() {
        onAll(large("a", 1), large("b", 1), large("c", 1));
        now = now.plusSeconds(11);
        onAll(large("d", 1), large("e", 1));

        assertThat(cell.subscribe(positive("q"), new StreamPosition(3), Map.of()))
                .hasSize(2);
    }

    @Test
    void subscribe_writeLargerThanAllThatIsRetained_isRetainedUntilTheNext() {
        onAll(positive("a", 1, "x".repeat(50_000)));
        assertThat(cell.subscribe(positive("q"), START, Map.of())).hasSize(1);

        onAll(write("b", 1, 5));
        assertThatThrownBy(() -> cell.subscribe(positive("p"), START, Map.of()))
                .isInstanceOf(RetentionExceededException.class);
    }

    @Test
    void subscribe_oneObjectWrittenMoreOftenThanRetained_isReportedItsLatestState() {
        for (int version = 1; version <= 5; version++) {
            onAll(write("a", version, 5));
        }

        assertThat(types(cell.subscribe(positive("q"), START, Map.of("a", stamp(1)))))
                .containsExactly(MatchType.CHANGE);
    }

    @Test
    void subscribe_writesOfOtherBucketsGivenUp_succeeds() {
        for (int i = 0; i < 4; i++) {
            onAll(new WriteEvent.Delete("Other", "o" + i, stamp(1)));
        }

        assertThat(cell.subscribe(positive("q"), START, Map.of())).isEmpty();
    }

    @Test
    void onUnwatchedWrite_queryFromBefore_isRefused() {
        cell.onUnwatchedWrite(1, "Todo", "a", stamp(1), now);

        assertThatThrownBy(() -> cell.subscribe(positive("q"), START, Map.of()))
                .isInstanceOf(RetentionExceededException.class);
        assertThat(cell.subscribe(positive("q"), new StreamPosition(1), Map.of()))
                .isEmpty();
    }

    @Test
    void onUnwatchedWrite_earlierWriteComesLate_isIgnored() {
        cell.onUnwatchedWrite(1, "Todo", "a", stamp(2), now);
        assertThat(cell.subscribe(positive("q"), new StreamPosition(1), Map.of()))
                .isEmpty();

        assertThat(cell.onWrite(2, write("a", 1, 5), now)).isEmpty();
    }

    @Test
    void onUnwatchedWrite_sameWriteComesWhole_isMatched() {
        assertThat(cell.subscribe(positive("q"), START, Map.of())).isEmpty();
        cell.onUnwatchedWrite(1, "Todo", "a", stamp(1), now);

        assertThat(types(cell.onWrite(1, write("a", 1, 5), now))).containsExactly(MatchType.ADD);
        assertThat(cell.onWrite(1, write("a", 1, 5), now)).isEmpty();
    }

    @Test
    void onUnwatchedWrite_manyOfThem_takeThePlaceOfOlderOnes() {
        for (int i = 0; i < 10; i++) {
            cell.onUnwatchedWrite(i, "Other", "o" + i, stamp(1), now);
        }
        onAll(write("a", 1, 5), write("b", 1, 5));

        assertThat(cell.subscribe(positive("q"), START, Map.of())).hasSize(2);
    }

    @Test
    void subscribe_sameId_isOneSubscription() {
        var first = cell.subscribe(positive("q"), START, Map.of());
        var second = cell.subscribe(positive("q"), START, Map.of("a", stamp(1)));

        assertThat(first).isEqualTo(second);
        assertThat(types(on(write("a", 2, 5)))).containsExactly(MatchType.ADD);
    }

    @Test
    void unsubscribe_thenWrite_isNothing() {
        var unused = cell.subscribe(positive("q"), START, Map.of());

        cell.unsubscribe("q");
        cell.unsubscribe("unknown");

        assertThat(on(write("a", 1, 5))).isEmpty();
    }

    private List<MatchEvent> on(WriteEvent write) {
        return cell.onWrite(++sequence, write, now);
    }

    private void onAll(WriteEvent... writes) {
        for (WriteEvent write : writes) {
            var unused = on(write);
        }
    }

    private static List<MatchType> types(List<MatchEvent> events) {
        return events.stream().map(MatchEvent::type).toList();
    }

    /** Each takes about 4 million steps on the text, of a budget of 5. */
    @Test
    void onWrite_manyQueriesThatNearlyExceedTheirBudgets_mostEndAndCheapOnesGoOn() {
        for (int i = 0; i < 200; i++) {
            var unused = cell.subscribe(costly(i), START, Map.of());
        }
        var unused = cell.subscribe(positive("cheap"), START, Map.of());

        List<MatchEvent> events = on(costlyText("a", 1));

        assertThat(events).extracting(MatchEvent::queryId).containsExactly("cheap");
        assertThat(failures).hasSizeBetween(150, 190);
        assertThat(failures)
                .allSatisfy(failed -> assertThat(failed.cause()).isInstanceOf(BudgetExceededException.class));
    }

    @Test
    void onWrite_costlyQueriesHaveUsedUpTheirAllowance_moderateOnesGoOn() {
        QuerySpec search =
                new QuerySpec("search", "Todo", Filter.parse(BsonDocument.parse("{$text: {$search: 'wanted'}}")));
        for (int i = 0; i < 200; i++) {
            var unused = cell.subscribe(costly(i), START, Map.of());
        }
        assertThat(on(costlyText("a", 1))).isEmpty();
        assertThat(cell.subscribe(search, START, Map.of())).isEmpty();

        BsonString prose = new BsonString("some words and the wanted one ".repeat(100));
        List<MatchEvent> events = on(
                new WriteEvent.Upsert("Todo", "b", stamp(1), WriteOperation.UPDATE, new BsonDocument("text", prose)));

        assertThat(events).extracting(MatchEvent::queryId).containsExactly("search");
    }

    @Test
    void onTick_allowanceUsedUp_isRenewed() {
        var unused = cell.subscribe(costly(0), START, Map.of());
        for (int version = 1; version <= 20; version++) {
            assertThat(on(costlyText("a", version))).isEmpty();
            cell.onTick(now);
        }

        assertThat(failures).isEmpty();
        for (int version = 21; version <= 60; version++) {
            assertThat(on(costlyText("a", version))).isEmpty();
        }
        assertThat(failures).hasSize(1);
    }

    /** Replayed writes count, too, or one subscription could take minutes. */
    @Test
    void subscribe_manyRetainedWritesThatAreCostly_fails() {
        FilterCell large = new FilterCell(new RetentionLimits(Duration.ofSeconds(10), 100), this::noteFailure);
        for (int i = 0; i < 100; i++) {
            var unused = large.onWrite(i + 1, costlyText("object" + i, 1), now);
        }

        assertThatThrownBy(() -> large.subscribe(costly(0), START, Map.of()))
                .isInstanceOf(BudgetExceededException.class);
    }

    private static QuerySpec costly(int number) {
        String pattern = "[ab]{400}c" + number;
        return new QuerySpec(
                "costly" + number,
                "Todo",
                Filter.parse(new BsonDocument("t", new BsonDocument("$regex", new BsonString(pattern)))));
    }

    private static WriteEvent costlyText(String id, long version) {
        BsonDocument after = new BsonDocument("_id", new BsonString(id))
                .append("n", new BsonInt32(5))
                .append("t", new BsonString("a".repeat(8_000)));
        return new WriteEvent.Upsert("Todo", id, stamp(version), WriteOperation.UPDATE, after);
    }

    private static QuerySpec positive(String id) {
        return new QuerySpec(id, "Todo", Filter.parse(BsonDocument.parse("{n: {$gt: 0}}")));
    }

    private static VersionStamp stamp(long version) {
        return new VersionStamp(1, version);
    }

    private static WriteEvent write(String id, long version, int n) {
        return upsert(id, stamp(version), n);
    }

    /** Returns a write of which two are retained, but not three. */
    private static WriteEvent large(String id, long version) {
        return positive(id, version, "x".repeat(4_000));
    }

    private static WriteEvent positive(String id, long version, String text) {
        BsonDocument image = new BsonDocument("n", new BsonInt32(5)).append("text", new BsonString(text));
        return new WriteEvent.Upsert("Todo", id, stamp(version), WriteOperation.UPDATE, image);
    }

    private static WriteEvent upsert(String id, VersionStamp versionStamp, int n) {
        return new WriteEvent.Upsert(
                "Todo", id, versionStamp, WriteOperation.UPDATE, new BsonDocument("n", new BsonInt32(n)));
    }

    private void noteFailure(FailedQuery failed) {
        failures.add(failed);
    }

    private static WriteEvent longText(String id, long version) {
        return withText(id, version, new BsonString("a".repeat(100_000)));
    }

    private static WriteEvent withText(String id, long version, BsonValue text) {
        BsonDocument after = new BsonDocument("_id", new BsonString(id))
                .append("n", new BsonInt32(5))
                .append("t", text);
        return new WriteEvent.Upsert("Todo", id, stamp(version), WriteOperation.UPDATE, after);
    }
}
