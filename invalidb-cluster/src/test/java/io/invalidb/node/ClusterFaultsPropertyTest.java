package io.invalidb.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.grid.GridSize;
import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.QuerySpec;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.query.PeriodicStepBudget;
import io.orestes.support.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Late, duplicate and reordered writes, before, during and after subscriptions; cells that lag and
 * stop, clocks that jump. Whenever all messages are delivered, a client that only applies events
 * has the result of a fresh query.
 */
final class ClusterFaultsPropertyTest {

    private static final int QUIET_POINTS = 6;
    private static final int STEPS = 60;
    private static final int CLIENTS = 6;

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

        scene.leave();
        assertThat(scene.world.cluster().activeQueries()).isZero();
    }

    /** Clients of one cluster, whose servers renew the lease. */
    private static final class Scene implements MatchListener {

        private final Random random;
        private final TestCluster world;
        private final TestDatabase database;
        private final SubscriberLease subscriberLease;
        private final List<Session> sessions = new ArrayList<>();
        private final Map<String, Session> byQuery = new HashMap<>();
        private int queries;

        private Scene(Random random) {
            this.random = random;
            this.world = new TestCluster(new GridSize(1 + random.nextInt(2), 1 + random.nextInt(3)), random, this);
            this.database = new TestDatabase(random);
            this.subscriberLease = world.cluster().openLease();
            for (int i = 0; i < CLIENTS; i++) {
                sessions.add(new Session(client(i)));
            }
        }

        private FoldedClient client(int number) {
            return switch (number % 3) {
                case 0 -> new FoldedFilter();
                case 1 -> new FoldedWindow(random);
                default -> new FoldedAggregate();
            };
        }

        private void step() {
            int kind = random.nextInt(111);
            if (kind < 30) {
                world.send(database.write());
            } else if (kind < 55) {
                world.deliverOne();
            } else if (kind < 80) {
                world.runOne();
            } else if (kind < 95) {
                sessions.get(random.nextInt(CLIENTS)).proceed();
            } else if (kind < 97) {
                sessions.get(random.nextInt(CLIENTS)).leave();
            } else if (kind < 108) {
                sessions.get(random.nextInt(CLIENTS)).spare();
            } else {
                disturb();
            }
        }

        private void disturb() {
            switch (random.nextInt(6)) {
                case 0 -> world.stopSomeCell();
                case 1 -> world.jump(Duration.ofHours(1));
                case 2 -> world.jump(Duration.ofHours(-1));
                default -> tick();
            }
        }

        private void tick() {
            subscriberLease.renew();
            world.tick();
        }

        /** Delivers all messages and completes all subscriptions. */
        private void settle() {
            subscriberLease.renew();
            world.replaceStoppedCells();
            world.settle();
            while (sessions.stream().anyMatch(Session::isBehind)) {
                sessions.forEach(Session::proceed);
                world.settle();
            }
        }

        private void verify() {
            sessions.forEach(session -> session.client.verify(database.matching(session.client.filter())));
        }

        private void leave() {
            sessions.forEach(Session::leave);
            world.settle();
        }

        @Override
        public void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget) {
            Session session = byQuery.get(event.queryId());
            if (session != null) {
                session.client.apply(event);
            }
        }

        @Override
        public void onFailure(FailedQuery failed) {
            Session session = byQuery.get(failed.query().id());
            if (session != null) {
                session.leave();
            }
        }

        /** The steps of one client: it reads the position, executes the query and subscribes. */
        private final class Session {

            private final FoldedClient client;
            private @Nullable StreamPosition streamPosition;
            private @Nullable QuerySpec query;

            private Session(FoldedClient client) {
                this.client = client;
            }

            private boolean isBehind() {
                return query == null || client.needsRenewal();
            }

            private void proceed() {
                if (!isBehind()) {
                    return;
                }
                if (streamPosition == null) {
                    streamPosition = world.cluster().position(TestDatabase.BUCKET);
                } else {
                    subscribe(streamPosition);
                }
            }

            private void subscribe(StreamPosition since) {
                leave();
                QuerySpec subscribed = new QuerySpec("q" + queries++, TestDatabase.BUCKET, client.filter());
                query = subscribed;
                byQuery.put(subscribed.id(), this);
                Map<String, VersionStamp> result = client.begin(database.matching(client.filter()));
                var unused = world.cluster()
                        .subscribe(subscriberLease, subscribed, since, result)
                        .whenComplete((done, failure) -> check(subscribed, failure));
            }

            private void spare() {
                if (query != null) {
                    client.spare(world.cluster(), query.id());
                }
            }

            private void check(QuerySpec subscribed, @Nullable Throwable failure) {
                if (failure != null && subscribed.equals(query)) {
                    leave();
                }
            }

            private void leave() {
                streamPosition = null;
                if (query != null) {
                    world.cluster().unsubscribe(subscriberLease, query.id());
                    byQuery.remove(query.id());
                    query = null;
                }
            }
        }
    }
}
