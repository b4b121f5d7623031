package io.invalidb.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.cell.FilterCell;
import io.invalidb.matching.cell.RetentionLimits;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.orestes.support.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Aggregates behind a filter cell, under random late and duplicate writes: a client that only
 * applies events has the result of a fresh aggregate over the stored objects, to the last digit.
 */
final class LiveAggregatePropertyTest {

    private static final Filter OPEN = Filter.parse(new BsonDocument("open", BsonBoolean.TRUE));
    private static final AggregateLimits BOUNDS = new AggregateLimits(1_000, 1_000, 1 << 24);
    private static final List<BsonValue> KEYS = List.of(
            new BsonInt32(1),
            new BsonDouble(1),
            new BsonInt64(2),
            new BsonDecimal128(Decimal128.parse("2.0")),
            new BsonString("a"),
            BsonNull.VALUE,
            BsonBoolean.TRUE,
            new BsonArray(List.of(new BsonInt32(1), new BsonDocument("a", new BsonInt32(1)))),
            BsonDocument.parse("{a: 1, b: 2}"),
            BsonDocument.parse("{b: 2, a: 1}"));
    private static final List<BsonValue> VALUES = List.of(
            new BsonInt32(3),
            new BsonInt32(Integer.MAX_VALUE),
            new BsonInt64(3),
            new BsonInt64(Long.MAX_VALUE),
            new BsonInt64(Long.MIN_VALUE),
            new BsonDouble(0.1),
            new BsonDouble(-0.0),
            new BsonDouble(Double.NaN),
            new BsonDouble(Double.POSITIVE_INFINITY),
            new BsonDouble(Double.NEGATIVE_INFINITY),
            new BsonDecimal128(Decimal128.parse("1.10")),
            new BsonDecimal128(Decimal128.parse("-0")),
            new BsonDecimal128(Decimal128.NaN),
            new BsonDecimal128(Decimal128.NEGATIVE_INFINITY),
            new BsonString("text"),
            BsonNull.VALUE,
            BsonBoolean.FALSE,
            new BsonArray(List.of(new BsonInt32(0), new BsonInt32(4))),
            BsonDocument.parse("{k: 1}"));

    /** Doubles whose sums have hundreds of digits. */
    private static final List<BsonValue> EXTREME_DOUBLES = List.of(
            new BsonDouble(1e300),
            new BsonDouble(-1e-300),
            new BsonDouble(Double.MAX_VALUE),
            new BsonDouble(Double.MIN_VALUE));

    /**
     * Decimals whose sums have thousands of digits. A sum with both exceeds the steps of an object.
     */
    private static final List<BsonValue> EXTREME_DECIMALS = List.of(
            new BsonDecimal128(Decimal128.parse("9.99E+6144")), new BsonDecimal128(Decimal128.parse("1E-6176")));

    private static final int SEEDS_PER_EXTREME_SCENE = 8;

