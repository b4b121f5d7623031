package io.invalidb.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.grid.GridSize;
import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.cell.History;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.filter.Filter;
import io.orestes.support.Scope;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The property of one cell for whole grids, with several publishing threads and several queries.
 */
@Timeout(60)
final class MatchingServicePropertyTest {

    private static final int COMMITS = 60;
    private static final int QUERIES = 4;
    private static final ExecutorService PUBLISHERS = Executors.newFixedThreadPool(3);

    static Stream<Arguments> gridsAndSeeds() {
        return Stream.of(new GridSize(1, 1), new GridSize(2, 2), new GridSize(3, 2))
                .flatMap(size -> Scope.seeds(200).mapToObj(seed -> Arguments.of(size, seed)));
    }

    @AfterAll
    static void stopPublishers() {
        PUBLISHERS.shutdown();
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("gridsAndSeeds")
    void foldedEvents_equalFreshQuery(GridSize size, long seed) throws Exception {
        Map<String, List<MatchEvent>> events = new ConcurrentHashMap<>();
        try (MatchingService cluster =
                MatchingService.start(options(size), (event, allowance) -> record(event, events))) {
            Scenario scenario = new Scenario(cluster, new Random(seed));

            scenario.play();

            scenario.results.forEach(
                    (query, result) -> assertThat(History.folded(result, events.getOrDefault(query, List.of())))
                            .as(query)
                            .isEqualTo(scenario.history.resultAfter(COMMITS)));
        }
    }

    private static GridOptions options(GridSize size) {
        return new GridOptions(size, Duration.ofHours(1), 10 * COMMITS, InstantSource.fixed(Instant.EPOCH));
    }

    private static void record(MatchEvent event, Map<String, List<MatchEvent>> events) {
        events.computeIfAbsent(event.queryId(), id -> new CopyOnWriteArrayList<>())
                .add(event);
    }

    /** Commits in order; some thread publishes every write some time later, perhaps twice. */
    private static final class Scenario {

        private final MatchingService cluster;
        private final Random random;
        private final History history;
        private final List<WriteEvent> unpublished = new ArrayList<>();
        private final List<CompletableFuture<?>> underWay = new ArrayList<>();
        private final Map<String, StreamPosition> positions = new HashMap<>();
        private final Map<String, Map<String, VersionStamp>> results = new HashMap<>();

        Scenario(MatchingService cluster, Random random) {
            this.cluster = cluster;
            this.random = random;
            this.history = History.random(random, COMMITS);
        }

        void play() throws Exception {
            for (int commits = 1; commits <= COMMITS; commits++) {
                unpublished.add(history.writes().get(commits - 1));
                publishSome(random.nextInt(3));
                askSomePositions(commits == COMMITS);
                executeSome(commits);
            }
            publishSome(unpublished.size());
            for (CompletableFuture<?> answer : underWay) {
                Object unused = answer.get(30, TimeUnit.SECONDS);
            }
        }

        private void publishSome(int count) {
            for (int i = 0; i < count && !unpublished.isEmpty(); i++) {
                publish(unpublished.remove(random.nextInt(unpublished.size())));
            }
        }

        private void publish(WriteEvent write) {
            IntStream.rangeClosed(0, random.nextInt(5) / 4)
                    .forEach(
                            time -> underWay.add(CompletableFuture.supplyAsync(() -> cluster.publish(write), PUBLISHERS)
                                    .thenCompose(stage -> stage)));
        }

        private void askSomePositions(boolean all) {
            IntStream.range(0, QUERIES)
                    .filter(query -> all || random.nextInt(30) == 0)
                    .forEach(query -> positions.putIfAbsent("q" + query, cluster.position("Todo")));
        }

        private void executeSome(int commits) {
            positions.forEach((query, position) -> {
                if (!results.containsKey(query) && (commits == COMMITS || random.nextInt(5) == 0)) {
                    results.put(query, history.resultAfter(commits));
                    underWay.add(cluster.subscribe(
                                    cluster.openLease(),
                                    positive(query),
                                    position,
                                    results.getOrDefault(query, Map.of()))
                            .toCompletableFuture());
                }
            });
        }

        private static QuerySpec positive(String id) {
            return new QuerySpec(id, "Todo", Filter.parse(BsonDocument.parse("{n: {$gt: 0}}")));
        }
    }
}
