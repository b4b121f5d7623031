package io.invalidb.sorting;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.cell.FilterCell;
import io.invalidb.matching.cell.RetentionLimits;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.support.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sorted queries behind a filter cell, under random late and duplicate writes, with slow renewals:
 * a client that only applies events has the result of a fresh query.
 */
final class SortedWindowPropertyTest {

    private static final Filter OPEN = Filter.parse(new BsonDocument("open", BsonBoolean.TRUE));
    private static final List<BsonValue> VALUES = List.of(
            new BsonInt32(1),
            new BsonInt32(2),
            new BsonDouble(1.5),
            new BsonInt32(3),
            BsonNull.VALUE,
            new BsonString("a"),
            BsonBoolean.TRUE,
            new BsonArray(List.of(new BsonInt32(0), new BsonInt32(4))));

    /** Fixed seeds, so that a failure can be repeated. */
    static LongStream seeds() {
        return Scope.seeds(600);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void foldedEvents_equalFreshQuery_afterEveryStep(long seed) {
        Scene scene = new Scene(new Random(seed));

        for (int step = 0; step < 150; step++) {
            scene.step();
            scene.verify();
        }
        scene.rest();

        assertThat(scene.client).isEqualTo(scene.fresh());
    }

    /** One query, its client, and the stream of writes. */
    private static final class Scene {
        private final Random random;
        private final WindowSpec spec;
        private final int slack;
        private final FilterCell cell = new FilterCell(new RetentionLimits(Duration.ofDays(1), 10_000), failed -> {});
        private final Map<String, Upsert> stored = new HashMap<>();
        private final Map<String, VersionStamp> last = new HashMap<>();
        private final List<WriteEvent> written = new ArrayList<>();
        private List<String> client = new ArrayList<>();
        private SortedWindow window;
        private int generation;
        private long sequence;
        private @Nullable Renewal renewal;

        private Scene(Random random) {
            this.random = random;
            SortOrder order = SortOrder.parse(new BsonDocument("a", new BsonInt32(random.nextBoolean() ? 1 : -1)));
            this.spec = new WindowSpec(order, random.nextInt(3), 1 + random.nextInt(4));
            this.slack = 1 + random.nextInt(3);
            for (int i = 0; i < 10; i++) {
                deliver(write());
            }
            this.window = new Renewal().subscribe();
            client = ids(window.content());
        }

        private void step() {
            int kind = random.nextInt(10);
            if (kind < 7) {
                writeAndCheck();
            } else if (kind == 7) {
                tell(deliver(written.get(random.nextInt(written.size()))));
            } else if (renewal != null) {
                finishRenewal();
            }
            if (renewal == null && (window.needsRenewal() || random.nextInt(20) == 0)) {
                renewal = new Renewal();
            }
            if (window.ignoredCount() > 2) {
                cell.releaseObjects("q" + generation, window.drainIgnored());
            }
            if (random.nextInt(3) == 0) {
                window.horizon().ifPresent(horizon -> cell.setHorizon("q" + generation, horizon));
            }
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
                    : upsert(id, versionStamp, exists ? WriteOperation.UPDATE : WriteOperation.INSERT);
            last.put(id, versionStamp);
            write.upsert().ifPresentOrElse(upsert -> stored.put(id, upsert), () -> stored.remove(id));
            written.add(write);
            return write;
        }

        private Upsert upsert(String id, VersionStamp versionStamp, WriteOperation writeOperation) {
            BsonDocument document = new BsonDocument("_id", new BsonString(id))
                    .append("open", BsonBoolean.valueOf(random.nextInt(4) > 0));
            if (random.nextInt(8) > 0) {
                document.append("a", VALUES.get(random.nextInt(VALUES.size())));
            }
            return new Upsert("Todo", id, versionStamp, writeOperation, document);
        }

        @CanIgnoreReturnValue
        private List<MatchEvent> deliver(WriteEvent write) {
            return cell.onWrite(++sequence, write, Instant.EPOCH.plusSeconds(sequence));
        }

        private void writeAndCheck() {
            List<String> before = List.copyOf(client);
            WriteEvent write = write();

            List<WindowEvent> events = tell(deliver(write));

            assertThat(events.stream().skip(1)).noneMatch(event -> event.type() == MatchType.REMOVE);
            assertThat(ofType(events, MatchType.REMOVE)).isEqualTo(minus(before, client));
            assertThat(ofType(events, MatchType.ADD)).isEqualTo(minus(client, before));
            assertThat(events).allSatisfy(event -> assertIsToldRight(event, write, before));
        }

        private void assertIsToldRight(WindowEvent event, WriteEvent write, List<String> before) {
            String id = event.write().id();
            boolean isWritten = id.equals(write.id());
            assertThat(event.write().operation()).isEqualTo(isWritten ? write.operation() : WriteOperation.NONE);
            if (event.type() != MatchType.REMOVE) {
                assertThat(event.index()).hasValue(client.indexOf(id));
            }
            if (event.type() == MatchType.CHANGE || event.type() == MatchType.CHANGE_INDEX) {
                assertThat(isWritten).isTrue();
                assertThat(before.indexOf(id) == client.indexOf(id)).isEqualTo(event.type() == MatchType.CHANGE);
            }
        }

        @CanIgnoreReturnValue
        private List<WindowEvent> tell(List<MatchEvent> matches) {
            List<WindowEvent> events = new ArrayList<>();
            for (MatchEvent match : matches) {
                events.addAll(window.apply(match, new PeriodicStepBudget()));
            }
            events.forEach(this::fold);
            return events;
        }

        private void fold(WindowEvent event) {
            String id = event.write().id();
            switch (event.type()) {
                case ADD -> {
                    assertThat(client).doesNotContain(id);
                    client.add(event.index().orElseThrow(), id);
                }
                case CHANGE ->
                    assertThat(client).element(event.index().orElseThrow()).isEqualTo(id);
                case CHANGE_INDEX -> {
                    assertThat(client.remove(id)).isTrue();
                    client.add(event.index().orElseThrow(), id);
                }
                case REMOVE -> assertThat(client.remove(id)).isTrue();
            }
        }

        /**
         * Checks that the published events are correct, and complete unless the query has to be
         * executed again.
         */
        private void verify() {
            List<String> fresh = fresh();
            assertThat(client).isEqualTo(ids(window.content()));
            assertThat(client).isEqualTo(window.needsRenewal() ? fresh.subList(0, client.size()) : fresh);
        }

        private List<String> fresh() {
            return ids(matching().skip(spec.offset()).limit(spec.limit()).toList());
        }

        private Stream<Upsert> matching() {
            return stored.values().stream()
                    .filter(object -> object.afterImage().getBoolean("open").getValue())
                    .sorted((one, other) -> spec.order().compare(one.afterImage(), other.afterImage()));
        }

        /**
         * Runs renewals without further writes; a renewal that began earlier may demand another
         * one.
         */
        private void rest() {
            finishRenewal();
            if (window.needsRenewal()) {
                renewal = new Renewal();
                finishRenewal();
            }
        }

        private void finishRenewal() {
            if (renewal != null) {
                SortedWindow renewed = renewal.subscribe();
                renewed.eventsSince(window).forEach(this::fold);
                window = renewed;
                renewal = null;
            }
        }

        private static List<String> ids(List<Upsert> objects) {
            return new ArrayList<>(objects.stream().map(WriteEvent::id).toList());
        }

        private static Set<String> ofType(List<WindowEvent> events, MatchType type) {
            return events.stream()
                    .filter(event -> event.type() == type)
                    .map(event -> event.write().id())
                    .collect(Collectors.toSet());
        }

        private static Set<String> minus(List<String> some, List<String> others) {
            Set<String> rest = new HashSet<>(some);
            others.forEach(rest::remove);
            return rest;
        }

        /** An execution of the query, which reads now and is subscribed after some more writes. */
        private final class Renewal {
            private final StreamPosition since = new StreamPosition(sequence);
            private final List<Upsert> result =
                    matching().limit(SortedWindow.capacity(spec, slack)).toList();

            private SortedWindow subscribe() {
                Map<String, VersionStamp> members =
                        result.stream().collect(Collectors.toMap(WriteEvent::id, WriteEvent::stamp));
                SortedWindow renewed = new SortedWindow(spec, slack, result);
                generation++;
                cell.subscribe(new QuerySpec("q" + generation, "Todo", OPEN), since, members)
                        .forEach(match -> assertThat(renewed.apply(match, new PeriodicStepBudget()))
                                .isNotNull());
                cell.unsubscribe("q" + (generation - 1));
                return renewed;
            }
        }
    }
}