    /** Fixed seeds, so that a failure can be repeated. */
    static LongStream seeds() {
        return Scope.seeds(600);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void foldedEvents_equalFreshAggregate_afterEveryStep(long seed) {
        Scene scene = new Scene(new Random(seed), values(seed));

        for (int step = 0; step < 120; step++) {
            scene.step();
            assertThat(scene.client()).isEqualTo(scene.fresh());
        }
    }

    private static List<BsonValue> values(long seed) {
        List<BsonValue> values = new ArrayList<>(VALUES);
        if (seed % SEEDS_PER_EXTREME_SCENE == 0) {
            values.addAll(EXTREME_DOUBLES);
            values.add(EXTREME_DECIMALS.get((int) (seed / SEEDS_PER_EXTREME_SCENE % EXTREME_DECIMALS.size())));
        }
        return values;
    }

    /** One aggregate, its client, and the stream of writes. */
    private static final class Scene {
        private final Random random;
        private final List<BsonValue> values;
        private final AggregateSpec spec;
        private final FilterCell cell = new FilterCell(new RetentionLimits(Duration.ofDays(1), 10_000), failed -> {});
        private final Map<String, Upsert> stored = new HashMap<>();
        private final Map<String, VersionStamp> last = new HashMap<>();
        private final List<WriteEvent> written = new ArrayList<>();
        private final Map<String, BsonDocument> rows = new LinkedHashMap<>();
        private final LiveAggregate aggregate;
        private long sequence;

        private Scene(Random random, List<BsonValue> values) {
            this.random = random;
            this.values = values;
            this.spec = AggregateSpec.parse(randomSpec());
            this.aggregate = new LiveAggregate(spec, BOUNDS);
            writeSome();
            read();
        }

        /** Reads the result; the query is subscribed with it some writes later. */
        private void read() {
            StreamPosition since = new StreamPosition(sequence);
            matching().forEach(each -> aggregate.add(each.id(), each.stamp(), each.afterImage()));
            Map<String, VersionStamp> members = aggregate.members();
            writeSome();
            List<MatchEvent> missed = cell.subscribe(new QuerySpec("q", "Todo", OPEN), since, members);
            aggregate.rows().forEach(row -> rows.put(name(row), row));
            missed.forEach(this::tell);
        }

        private void writeSome() {
            for (int i = 0; i < 8; i++) {
                assertThat(deliver(write())).isEmpty();
            }
        }

        private void step() {
            WriteEvent write = random.nextInt(8) == 0 ? written.get(random.nextInt(written.size())) : write();
            deliver(write).forEach(this::tell);
        }

        private void tell(MatchEvent match) {
            List<GroupEvent> events = aggregate.apply(match, new PeriodicStepBudget());
            assertThat(events).hasSizeLessThanOrEqualTo(2);
            events.forEach(this::fold);
        }

        private void fold(GroupEvent event) {
            String name = name(event.row());
            switch (event.type()) {
                case ADD -> assertThat(rows.put(name, event.row())).isNull();
                case CHANGE ->
                    assertThat(rows.put(name, event.row())).isNotNull().isNotEqualTo(event.row());
                case REMOVE -> assertThat(rows.remove(name)).isNotNull();
                default -> throw new AssertionError(event);
            }
        }

        /** Returns the text of a row's id, by which a JavaScript client identifies rows. */
        private static String name(BsonDocument row) {
            return new BsonDocument("_id", row.get("_id")).toJson();
        }

        private Map<String, BsonDocument> client() {
            return rows;
        }

        private Map<String, BsonDocument> fresh() {
            OneShotAggregate fresh = new OneShotAggregate(spec, BOUNDS);
            matching().forEach(each -> fresh.add(each.afterImage()));
            Map<String, BsonDocument> result = new LinkedHashMap<>();
            fresh.rows().forEach(row -> result.put(name(row), row));
            assertThat(aggregate.rows()).isEqualTo(fresh.rows());
            return result;
        }

        private List<Upsert> matching() {
            return stored.values().stream()
                    .filter(object -> object.afterImage().getBoolean("open").getValue())
                    .toList();
        }

        private List<MatchEvent> deliver(WriteEvent write) {
            return cell.onWrite(++sequence, write, Instant.EPOCH.plusSeconds(sequence));
        }

        private WriteEvent write() {
            String id = "/db/Todo/" + random.nextInt(12);
            VersionStamp before = last.getOrDefault(id, new VersionStamp(0, 0));
            boolean exists = stored.containsKey(id);
            VersionStamp versionStamp = exists
                    ? new VersionStamp(before.incarnation(), before.version() + 1)
                    : new VersionStamp(before.incarnation() + 1, 1);
            WriteEvent write = exists && random.nextInt(4) == 0
                    ? new WriteEvent.Delete("Todo", id, versionStamp)
                    : new Upsert(
                            "Todo",
                            id,
                            versionStamp,
                            exists ? WriteOperation.UPDATE : WriteOperation.INSERT,
                            document(id));
            note(write);
            return write;
        }

        private void note(WriteEvent write) {
            last.put(write.id(), write.stamp());
            written.add(write);
            write.upsert().ifPresentOrElse(upsert -> stored.put(write.id(), upsert), () -> stored.remove(write.id()));
        }

        private BsonDocument document(String id) {
            BsonDocument document = new BsonDocument("_id", new BsonString(id))
                    .append("open", BsonBoolean.valueOf(random.nextInt(4) > 0));
            maybe(document, "k", KEYS);
            maybe(document, "l", KEYS);
            maybe(document, "v", values);
            maybe(document, "w", values);
            return document;
        }

        private void maybe(BsonDocument document, String field, List<BsonValue> candidates) {
            if (random.nextInt(8) > 0) {
                document.append(field, candidates.get(random.nextInt(candidates.size())));
            }
        }

        private BsonDocument randomSpec() {
            List<String> keys = List.of("null", "'$k'", "'$k.a'", "{k: '$k'}", "{k: '$k', l: '$l'}");
            BsonDocument group = BsonDocument.parse("{_id: " + keys.get(random.nextInt(keys.size())) + "}");
            List<String> operators = List.of(
                    "{$count: {}}", "{$sum: 2}", "{$sum: '$v'}", "{$avg: '$v'}", "{$min: '$v'}", "{$max: '$w'}");
            int fields = random.nextInt(5);
            for (int i = 0; i < fields; i++) {
                group.append("f" + i, BsonDocument.parse(operators.get(random.nextInt(operators.size()))));
            }
            return group;
        }
    }
}
