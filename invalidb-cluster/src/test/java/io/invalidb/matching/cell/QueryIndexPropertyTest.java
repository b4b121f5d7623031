package io.invalidb.matching.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.invalidb.matching.QuerySpec;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.RandomBson;
import io.invalidb.query.RandomPlaces;
import io.invalidb.query.filter.Filter;
import io.orestes.support.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A cell with many queries of all kinds has the events of an evaluation of each query on each
 * write.
 */
final class QueryIndexPropertyTest {

    private static final int STEPS = 200;
    private static final int CROWD = 400;

    private final CountedEffort effort = new CountedEffort();
    private final FilterCell cell =
            new FilterCell(new RetentionLimits(Duration.ofHours(1), STEPS + 1), 0, failed -> {}, effort);
    private final Map<String, Filter> filters = new TreeMap<>();
    private final Map<String, Set<String>> results = new HashMap<>();

    static LongStream seeds() {
        return Scope.seeds(100);
    }

    static LongStream fewSeeds() {
        return Scope.seeds(20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void onWrite_anyQueries_findsWhatTryingAllFinds(long seed) {
        Random random = new Random(seed);
        RandomBson bson = new RandomBson(seed);
        RandomPlaces places = new RandomPlaces(seed);
        for (int step = 1; step <= STEPS; step++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> subscribe("q" + step, filter(random, bson, places), step);
                case 2 -> unsubscribe("q" + random.nextInt(STEPS));
                default -> expectEvents(write(random, bson, places, step), step);
            }
        }
    }

    /**
     * So many have one value or prefix that two constraints are chosen, once the limit of futile
     * evaluations is reached.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void onWrite_crowdsWithOneValue_findsWhatTryingAllFindsAndFewMore(long seed) {
        Random random = new Random(seed);
        for (int query = 0; query < CROWD; query++) {
            subscribe("q" + query, Filter.parse(crowded(random)), 0);
        }
        for (int step = 1; step <= STEPS; step++) {
            unsubscribe("q" + random.nextInt(10 * CROWD));
            expectEvents(crowdedWrite("o" + random.nextInt(5), oneOrTwo(random), random, step), step);
        }
        long before = effort.sum().candidates();
        expectEvents(crowdedWrite("new", new BsonInt32(3), random, STEPS + 1), STEPS + 1);
        assertThat(effort.sum().candidates() - before).isLessThan(CROWD / 3);
    }

    private static BsonDocument crowded(Random random) {
        int from = random.nextInt(100);
        List<String> shared = List.of("a: 3", "a: {$in: [3, 4]}", "a: /^t3/");
        return BsonDocument.parse(
                "{%s, b: {$gte: %d, $lt: %d}}".formatted(shared.get(random.nextInt(shared.size())), from, from + 30));
    }

    private static BsonValue oneOrTwo(Random random) {
        BsonValue number = new BsonInt32(random.nextInt(8));
        BsonValue text = new BsonString("t" + random.nextInt(8));
        return switch (random.nextInt(3)) {
            case 0 -> number;
            case 1 -> text;
            default -> new BsonArray(List.of(number, text));
        };
    }

    private static WriteEvent crowdedWrite(String id, BsonValue a, Random random, int step) {
        BsonDocument after = new BsonDocument("_id", new BsonString(id))
                .append("a", a)
                .append("b", new BsonInt32(random.nextInt(110)));
        return new WriteEvent.Upsert("Test", id, new VersionStamp(1, step), WriteOperation.UPDATE, after);
    }

    private void expectEvents(WriteEvent write, int step) {
        List<MatchEvent> events = cell.onWrite(step, write, Instant.EPOCH);

        assertThat(events)
                .as("%s", write)
                .extracting(MatchEvent::queryId, MatchEvent::type)
                .containsExactlyInAnyOrderElementsOf(expected(write).entrySet().stream()
                        .map(entry -> tuple(entry.getKey(), entry.getValue()))
                        .toList());
    }

    /** Returns a filter; some are equal to that of another query. */
    private Filter filter(Random random, RandomBson bson, RandomPlaces places) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> Filter.parse(places.filter(random.nextBoolean() ? "a" : "b.c"));
            case 2 ->
                filters.isEmpty()
                        ? Filter.ALL
                        : Filter.parse(List.copyOf(filters.values())
                                .get(random.nextInt(filters.size()))
                                .normalForm());
            case 3, 4 -> Filter.parse(conjunction(random));
            default -> Filter.parse(bson.filter());
        };
    }

    /**
     * Returns conditions on two or three fields that often match, and most of which an index can
     * look up.
     */
    private static BsonDocument conjunction(Random random) {
        BsonDocument conjunction = new BsonDocument("a", condition(random)).append("b", condition(random));
        return random.nextBoolean() ? conjunction : conjunction.append("c", condition(random));
    }

    private static BsonDocument condition(Random random) {
        int n = random.nextInt(3);
        List<String> conditions = List.of(
                "{$eq: %d}", "{$gte: %d}", "{$lt: %d}", "{$gte: %d, $lte: 2}", "{$in: [%d, 't']}", "{$regex: '^t%d'}");
        return BsonDocument.parse(
                conditions.get(random.nextInt(conditions.size())).formatted(n));
    }

    private static BsonValue small(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> new BsonString("t" + random.nextInt(3));
            case 1 -> new BsonArray(List.of(small(random), small(random)));
            default -> new BsonInt32(random.nextInt(4));
        };
    }

    private void subscribe(String id, Filter filter, int step) {
        assertThat(cell.subscribe(new QuerySpec(id, "Test", filter), new StreamPosition(step), Map.of()))
                .isEmpty();
        filters.put(id, filter);
        results.put(id, new HashSet<>());
    }

    private void unsubscribe(String id) {
        cell.unsubscribe(id);
        filters.remove(id);
    }

    private static WriteEvent write(Random random, RandomBson bson, RandomPlaces places, int step) {
        String id = "/db/Test/" + random.nextInt(5);
        if (random.nextInt(5) == 0) {
            return new WriteEvent.Delete("Test", id, new VersionStamp(1, step));
        }
        BsonDocument after = bson.document().append("_id", new BsonString(id));
        switch (random.nextInt(3)) {
            case 0 -> after.append("a", places.place()).append("b", new BsonDocument("c", places.place()));
            case 1 ->
                after.append("a", small(random)).append("b", small(random)).append("c", small(random));
            default -> {}
        }
        return new WriteEvent.Upsert("Test", id, new VersionStamp(1, step), WriteOperation.UPDATE, after);
    }

    /** Evaluates every filter. */
    private Map<String, MatchType> expected(WriteEvent write) {
        Map<String, MatchType> expected = new HashMap<>();
        filters.forEach((id, filter) -> {
            Set<String> result = Objects.requireNonNull(results.get(id));
            boolean matches = write.upsert()
                    .filter(upsert -> filter.matches(upsert.afterImage()))
                    .isPresent();
            boolean held = matches ? !result.add(write.id()) : result.remove(write.id());
            if (matches) {
                expected.put(id, held ? MatchType.CHANGE : MatchType.ADD);
            } else if (held) {
                expected.put(id, MatchType.REMOVE);
            }
        });
        return expected;
    }
}
