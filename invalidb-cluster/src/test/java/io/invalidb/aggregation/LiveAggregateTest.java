package io.invalidb.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.PeriodicStepBudget;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rows after additions, changes and removals of objects. Each object's version counts up with every
 * event.
 */
final class LiveAggregateTest {

    private static final AggregateLimits ROOMY = new AggregateLimits(1_000, 100, 1 << 20);

    private final PeriodicStepBudget periodicStepBudget = new PeriodicStepBudget();
    private long version;

    private static LiveAggregate of(String spec) {
        return of(spec, ROOMY);
    }

    private static LiveAggregate of(String spec, AggregateLimits bounds) {
        return new LiveAggregate(AggregateSpec.parse(BsonDocument.parse(spec)), bounds);
    }

    @CanIgnoreReturnValue
    private List<GroupEvent> put(LiveAggregate aggregate, String id, String json) {
        return aggregate.apply(put(id, ++version, json), periodicStepBudget);
    }

    private static MatchEvent put(String id, long version, String json) {
        return new MatchEvent(
                "q",
                MatchType.ADD,
                new WriteEvent.Upsert(
                        "B", id, new VersionStamp(1, version), WriteOperation.UPDATE, BsonDocument.parse(json)));
    }

    @CanIgnoreReturnValue
    private List<GroupEvent> remove(LiveAggregate aggregate, String id) {
        return aggregate.apply(
                new MatchEvent("q", MatchType.REMOVE, new WriteEvent.Delete("B", id, new VersionStamp(1, ++version))),
                periodicStepBudget);
    }

    private static GroupEvent event(MatchType type, String row) {
        return new GroupEvent(type, BsonDocument.parse(row));
    }

    private static String only(LiveAggregate aggregate, String field) {
        List<BsonDocument> rows = aggregate.rows();
        assertThat(rows).hasSize(1);
        return new BsonDocument("v", rows.get(0).get(field)).toJson();
    }

    private static String value(String json) {
        return BsonDocument.parse("{v: " + json + "}").toJson();
    }

    @Test
    void apply_objectsComeMoveAndGo_tellsTheRowsThatChange() {
        LiveAggregate shelves = of("{_id: '$s', n: {$sum: 1}, most: {$max: '$p'}}");

        assertThat(put(shelves, "a", "{s: 'x', p: 3}"))
                .containsExactly(event(MatchType.ADD, "{_id: 'x', n: 1, most: 3}"));
        assertThat(put(shelves, "b", "{s: 'x', p: 5}"))
                .containsExactly(event(MatchType.CHANGE, "{_id: 'x', n: 2, most: 5}"));
        assertThat(put(shelves, "b", "{s: 'y', p: 5}"))
                .containsExactly(
                        event(MatchType.CHANGE, "{_id: 'x', n: 1, most: 3}"),
                        event(MatchType.ADD, "{_id: 'y', n: 1, most: 5}"));
        assertThat(put(shelves, "a", "{s: 'x', p: 3, title: 'other'}")).isEmpty();
        assertThat(remove(shelves, "a")).containsExactly(event(MatchType.REMOVE, "{_id: 'x'}"));
        assertThat(remove(shelves, "a")).isEmpty();
        assertThat(shelves.rows()).containsExactly(BsonDocument.parse("{_id: 'y', n: 1, most: 5}"));
    }

    @Test
    void apply_lateOrRepeatedState_changesNothing() {
        LiveAggregate count = of("{_id: null, sum: {$sum: '$p'}}");
        count.add("a", new VersionStamp(1, 5), BsonDocument.parse("{p: 1}"));

        assertThat(count.apply(put("a", 5, "{p: 9}"), periodicStepBudget)).isEmpty();
        assertThat(count.apply(put("a", 4, "{p: 9}"), periodicStepBudget)).isEmpty();
        assertThat(count.rows()).containsExactly(BsonDocument.parse("{_id: null, sum: 1}"));
    }

    @Test
    void rows_equalNumbersOfAllTypes_areOneGroupSpelledTheSameWhoeverCameFirst() {
        LiveAggregate byNumber = of("{_id: '$k', n: {$sum: 1}}");
        put(byNumber, "a", "{k: 1.0}");
        put(byNumber, "b", "{k: {$numberDecimal: '1.00'}}");
        put(byNumber, "c", "{k: {$numberLong: '1'}}");
        remove(byNumber, "a");

        assertThat(byNumber.rows()).containsExactly(BsonDocument.parse("{_id: 1, n: 2}"));
    }

