package io.invalidb.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.grid.GridSize;
import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.QuerySpec;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortHorizon;
import io.invalidb.query.sort.SortOrder;
import io.invalidb.sorting.SortedWindow;
import io.invalidb.sorting.WindowSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sorted queries that are costly or fail, in a cell that has the horizons of all: it ranks each
 * written object before it publishes it, and so does the window. The test ends windows as the
 * server does.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CostlyHorizonsTest implements MatchListener {

    private static final int MANY = 400;

    /**
     * Maximum number of windows within the budget: ranking the list takes 440,000 steps, and a cell
     * has 75 million for such work.
     */
    private static final int MOST_SPARED = 200;

    private static final BsonDocument LIST = list(20_000);
    private static final BsonDocument NESTED = new BsonDocument("list", nested(3));

    private final TestCluster world = new TestCluster(new GridSize(1, 1), new Random(1), this);
    private final SubscriberLease subscriberLease = world.cluster().openLease();
    private final Map<String, SortedWindow> windows = new HashMap<>();
    private final List<String> met = new ArrayList<>();
    private final List<String> ended = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private long version;

    CostlyHorizonsTest() {
        subscribe("honest", "{}", "{n: -1}");
    }

    @Override
    public void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget) {
        met.add(event.queryId());
        SortedWindow window = windows.get(event.queryId());
        try {
            assertThat(window == null ? List.of() : window.apply(event, periodicStepBudget))
                    .isNotNull();
        } catch (BudgetExceededException tooMuch) {
            ended.add(event.queryId());
            end(event.queryId());
        }
    }

    @Override
    public void onFailure(FailedQuery failure) {
        failed.add(failure.query().id());
        end(failure.query().id());
    }

    private void end(String id) {
        windows.remove(id);
        world.cluster().unsubscribe(subscriberLease, id);
    }

    @Test
    void publish_behindTheHorizon_costlyToRank_isChargedAndNotTold() {
        subscribe("costly", "{}", "{'list.v': -1}");

        write("a", LIST);
        assertThat(met).isEmpty();

        for (int i = 0; i < MOST_SPARED; i++) {
            write("a" + i, LIST);
        }
        assertThat(ended).containsExactly("costly");
        assertHonestIsToldWhatItAsksFor();
    }

    @Test
    void publish_costlyToRankForManyHorizons_mostEndAndOthersGoOn() {
        for (int i = 0; i < MANY; i++) {
            subscribe("costly" + i, "{}", "{'list.v" + i + "': -1}");
        }

        write("a", LIST);

        assertThat(ended).hasSizeGreaterThan(MANY - MOST_SPARED).allSatisfy(id -> assertThat(id)
                .startsWith("costly"));
        assertThat(ended.size()).isLessThan(MANY);
        assertHonestIsToldWhatItAsksFor();
    }

    /** The cell cannot decide whether it is behind the horizon, and neither can the window. */
    @Test
    void publish_tooCostlyToRankAtAll_endsTheWindowAlone() {
        subscribe("same filter", "{}", "{n: -1, other: 1}");
        subscribe("costly", "{}", "{'list.0.b.0.b.0.b': -1}");

        write("a", NESTED);

        assertThat(ended).containsExactly("costly");
        assertThat(windows).containsOnlyKeys("honest", "same filter");
        assertHonestIsToldWhatItAsksFor();
    }

    @Test
    void publish_filterFailsOnAnObject_endsItsWindowsAlone() {
        subscribe("costly", "{$or: [{n: {$gte: -2}}, {text: {$regex: '[ab]{900}c'}}]}", "{n: -1}");

        write("a", new BsonDocument("n", new BsonInt32(-9)).append("text", new BsonString("a".repeat(100_000))));

        assertThat(failed).containsExactly("costly");
        assertThat(windows).containsOnlyKeys("honest");
        assertHonestIsToldWhatItAsksFor();
    }

    /** Twice as many objects as the budget of one tick covers. */
    @Test
    void tick_costlyRanksHaveUsedUpTheAllowance_theyMayGoOn() {
        subscribe("costly", "{}", "{'list.v': -1}");

        for (int i = 0; i < 2 * MOST_SPARED; i++) {
            write("a" + i, LIST);
            if (i % 100 == 0) {
                subscriberLease.renew();
                world.tick();
                world.settle();
            }
        }

        assertThat(ended).isEmpty();
        assertThat(met).doesNotContain("costly");
    }

    private void assertHonestIsToldWhatItAsksFor() {
        met.clear();
        write("behind", new BsonDocument("n", new BsonInt32(-1)));
        assertThat(met).doesNotContain("honest");

        write("first", new BsonDocument("n", new BsonInt32(9)));
        assertThat(met).contains("honest");
        assertThat(Objects.requireNonNull(windows.get("honest")).content())
                .extracting(WriteEvent::id)
                .contains("first");
    }

    /**
     * Subscribes a window of two objects; objects without a number at the sort path sort behind it.
     */
    private void subscribe(String id, String filter, String sort) {
        SortOrder order = SortOrder.parse(BsonDocument.parse(sort));
        WindowSpec spec = new WindowSpec(order, 0, 1);
        List<Upsert> result = IntStream.of(1, 2)
                .mapToObj(n -> object("held" + n, held(n, sort)))
                .toList();
        SortedWindow window = new SortedWindow(spec, 1, result);
        windows.put(id, window);
        QuerySpec query = new QuerySpec(id, "B", Filter.parse(BsonDocument.parse(filter)));
        var unused = world.cluster()
                .subscribe(subscriberLease, query, world.cluster().position("B"), FoldedClient.stamps(result));
        SortHorizon sortHorizon = window.horizon().orElseThrow();
        world.cluster().setHorizon(id, sortHorizon);
        world.settle();
    }

    private static BsonDocument held(int n, String sort) {
        String path = BsonDocument.parse(sort).getFirstKey();
        BsonInt32 number = new BsonInt32(n);
        String last = path.substring(path.lastIndexOf('.') + 1);
        return new BsonDocument("n", number).append("list", new BsonDocument(last, number));
    }

    private void write(String id, BsonDocument fields) {
        world.send(object(id, fields));
        world.settle();
    }

    private Upsert object(String id, BsonDocument fields) {
        BsonDocument after = new BsonDocument("_id", new BsonString(id));
        after.putAll(fields);
        return new Upsert("B", id, new VersionStamp(1, ++version), WriteOperation.UPDATE, after);
    }

    private static BsonDocument list(int size) {
        BsonArray list = new BsonArray(size);
        for (int i = 0; i < size; i++) {
            list.add(new BsonDocument("w", new BsonInt32(i)));
        }
        return new BsonDocument("list", list);
    }

    private static BsonArray nested(int levels) {
        BsonDocument inner = new BsonDocument("b", levels == 0 ? new BsonInt32(1) : nested(levels - 1));
        BsonArray list = new BsonArray();
        for (int i = 0; i < 80; i++) {
            list.add(inner);
        }
        return list;
    }
}
