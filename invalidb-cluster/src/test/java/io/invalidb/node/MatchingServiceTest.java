package io.invalidb.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.grid.CellLoadCounters;
import io.invalidb.grid.GridSize;
import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.cell.RetentionExceededException;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.assertj.core.groups.Tuple;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class MatchingServiceTest {

    private volatile Instant now = Instant.EPOCH;
    private final GridOptions twoByTwo = new GridOptions(new GridSize(2, 2), Duration.ofMinutes(1), 4, () -> now);
    private final List<MatchEvent> events = new CopyOnWriteArrayList<>();
    private final List<FailedQuery> failures = new CopyOnWriteArrayList<>();
    private final MatchListener listener = new MatchListener() {
        @Override
        public void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget) {
            events.add(event);
        }

        @Override
        public void onFailure(FailedQuery failed) {
            failures.add(failed);
        }
    };
    private MatchingService cluster = MatchingService.start(twoByTwo, (event, periodicStepBudget) -> events.add(event));
    private SubscriberLease subscriberLease = cluster.openLease();

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void publish_matchingWrite_hasToldTheListenerWhenItCompletes() throws Exception {
        await(cluster.subscribe(subscriberLease, positive("q"), cluster.position("Todo"), Map.of()));

        await(cluster.publish(write("a", 1, 5)));

        assertThat(events).extracting(MatchEvent::queryId, MatchEvent::type).containsExactly(tuple("q", MatchType.ADD));
    }

    @Test
    void cellCounts_afterWrites_areThoseOfTheCellsThatTheyMet() throws Exception {
        GridSize size = twoByTwo.size();
        await(cluster.subscribe(subscriberLease, positive("q"), cluster.position("Todo"), Map.of()));
        int row = size.queryPartition("q");
        int column = size.writePartition("a");

        await(cluster.publish(write("a", 1, 5)));
        await(cluster.publish(write("a", 2, 6)));

        assertThat(cluster.queriesByRow().get(row)).isOne();
        assertThat(cluster.cellCounts()).hasSize(2).allSatisfy(cells -> assertThat(cells)
                .hasSize(2));
        assertThat(cluster.cellCounts().get(row).get(column)).isEqualTo(new CellLoadCounters(2, 2, 2));
        assertThat(cluster.cellCounts().get(1 - row).get(column)).isEqualTo(new CellLoadCounters(2, 0, 0));
        assertThat(cluster.cellCounts())
                .allSatisfy(cells -> assertThat(cells.get(1 - column)).isEqualTo(new CellLoadCounters(0, 0, 0)));
    }

    @Test
    void publish_noQueryOnTheBucket_isCompleteAtOnce() {
        assertThat(cluster.publish(write("a", 1, 5)).toCompletableFuture()).isDone();
    }

    @Test
    void tick_afterTheRetention_letsAllCellsGiveUpOldWrites() throws Exception {
        AtomicLong millis = new AtomicLong();
        restart(
                new GridOptions(new GridSize(2, 2), Duration.ofMinutes(1), 4, () -> Instant.ofEpochMilli(millis.get())),
                (event, periodicStepBudget) -> events.add(event));
        await(cluster.subscribe(subscriberLease, positive("p"), cluster.position("Todo"), Map.of()));
        StreamPosition before = cluster.position("Todo");
        await(cluster.publish(write("a", 1, 5)));

        millis.addAndGet(61_000);
        await(cluster.tick());

        assertThatThrownBy(() -> await(cluster.subscribe(subscriberLease, positive("q"), before, Map.of())))
                .hasCauseInstanceOf(RetentionExceededException.class);
    }

    @Test
    void publish_queryBeingSubscribed_waitsForIt() throws Exception {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        restart(twoByTwo, (event, periodicStepBudget) -> awaitLatch(mayGoOn));
        await(cluster.subscribe(subscriberLease, positive("q"), cluster.position("Todo"), Map.of()));

        CompletionStage<Void> published = cluster.publish(write("a", 1, 5));
        boolean doneBefore = published.toCompletableFuture().isDone();
        mayGoOn.countDown();
        await(published);

        assertThat(doneBefore).isFalse();
    }

    @Test
    void publish_afterTheLastUnsubscribe_isCompleteAtOnceAgain() throws Exception {
        await(cluster.subscribe(subscriberLease, positive("q"), cluster.position("Todo"), Map.of()));
        cluster.unsubscribe(subscriberLease, "q");

        CompletionStage<Void> published = cluster.publish(write("a", 1, 5));

        assertThat(published.toCompletableFuture()).isDone();
        assertThat(cluster.activeQueries()).isZero();
    }

    @Test
    void subscribe_writeSincePosition_isReplayedBeforeItCompletes() throws Exception {
        StreamPosition before = cluster.position("Todo");
        await(cluster.publish(write("a", 1, 5)));

        await(cluster.subscribe(subscriberLease, positive("q"), before, Map.of()));

        assertThat(events).extracting(MatchEvent::type).containsExactly(MatchType.ADD);
    }

    @Test
    void subscribe_writeTheResultKnows_isNoNews() throws Exception {
        StreamPosition before = cluster.position("Todo");
        await(cluster.publish(write("a", 1, 5)));

        await(cluster.subscribe(subscriberLease, positive("q"), before, Map.of("a", new VersionStamp(1, 1))));

        assertThat(events).isEmpty();
    }

    @Test
    void subscribe_positionNoLongerRetained_failsAndLeavesNothingBehind() throws Exception {
        StreamPosition before = cluster.position("Todo");
        for (int i = 0; i < 100; i++) {
            await(cluster.publish(write("a" + i, 1, 5)));
        }

        CompletionStage<Void> subscribed = cluster.subscribe(subscriberLease, positive("q"), before, Map.of());

        assertThatThrownBy(() -> await(subscribed)).hasCauseInstanceOf(RetentionExceededException.class);
        assertThat(cluster.activeQueries()).isZero();
        assertThat(cluster.publish(write("b", 1, 5)).toCompletableFuture()).isDone();
    }

    @Test
    void subscribe_positionThatWasNotAskedFor_fails() throws Exception {
        await(cluster.publish(write("a", 1, 5)));

        CompletionStage<Void> subscribed =
                cluster.subscribe(subscriberLease, positive("q"), new StreamPosition(0), Map.of());

        assertThatThrownBy(() -> await(subscribed)).hasCauseInstanceOf(RetentionExceededException.class);
    }

    @Test
    void subscribe_longAfterThePosition_failsIfThereWereWrites() throws Exception {
        StreamPosition before = cluster.position("Todo");
        now = now.plus(twoByTwo.retention()).plusMillis(1);
        await(cluster.publish(write("a", 1, 5)));

        CompletionStage<Void> subscribed = cluster.subscribe(subscriberLease, positive("q"), before, Map.of());

        assertThatThrownBy(() -> await(subscribed)).hasCauseInstanceOf(RetentionExceededException.class);
    }

    @Test
    void subscribe_positionOnAnotherBucket_retainsNothingHere() throws Exception {
        StreamPosition before = cluster.position("Other");
        await(cluster.publish(write("a", 1, 5)));

        CompletionStage<Void> subscribed = cluster.subscribe(subscriberLease, positive("q"), before, Map.of());

        assertThatThrownBy(() -> await(subscribed)).hasCauseInstanceOf(RetentionExceededException.class);
    }

    @Test
    void subscribe_afterItFailed_succeedsWithANewPosition() throws Exception {
        for (int i = 0; i < 100; i++) {
            await(cluster.publish(write("a" + i, 1, 5)));
        }
        assertThatThrownBy(
                        () -> await(cluster.subscribe(subscriberLease, positive("q"), new StreamPosition(0), Map.of())))
                .isInstanceOf(ExecutionException.class);

        await(cluster.subscribe(subscriberLease, positive("q"), cluster.position("Todo"), Map.of()));
        await(cluster.publish(write("b", 1, 5)));

        assertThat(events).hasSize(1);
    }

    @Test
    void subscribe_activeId_replacesNothing() throws Exception {
        await(cluster.subscribe(
                subscriberLease, positive("q"), cluster.position("Todo"), Map.of("a", new VersionStamp(1, 1))));

        await(cluster.subscribe(subscriberLease, positive("q"), cluster.position("Todo"), Map.of()));
        await(cluster.publish(write("a", 2, 5)));

        assertThat(cluster.activeQueries()).isEqualTo(1);
        assertThat(events).extracting(MatchEvent::type).containsExactly(MatchType.CHANGE);
    }

    @Test
    void onMatch_listenerThrows_cellsGoOn() throws Exception {
        restart(twoByTwo, (event, periodicStepBudget) -> {
            events.add(event);
            throw new IllegalStateException("a listener with a mistake");
        });
        await(cluster.subscribe(subscriberLease, positive("q"), cluster.position("Todo"), Map.of()));

        await(cluster.publish(write("a", 1, 5)));
        await(cluster.publish(write("a", 2, 6)));

        assertThat(events).hasSize(2);
    }

    @Test
    void publish_documentThatBreaksAFilter_endsThatQueryAndDisturbsNoOther() throws Exception {
        restart(twoByTwo, listener);
        QuerySpec other = new QuerySpec("other", "Todo", Filter.parse(BsonDocument.parse("{m: 1}")));
        await(cluster.subscribe(subscriberLease, positive("q"), cluster.position("Todo"), Map.of()));
        await(cluster.subscribe(subscriberLease, other, cluster.position("Todo"), Map.of()));

        await(cluster.publish(
                new WriteEvent.Upsert("Todo", "a", new VersionStamp(1, 1), WriteOperation.INSERT, broken("n"))));

        assertThat(events).extracting(MatchEvent::queryId).containsExactly("other");
        assertThat(failures).extracting(failed -> failed.query().id()).containsExactly("q");
        assertThat(cluster.activeQueries()).isEqualTo(1);
    }

    /** Objects of both columns, so that two cells fail. */
    @Test
    void publish_filterExceedsItsBudgetInSeveralCells_isReportedOnceAndCellsGoOn() throws Exception {
        restart(twoByTwo, listener);
        await(cluster.subscribe(subscriberLease, expensive("q"), cluster.position("Todo"), Map.of()));
        await(cluster.subscribe(subscriberLease, positive("other"), cluster.position("Todo"), Map.of()));

        List<CompletionStage<Void>> writes = IntStream.range(0, 20)
                .mapToObj(i -> cluster.publish(longText("object" + i)))
                .toList();
        for (CompletionStage<Void> write : writes) {
            await(write);
        }

        assertThat(failures).singleElement().satisfies(failed -> {
            assertThat(failed.query().id()).isEqualTo("q");
            assertThat(failed.cause()).isInstanceOf(BudgetExceededException.class);
        });
        assertThat(events).hasSize(20).extracting(MatchEvent::queryId).containsOnly("other");
    }

    @Test
    void subscribe_againAfterAFailure_isWatchedAnew() throws Exception {
        restart(twoByTwo, listener);
        await(cluster.subscribe(subscriberLease, expensive("q"), cluster.position("Todo"), Map.of()));
        await(cluster.publish(longText("a")));

        await(cluster.subscribe(subscriberLease, expensive("q"), cluster.position("Todo"), Map.of()));
        await(cluster.publish(longText("b")));

        assertThat(failures).hasSize(2);
    }

    @Test
    void publish_listenerStillHearsOfAFailure_otherWritesWaitForIt() throws Exception {
        CountDownLatch failureReported = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        restart(new GridOptions(new GridSize(1, 1), Duration.ofMinutes(1), 4, () -> now), new MatchListener() {
            @Override
            public void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget) {}

            @Override
            public void onFailure(FailedQuery failed) {
                failureReported.countDown();
                awaitLatch(mayGoOn);
            }
        });
        await(cluster.subscribe(subscriberLease, expensive("q"), cluster.position("Todo"), Map.of()));
        CompletionStage<Void> failing = cluster.publish(longText("a"));
        awaitLatch(failureReported);

        CompletionStage<Void> next = cluster.publish(write("b", 1, 5));
        boolean doneBefore = next.toCompletableFuture().isDone();
        mayGoOn.countDown();
        await(failing);
        await(next);

        assertThat(doneBefore).isFalse();
    }

    @Test
    void close_thenAnyCall_fails() {
        cluster.close();

        assertThat(cluster.publish(write("a", 1, 5)).toCompletableFuture()).isCompletedExceptionally();
        assertThat(cluster.subscribe(subscriberLease, positive("q"), cluster.position("Todo"), Map.of())
                        .toCompletableFuture())
                .isCompletedExceptionally();
    }

    @Test
    void close_withWritesUnderWay_answersThemFirst() throws Exception {
        await(cluster.subscribe(subscriberLease, positive("q"), cluster.position("Todo"), Map.of()));
        CompletionStage<Void> last = cluster.publish(write("a", 1, 5));
        for (int i = 2; i < 1_000; i++) {
            last = cluster.publish(write("a", i, 5));
        }

        cluster.close();

        assertThat(last.toCompletableFuture()).isDone();
        assertThat(events).hasSize(999);
    }

    @Test
    void defaults_areOneRowOfCores() {
        GridSize size = GridOptions.defaults().size();

        assertThat(size).isEqualTo(new GridSize(1, Runtime.getRuntime().availableProcessors()));
    }

    private void restart(GridOptions options, MatchListener listener) {
        cluster.close();
        cluster = MatchingService.start(options, listener);
        subscriberLease = cluster.openLease();
    }

    private static QuerySpec positive(String id) {
        return new QuerySpec(id, "Todo", Filter.parse(BsonDocument.parse("{n: {$gt: 0}}")));
    }

    private static QuerySpec expensive(String id) {
        return new QuerySpec(id, "Todo", Filter.parse(BsonDocument.parse("{t: {$regex: '[ab]{900}c'}}")));
    }

    private static WriteEvent longText(String id) {
        BsonDocument after = new BsonDocument("_id", new BsonString(id))
                .append("n", new BsonInt32(5))
                .append("t", new BsonString("a".repeat(100_000)));
        return new WriteEvent.Upsert("Todo", id, new VersionStamp(1, 1), WriteOperation.INSERT, after);
    }

    private static WriteEvent write(String id, long version, int n) {
        BsonDocument after = new BsonDocument("_id", new BsonString(id)).append("n", new BsonInt32(n));
        return new WriteEvent.Upsert("Todo", id, new VersionStamp(1, version), WriteOperation.UPDATE, after);
    }

    private static BsonDocument broken(String path) {
        BsonDocument document = new BsonDocument() {
            @Override
            public @Nullable BsonValue get(Object key) {
                if (key.equals(path)) {
                    throw new IllegalStateException("a document with a mistake");
                }
                return super.get(key);
            }
        };
        return document.append("m", new BsonInt32(1));
    }

    private static Tuple tuple(Object... values) {
        return Tuple.tuple(values);
    }

    private static void await(CompletionStage<Void> stage) throws Exception {
        var unused = stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            boolean unused = latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