    @Test
    void rows_missingAndNull_areOneGroupByOneFieldAndTwoByAnObject() {
        LiveAggregate byField = of("{_id: '$k'}");
        LiveAggregate byObject = of("{_id: {k: '$k'}}");
        for (LiveAggregate each : List.of(byField, byObject)) {
            put(each, "a", "{}");
            put(each, "b", "{k: null}");
        }

        assertThat(byField.rows()).containsExactly(BsonDocument.parse("{_id: null}"));
        assertThat(byObject.rows())
                .containsExactly(BsonDocument.parse("{_id: {}}"), BsonDocument.parse("{_id: {k: null}}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1|2|3",
                "1|{$numberLong: '2'}|{$numberLong: '3'}",
                "2147483647|1|{$numberLong: '2147483648'}",
                "{$numberLong: '9223372036854775807'}|1|9223372036854775808.0",
                "1|0.5|1.5",
                "0.5|{$numberDecimal: '1.50'}|{$numberDecimal: '2'}",
                "1|\"text\"|1",
                "1|null|1",
                "1|[5]|1",
                "{$numberDouble: 'NaN'}|1|{$numberDouble: 'NaN'}",
                "{$numberDouble: 'Infinity'}|{$numberDouble: '-Infinity'}|{$numberDouble: 'NaN'}",
                "{$numberDouble: '-Infinity'}|{$numberDecimal: '1'}|{$numberDecimal: '-Infinity'}",
                "{$numberDecimal: '9.9E6144'}|{$numberDecimal: '9.9E6144'}|{$numberDecimal: 'Infinity'}",
                "1e308|1e308|{$numberDouble: 'Infinity'}"
            })
    void sum_twoNumbers_hasTheWidestTypeAndIsUndoneWithoutATrace(String one, String other, String sum) {
        LiveAggregate aggregate = of("{_id: null, sum: {$sum: '$p'}}");
        put(aggregate, "0", "{p: 7.5}");
        put(aggregate, "a", "{p: " + one + "}");
        put(aggregate, "b", "{p: " + other + "}");
        remove(aggregate, "0");

        assertThat(only(aggregate, "sum")).isEqualTo(value(sum));

        put(aggregate, "0", "{p: 7.5}");
        remove(aggregate, "a");
        remove(aggregate, "b");
        assertThat(only(aggregate, "sum")).isEqualTo(value("7.5"));
    }

    @Test
    void sum_manyFractionsInAndOut_doesNotDrift() {
        LiveAggregate aggregate = of("{_id: null, sum: {$sum: '$p'}, mean: {$avg: '$p'}}");
        put(aggregate, "0", "{p: 0.1}");
        for (int i = 0; i < 1_000; i++) {
            put(aggregate, "a", "{p: " + (i * 1e12 + 0.3) + "}");
        }
        remove(aggregate, "a");

        assertThat(aggregate.rows()).containsExactly(BsonDocument.parse("{_id: null, sum: 0.1, mean: 0.1}"));
    }

    @Test
    void sum_thingsOfAllMagnitudes_isRoundedOnce() {
        LiveAggregate aggregate = of("{_id: null, sum: {$sum: '$p'}}");
        put(aggregate, "a", "{p: 1e300}");
        put(aggregate, "b", "{p: 1}");
        put(aggregate, "c", "{p: 1e-300}");
        put(aggregate, "d", "{p: -1e300}");

        assertThat(only(aggregate, "sum")).isEqualTo(value("1.0"));
    }

    @Test
    void fields_withoutAnythingThatCounts_areZeroOrNull() {
        LiveAggregate aggregate =
                of("{_id: null, sum: {$sum: '$p'}, mean: {$avg: '$p'}, least: {$min: '$q'}, most: {$max: '$q'}}");
        put(aggregate, "a", "{p: 'text', q: null}");

        assertThat(aggregate.rows())
                .containsExactly(BsonDocument.parse("{_id: null, sum: 0, mean: null, least: null, most: null}"));
    }

    @Test
    void extremes_followTheOrderOfAllValues_andComeBackWhenOthersLeave() {
        LiveAggregate aggregate = of("{_id: null, least: {$min: '$p'}, most: {$max: '$p'}}");
        put(aggregate, "a", "{p: 5}");
        put(aggregate, "b", "{p: 5}");
        put(aggregate, "c", "{p: 'text'}");
        put(aggregate, "d", "{p: {$numberDouble: 'NaN'}}");

        assertThat(only(aggregate, "least")).isEqualTo(value("{$numberDouble: 'NaN'}"));
        assertThat(only(aggregate, "most")).isEqualTo(value("'text'"));
        List.of("a", "c", "d").forEach(id -> remove(aggregate, id));
        assertThat(only(aggregate, "least")).isEqualTo(value("5"));
        assertThat(only(aggregate, "most")).isEqualTo(value("5"));
    }

    @Test
    void apply_fieldsOfAnObjectSwapPlaces_isAChange() {
        LiveAggregate aggregate = of("{_id: null, most: {$max: '$p'}}");
        put(aggregate, "a", "{p: {x: 1, y: 2}}");

        assertThat(put(aggregate, "a", "{p: {y: 2, x: 1}}")).hasSize(1);
    }

    @Test
    void add_beyondABound_fails() {
        AggregateLimits two = new AggregateLimits(2, 100, 1 << 20);
        AggregateLimits oneGroup = new AggregateLimits(100, 1, 1 << 20);
        AggregateLimits small = new AggregateLimits(100, 100, 10_000);
        String text = "{k: 'x', p: '" + "t".repeat(5_000) + "'}";

        assertThatThrownBy(() -> fill(of("{_id: null}", two), 3, "{}"))
                .isInstanceOf(AggregateTooLargeException.class)
                .hasMessageContaining("2 objects");
        assertThatThrownBy(() -> fill(of("{_id: '$_id'}", oneGroup), 2, "{}"))
                .isInstanceOf(AggregateTooLargeException.class)
                .hasMessageContaining("1 groups");
        assertThatThrownBy(() -> fill(of("{_id: null, most: {$max: '$p'}}", small), 1, text))
                .isInstanceOf(AggregateTooLargeException.class)
                .hasMessageContaining("10000 bytes");
    }

    @Test
    void members_thatComeAndGo_leaveNoBytesBehind() {
        LiveAggregate aggregate = of("{_id: '$k', most: {$max: '$p'}}", new AggregateLimits(10, 10, 4_000));

        for (int i = 0; i < 1_000; i++) {
            put(aggregate, "a", "{k: " + i + ", p: 'some text'}");
            put(aggregate, "b", "{k: " + i + ", p: " + i + "}");
            remove(aggregate, i % 2 == 0 ? "a" : "b");
        }

        assertThat(aggregate.rows()).hasSizeLessThanOrEqualTo(2);
    }

    /** Values that only sums use are not stored, however large. */
    @Test
    void sum_ofLongTexts_takesNoRoom() {
        LiveAggregate aggregate = of("{_id: null, sum: {$sum: '$p'}}", new AggregateLimits(100, 100, 10_000));

        put(aggregate, "a", "{p: '" + "t".repeat(100_000) + "'}");

        assertThat(only(aggregate, "sum")).isEqualTo(value("0"));
    }

    private void fill(LiveAggregate aggregate, int objects, String json) {
        for (int i = 0; i < objects; i++) {
            put(aggregate, "o" + i, json.replace("{", "{_id: 'o" + i + "',"));
        }
    }

    @Test
    void pull_remembersGroupsOnly_andRefusesTooManyBytes() {
        AggregateSpec spec = AggregateSpec.parse(BsonDocument.parse("{_id: '$k', most: {$max: '$p'}}"));
        OneShotAggregate aggregate = new OneShotAggregate(spec, new AggregateLimits(1, 2, 4_000));
        for (int i = 0; i < 1_000; i++) {
            aggregate.add(BsonDocument.parse("{k: " + i % 2 + ", p: " + i + "}"));
        }

        assertThat(aggregate.rows())
                .containsExactly(BsonDocument.parse("{_id: 0, most: 998}"), BsonDocument.parse("{_id: 1, most: 999}"));
        assertThatThrownBy(() -> aggregate.add(BsonDocument.parse("{k: 0, p: '" + "t".repeat(5_000) + "'}")))
                .isInstanceOf(AggregateTooLargeException.class);
    }

    @Test
    void add_manyFieldsOfALargeArray_shareTheBudgetOfOneObject() {
        BsonDocument spec = new BsonDocument("_id", BsonNull.VALUE);
        IntStream.range(0, 30).forEach(i -> spec.put("f" + i, BsonDocument.parse("{$sum: '$a.b'}")));
        BsonArray lines = new BsonArray(Collections.nCopies(300_000, new BsonDocument()));
        LiveAggregate aggregate = new LiveAggregate(AggregateSpec.parse(spec), ROOMY);

        assertThatThrownBy(() -> aggregate.add("id", new VersionStamp(1, 1), new BsonDocument("a", lines)))
                .isInstanceOf(BudgetExceededException.class);
    }
}
