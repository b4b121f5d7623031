package io.invalidb.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.aggregation.AggregateLimits;
import io.invalidb.aggregation.AggregateSpec;
import io.invalidb.aggregation.LiveAggregate;
import io.invalidb.grid.GridSize;
import io.invalidb.matching.QuerySpec;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.invalidb.sorting.SortedWindow;
import io.invalidb.sorting.WindowSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/**
 * Aggregates and windows that take long on each write, in one cell with others that do not. The
 * test ends them as the server does.
 */
final class CostlyStagesTest implements MatchListener {

    private static final int MANY = 400;

    /**
     * Maximum number of stages within the budget: each takes some 400,000 steps or more, and a cell
     * has 75 million for them.
     */
    private static final int MOST_SPARED = 200;

    private static final BsonDocument LIST = list(20_000);

    private final TestCluster world = new TestCluster(new GridSize(1, 1), new Random(1), this);
    private final SubscriberLease subscriberLease = world.cluster().openLease();
    private final Map<String, Stage> stages = new HashMap<>();
    private final List<String> received = new ArrayList<>();
    private final List<String> ended = new ArrayList<>();
    private long version;

    /** A stage behind the filter stage. */
    private interface Stage {
        int apply(MatchEvent match, PeriodicStepBudget periodicStepBudget);
    }

    @Override
    public void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget) {
        Stage stage = stages.get(event.queryId());
        try {
            if (stage != null && stage.apply(event, periodicStepBudget) > 0) {
                received.add(event.queryId());
            }
        } catch (BudgetExceededException tooMuch) {
            ended.add(event.queryId());
            stages.remove(event.queryId());
            world.cluster().unsubscribe(subscriberLease, event.queryId());
        }
    }

    @Test
    void publish_manyCostlyWindows_mostEndAndOthersGoOn() {
        addHonest();
        for (int i = 0; i < MANY; i++) {
            add("costly" + i, window("{'list.v" + i + "': 1}"));
        }

        write(LIST);

        assertCostlyEnded();
    }

    @Test
    void publish_manyCostlyAggregates_mostEndAndOthersGoOn() {
        addHonest();
        for (int i = 0; i < MANY; i++) {
            add("costly" + i, aggregate("{_id: null, x: {$max: '$list.n'}}"));
        }

        write(list(60_000));

        assertCostlyEnded();
    }

    /** The write of another object paid for the leaving one. */
    @Test
    void publish_largeValuesLeaveManyAggregates_thatIsPaidForToo() {
        addHonest();
        WriteEvent.Upsert large = upsert("a", list(40_000));
        for (int i = 0; i < MANY; i++) {
            LiveAggregate aggregate = liveAggregate("{_id: null, x: {$max: '$list'}}");
            aggregate.add("a", large.stamp(), large.afterImage());
            add("costly" + i, (match, periodicStepBudget) -> aggregate
                    .apply(match, periodicStepBudget)
                    .size());
        }

        write(list(1));

        assertCostlyEnded();
    }

    @Test
    void publish_manyNumbersOfVeryDifferentSize_mostSumsEnd() {
        addHonest();
        for (int i = 0; i < MANY; i++) {
            add("costly" + i, aggregate("{_id: null, x: {$sum: '$tiny'}, y: {$sum: '$huge'}, z: {$sum: '$n'}}"));
        }
        BsonDocument numbers = BsonDocument.parse("{tiny: NumberDecimal('1E-6176'), huge: NumberDecimal('1E6144')}");
        BsonDocument swapped = BsonDocument.parse("{huge: NumberDecimal('1E-6176'), tiny: NumberDecimal('1E6144')}");

        write(numbers);
        write(swapped);

        assertCostlyEnded();
    }

    /** Reading each takes little; its position takes a reading again for each comparison. */
    @Test
    void publish_longTextsThatShareTheirBeginning_mostWindowsEnd() {
        addHonest();
        for (int i = 0; i < MANY; i++) {
            add("costly" + i, window("{'text': 1, 'v" + i + "': 1}"));
        }

        for (int i = 0; i < 20; i++) {
            world.send(upsert("long" + i, new BsonDocument("text", new BsonString("x".repeat(40_000) + i))));
            world.settle();
        }

        assertThat(ended).hasSizeGreaterThan(MANY - MOST_SPARED);
        assertThat(stages).containsKeys("filter", "count", "window");
    }

    @Test
    void tick_costlyStagesHaveUsedUpTheAllowance_theyMayGoOn() {
        add("costly", window("{'list.v': 1}"));

        for (int i = 0; i < 300; i++) {
            write(LIST);
            if (i % 100 == 0) {
                tick();
            }
        }

        assertThat(ended).isEmpty();
        assertThat(received).isNotEmpty();
    }

    private void addHonest() {
        add("filter", (match, periodicStepBudget) -> 1);
        add("count", aggregate("{_id: null, count: {$count: {}}, most: {$max: '$n'}}"));
        add("window", window("{n: 1}"));
    }

    private void assertCostlyEnded() {
        assertThat(ended).hasSizeGreaterThan(MANY - MOST_SPARED).allSatisfy(id -> assertThat(id)
                .startsWith("costly"));
        assertThat(received).contains("filter", "count", "window");

        received.clear();
        write(new BsonDocument());

        assertThat(received).contains("filter", "count", "window");
    }

    private void add(String id, Stage stage) {
        stages.put(id, stage);
        QuerySpec query = new QuerySpec(id, "B", Filter.ALL);
        var unused = world.cluster()
                .subscribe(subscriberLease, query, world.cluster().position("B"), Map.of());
        world.settle();
    }

    private static Stage window(String sort) {
        WindowSpec spec = new WindowSpec(SortOrder.parse(BsonDocument.parse(sort)), 0, 20);
        SortedWindow window = new SortedWindow(spec, 10, List.of());
        return (match, periodicStepBudget) ->
                window.apply(match, periodicStepBudget).size();
    }

    private static Stage aggregate(String group) {
        LiveAggregate aggregate = liveAggregate(group);
        return (match, periodicStepBudget) ->
                aggregate.apply(match, periodicStepBudget).size();
    }

    private static LiveAggregate liveAggregate(String group) {
        return new LiveAggregate(
                AggregateSpec.parse(BsonDocument.parse(group)), new AggregateLimits(1_000, 1_000, 1L << 40));
    }

    private void write(BsonDocument fields) {
        world.send(upsert("a", fields));
        world.settle();
    }

    private WriteEvent.Upsert upsert(String id, BsonDocument fields) {
        BsonDocument after = new BsonDocument("_id", new BsonString(id)).append("n", new BsonInt32((int) ++version));
        after.putAll(fields);
        return new WriteEvent.Upsert("B", id, new VersionStamp(1, version), WriteOperation.UPDATE, after);
    }

    private void tick() {
        subscriberLease.renew();
        world.tick();
        world.settle();
    }

    private static BsonDocument list(int size) {
        BsonArray list = new BsonArray(size);
        for (int i = 0; i < size; i++) {
            list.add(new BsonDocument("n", new BsonInt32(i)));
        }
        return new BsonDocument("list", list);
    }
}
