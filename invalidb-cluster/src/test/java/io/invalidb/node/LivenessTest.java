package io.invalidb.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.invalidb.grid.GridSize;
import io.invalidb.grid.UnresponsiveCellException;
import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.QuerySpec;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;

/** Cells that stop and application servers that crash. */
final class LivenessTest implements MatchListener {

    private final List<MatchEvent> events = new ArrayList<>();
    private final List<FailedQuery> failures = new ArrayList<>();
    private final TestCluster world = new TestCluster(new GridSize(1, 1), new Random(1), this);
    private final MatchingService cluster = world.cluster();
    private final SubscriberLease subscriberLease = cluster.openLease();

    @Override
    public void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget) {
        events.add(event);
    }

    @Override
    public void onFailure(FailedQuery failed) {
        failures.add(failed);
    }

    @Test
    void tick_cellHasStopped_itsQueriesEndAndWritersAreAnswered() {
        subscribed("q");
        world.stopSomeCell();
        CompletableFuture<Void> write = cluster.publish(write("a", 1)).toCompletableFuture();

        ticks(3);
        boolean answeredEarly = write.isDone();
        ticks(1);

        assertThat(answeredEarly).isFalse();
        assertThat(write).isCompleted();
        assertThat(failures).singleElement().satisfies(failed -> {
            assertThat(failed.query().id()).isEqualTo("q");
            assertThat(failed.cause()).isInstanceOf(UnresponsiveCellException.class);
        });
        assertThat(cluster.activeQueries()).isZero();
    }

    @Test
    void tick_cellAnswers_nothingEnds() {
        subscribed("q");

        ticks(20);

        assertThat(failures).isEmpty();
        assertThat(cluster.activeQueries()).isEqualTo(1);
    }

    @Test
    void subscribe_whileTheCellHasStopped_failsWhenItIsReplaced() {
        world.stopSomeCell();
        CompletableFuture<Void> subscription = subscribe(subscriberLease, "q");

        ticks(4);

        assertThat(subscription).isCompletedExceptionally();
        assertThat(cluster.activeQueries()).isZero();
    }

    @Test
    void subscribe_afterTheCellWasReplaced_isWatchedByTheNewOne() {
        world.stopSomeCell();
        ticks(4);

        subscribed("q");
        publish(write("a", 1));

        assertThat(events).hasSize(1);
    }

    /** The new cell does not have the retained writes of the old one. */
    @Test
    void subscribe_positionBeforeTheCellWasReplaced_fails() {
        var before = cluster.position("Todo");
        publish(write("a", 1));
        world.stopSomeCell();
        ticks(4);

        CompletableFuture<Void> subscription = cluster.subscribe(subscriberLease, positive("q"), before, Map.of())
                .toCompletableFuture();
        world.settle();

        assertThat(subscription).isCompletedExceptionally();
    }

    @Test
    void tick_leaseNotRenewed_itsQueriesEnd() {
        SubscriberLease dying = cluster.openLease();
        subscribe(dying, "q");
        world.settle();

        ticks(SubscriberLease.LIFETIME_TICKS);
        publish(write("a", 1));

        assertThat(cluster.activeQueries()).isZero();
        assertThat(failures).singleElement().satisfies(failed -> assertThat(failed.cause())
                .isInstanceOf(LeaseExpiredException.class));
        assertThat(events).isEmpty();
        assertThat(subscribe(dying, "r")).isCompletedExceptionally();
        assertThat(cluster.activeQueries()).isZero();
    }

    @Test
    void tick_otherLeaseHoldsTheQueryToo_itGoesOn() {
        SubscriberLease dying = cluster.openLease();
        subscribe(dying, "q");
        subscribe(subscriberLease, "q");
        world.settle();

        ticks(SubscriberLease.LIFETIME_TICKS);
        publish(write("a", 1));

        assertThat(failures).isEmpty();
        assertThat(events).hasSize(1);
    }

    @Test
    void unsubscribe_otherLeaseHoldsTheQueryToo_itGoesOn() {
        SubscriberLease other = cluster.openLease();
        subscribe(subscriberLease, "q");
        subscribe(other, "q");

        cluster.unsubscribe(subscriberLease, "q");
        cluster.unsubscribe(subscriberLease, "q");

        assertThat(cluster.activeQueries()).isEqualTo(1);
        cluster.unsubscribe(other, "q");
        assertThat(cluster.activeQueries()).isZero();
    }

    private void ticks(int count) {
        for (int i = 0; i < count; i++) {
            subscriberLease.renew();
            world.tick();
            world.settle();
        }
    }

    private void subscribed(String id) {
        CompletableFuture<Void> subscription = subscribe(subscriberLease, id);
        world.settle();
        assertThat(subscription).isCompleted();
    }

    @CanIgnoreReturnValue
    private CompletableFuture<Void> subscribe(SubscriberLease by, String id) {
        return cluster.subscribe(by, positive(id), cluster.position("Todo"), Map.of())
                .toCompletableFuture();
    }

    private void publish(WriteEvent write) {
        world.send(write);
        world.settle();
    }

    private static QuerySpec positive(String id) {
        return new QuerySpec(id, "Todo", Filter.parse(BsonDocument.parse("{n: {$gt: 0}}")));
    }

    private static WriteEvent write(String id, long version) {
        return new WriteEvent.Upsert(
                "Todo",
                id,
                new VersionStamp(1, version),
                WriteOperation.UPDATE,
                new BsonDocument("n", new BsonInt32(5)));
    }
}
