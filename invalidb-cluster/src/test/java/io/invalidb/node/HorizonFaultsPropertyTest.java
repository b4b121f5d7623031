package io.invalidb.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.grid.GridSize;
import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.QuerySpec;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortHorizon;
import io.invalidb.query.sort.SortOrder;
import io.invalidb.sorting.SortedWindow;
import io.invalidb.sorting.WindowEvent;
import io.invalidb.sorting.WindowSpec;
import io.orestes.support.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Cells with horizons, for all kinds of orders. Some horizons arrive long after the window has come
 * closer or the query has been executed again. Writes arrive in any order, and cells stop. A client
 * that only applies events has the result of a fresh query, in its order and in the same states.
 * Queries are executed as by the server, concurrently with the execution that is to be replaced.
 */
final class HorizonFaultsPropertyTest {

    private static final int QUIET_POINTS = 4;
    private static final int STEPS = 120;
    private static final int QUERIES = 5;

    /** Maximum number of turns until every client has a result after the last write. */
    private static final int MOST_TURNS = 10;

    private static final Filter OPEN = Filter.parse(BsonDocument.parse("{open: true}"));
    private static final Filter NEAR = Filter.parse(
            BsonDocument.parse("{open: true, place: {$nearSphere: {$geometry: {type: 'Point', coordinates: [0, 0]},"
                    + " $maxDistance: 400000}}}"));
    private static final List<SortOrder> ORDERS = Stream.of(
                    "{a: 1}",
                    "{a: -1}",
                    "{a: 1, n: -1}",
                    "{n: -1, a: 1}",
                    "{list: 1}",
                    "{list: -1, n: 1}",
                    "{'list.x': 1}",
                    "{'list.0': -1}",
                    "{_id: -1}",
                    "{}")
            .map(order -> SortOrder.parse(BsonDocument.parse(order)))
            .toList();

    static LongStream seeds() {
        return Scope.seeds(600);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void foldedEvents_equalFreshQuery_wheneverAllHasSettled(long seed) {
        Scene scene = new Scene(new Random(seed));

        for (int point = 0; point < QUIET_POINTS; point++) {
            for (int step = 0; step < STEPS; step++) {
                scene.step();
            }
            scene.settle();
            scene.verify();
        }
    }

    /** Queries of one server, some with equal filters. */
    private static final class Scene implements MatchListener {

        private final Random random;
        private final TestCluster world;
        private final TestDatabase database;
        private final SubscriberLease subscriberLease;
        private final List<Query> queries = new ArrayList<>();
        private final Map<String, Query> byId = new HashMap<>();
        private final List<Runnable> late = new ArrayList<>();
        private int executions;

        private Scene(Random random) {
            this.random = random;
            this.world = new TestCluster(new GridSize(1 + random.nextInt(2), 1 + random.nextInt(3)), random, this);
            this.database = new TestDatabase(random, 8 + random.nextInt(24));
            this.subscriberLease = world.cluster().openLease();
            for (int i = 0; i < QUERIES; i++) {
                queries.add(new Query(random.nextInt(4) == 0 ? NEAR : OPEN));
            }
        }

        private void step() {
            int kind = random.nextInt(100);
            if (kind < 35) {
                world.send(database.write());
            } else if (kind < 60) {
                world.deliverOne();
            } else if (kind < 80) {
                world.runOne();
            } else if (kind < 90) {
                queries.get(random.nextInt(QUERIES)).proceed();
            } else if (kind < 97) {
                tellSomethingLate();
            } else {
                disturb();
            }
        }

        private void tellSomethingLate() {
            if (!late.isEmpty()) {
                late.remove(random.nextInt(late.size())).run();
            }
        }

        private void disturb() {
            switch (random.nextInt(6)) {
                case 0 -> world.stopSomeCell();
                case 1 -> world.jump(Duration.ofHours(1));
                case 2 -> world.jump(Duration.ofHours(-1));
                case 3 -> queries.get(random.nextInt(QUERIES)).begin();
                default -> tick();
            }
        }

        private void tick() {
            subscriberLease.renew();
            world.tick();
        }

        private void settle() {
            subscriberLease.renew();
            world.replaceStoppedCells();
            world.settle();
            for (int turn = 0; queries.stream().anyMatch(Query::isBehind); turn++) {
                assertThat(turn).isLessThan(MOST_TURNS);
                queries.forEach(Query::proceed);
                world.settle();
            }
        }

        private void verify() {
            queries.forEach(Query::verify);
        }

        @Override
        public void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget) {
            Query query = byId.get(event.queryId());
            if (query != null) {
                query.accept(event, periodicStepBudget);
            }
        }

        @Override
        public void onFailure(FailedQuery failed) {
            Query query = byId.remove(failed.query().id());
            if (query != null) {
                query.lost(failed.query().id());
            }
        }

        private record Generation(String id, SortedWindow window) {}

        /** One sorted query with its client. */
        private final class Query {

            private final Filter filter;
            private final WindowSpec spec;
            private final List<Upsert> client = new ArrayList<>();
            private SortedWindow shown;
            private @Nullable Generation current;
            private @Nullable Generation next;
            private @Nullable StreamPosition streamPosition;

            private Query(Filter filter) {
                this.filter = filter;
                SortOrder order = SortOrder.nearest(filter).orElseGet(() -> ORDERS.get(random.nextInt(ORDERS.size())));
                this.spec = new WindowSpec(order, random.nextInt(3), 1 + random.nextInt(4));
                this.shown = new SortedWindow(spec, 1, List.of());
            }

            private boolean isBehind() {
                return current == null || next != null || streamPosition != null || current.window.needsRenewal();
            }

            private void proceed() {
                if (streamPosition != null && next == null) {
                    execute(streamPosition);
                } else if (isBehind()) {
                    begin();
                }
            }

            private void begin() {
                if (streamPosition == null && next == null) {
                    streamPosition = world.cluster().position(TestDatabase.BUCKET);
                }
            }

            private void execute(StreamPosition since) {
                int slack = 1 + random.nextInt(3);
                List<Upsert> result =
                        fresh().limit(SortedWindow.capacity(spec, slack)).toList();
                Generation begun = new Generation("q" + executions++, new SortedWindow(spec, slack, result));
                streamPosition = null;
                next = begun;
                byId.put(begun.id, this);
                QuerySpec query = new QuerySpec(begun.id, TestDatabase.BUCKET, filter);
                var unused = world.cluster()
                        .subscribe(subscriberLease, query, since, FoldedClient.stamps(result))
                        .whenComplete((done, failure) -> conclude(begun, failure));
            }

            private void conclude(Generation begun, @Nullable Throwable failure) {
                if (!begun.equals(next)) {
                    return;
                }
                next = null;
                if (failure != null) {
                    byId.remove(begun.id);
                } else {
                    replaceBy(begun);
                }
            }

            private void replaceBy(Generation begun) {
                Generation old = current;
                current = begun;
                spare(begun);
                begun.window.eventsSince(shown).forEach(this::fold);
                shown = begun.window;
                if (old != null) {
                    byId.remove(old.id);
                    world.cluster().unsubscribe(subscriberLease, old.id);
                }
            }

            private void accept(MatchEvent event, PeriodicStepBudget periodicStepBudget) {
                if (current != null && current.id.equals(event.queryId())) {
                    current.window.apply(event, periodicStepBudget).forEach(this::fold);
                    tidy(current);
                } else if (next != null && next.id.equals(event.queryId())) {
                    assertThat(next.window.apply(event, periodicStepBudget)).isNotNull();
                }
            }

            private void tidy(Generation generation) {
                if (generation.window.ignoredCount() > random.nextInt(4)) {
                    world.cluster().releaseObjects(generation.id, generation.window.drainIgnored());
                    spare(generation);
                }
            }

            /**
             * Sets the horizon, immediately or later, when the window may have a closer one and the
             * query may have ended.
             */
            private void spare(Generation generation) {
                generation.window.horizon().ifPresent(sortHorizon -> {
                    if (random.nextInt(3) > 0) {
                        spare(generation.id, sortHorizon);
                    }
                    late.add(() -> spare(generation.id, sortHorizon));
                });
            }

            private void spare(String id, SortHorizon sortHorizon) {
                world.cluster().setHorizon(id, sortHorizon);
            }

            private void lost(String id) {
                current = current != null && current.id.equals(id) ? null : current;
                next = next != null && next.id.equals(id) ? null : next;
            }

            private void fold(WindowEvent event) {
                WriteEvent write = event.write();
                boolean isKnown = client.removeIf(object -> object.id().equals(write.id()));
                assertThat(isKnown).isEqualTo(event.type() != MatchType.ADD);
                event.index().ifPresent(index -> client.add(index, (Upsert) write));
            }

            private Stream<Upsert> fresh() {
                return database.matching(filter).stream()
                        .sorted((one, other) -> spec.order().compare(one.afterImage(), other.afterImage()));
            }

            private void verify() {
                assertThat(states(client.stream()))
                        .as("%s %s", filter, spec)
                        .isEqualTo(states(fresh().skip(spec.offset()).limit(spec.limit())));
            }

            private static List<String> states(Stream<Upsert> objects) {
                return objects.map(object -> object.id() + " " + object.stamp()).toList();
            }
        }
    }
}
