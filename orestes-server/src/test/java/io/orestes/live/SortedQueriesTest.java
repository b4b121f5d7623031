package io.orestes.live;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.aggregation.AggregateLimits;
import io.invalidb.grid.GridSize;
import io.invalidb.node.GridOptions;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.invalidb.sorting.WindowSpec;
import io.orestes.auth.token.Authenticator;
import io.orestes.auth.token.Caller;
import io.orestes.auth.token.TokenService;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.live.event.EventId;
import io.orestes.live.event.EventSelection;
import io.orestes.live.event.LiveEvent;
import io.orestes.live.request.LiveConfig;
import io.orestes.live.request.SubscriptionOptions;
import io.orestes.live.request.SubscriptionRequest;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.read.response.ConsistencyDefaults;
import io.orestes.read.response.JsonRenderer;
import io.orestes.read.response.ReaderDependencies;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sorted live queries over the real store and the real grid; their executions can be delayed. */
final class SortedQueriesTest {

    private static final String BUCKET = "Todo";
    private static final Filter OPEN = Filter.parse(new BsonDocument("done", BsonBoolean.FALSE));
    private static final SortOrder BY_N = SortOrder.parse(new BsonDocument("n", new BsonInt32(1)));
    private static final List<SortOrder> ORDERS = Stream.of("{n: 1}", "{n: -1}", "{done: 1, n: -1, _id: -1}")
            .map(order -> SortOrder.parse(BsonDocument.parse(order)))
            .toList();
    private static final int SLACK = 2;
    private static final int HELD_BYTES = 1 << 20;

    private final Vertx vertx = Vertx.vertx();
    private final AtomicReference<Duration> jump = new AtomicReference<>(Duration.ZERO);
    private final ObjectStore store;
    private final DelayingStore held = new DelayingStore(BUCKET);
    private final InvalidbClient matching =
            InvalidbClient.start(vertx, GridOptions.defaults().withSize(new GridSize(2, 2)), 4);
    private final SchemaRegistry schemas;
    private final JsonRenderer jsonRenderer;
    private final Authenticator authenticator;
    private final LiveQueries live;

    SortedQueriesTest(@TempDir Path folder) {
        store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(folder.resolve("data")));
        schemas = await(SchemaRegistry.open(store));
        jsonRenderer = new JsonRenderer(schemas);
        authenticator =
                new Authenticator(new TokenService(new byte[32], Duration.ofDays(1), InstantSource.system()), store);
        live = queries(Duration.ofSeconds(30), Duration.ofMillis(20));
    }

    @AfterEach
    void tearDown() {
        held.release();
        await(matching.close());
        await(store.close());
        await(vertx.close());
    }

    /** Returns fixed seeds; more of them find nothing new, fewer miss races. */
    static LongStream seeds() {
        return LongStream.range(0, 25);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void foldedEvents_equalFreshQuery_whateverHappensMeanwhile(long seed) {
        Random random = new Random(seed);
        SortOrder order = ORDERS.get(random.nextInt(ORDERS.size()));
        WindowSpec window = new WindowSpec(order, random.nextInt(3), 1 + random.nextInt(3));
        List<Future<?>> writes = new ArrayList<>();
        List<Client> clients = new ArrayList<>();

        for (int step = 0; step < 120; step++) {
            writes.add(randomWrite(random));
            if (random.nextInt(12) == 0) {
                clients.add(open(window));
            }
            if (random.nextInt(20) == 0 && !clients.isEmpty()) {
                clients.get(random.nextInt(clients.size())).reconnect();
            }
        }
        awaitAll(writes);

        List<String> expected = freshQuery(window);
        clients.forEach(client -> client.awaitState(expected));
        assertThat(clients).allSatisfy(client -> assertThat(client.violations).isEmpty());
    }

    @Test
    void open_bySecondSubscriber_needsNoExecution() {
        fill(5);
        WindowSpec window = new WindowSpec(BY_N, 1, 2);
        open(window).awaitState(List.of("k1", "k2"));

        Client second = open(window);

        second.awaitState(List.of("k1", "k2"));
        assertThat(held.begun()).isEqualTo(1);
    }

    @Test
    void slackUsedUp_isExecutedAgainAndReportsWhatMovedIn() {
        fill(10);
        Client client = open(new WindowSpec(BY_N, 0, 2));
        client.awaitState(List.of("k0", "k1"));
        held.delay();

        for (int n = 0; n < 4; n++) {
            await(delete("k" + n));
        }
        client.awaitState(List.of());
        held.release();

        client.awaitState(List.of("k4", "k5"));
        assertThat(client.received).endsWith("add none k4 @0", "add none k5 @1");
    }

    @Test
    void renewals_followEachOtherAtTheInterval() {
        fill(60);
        Client client = open(new WindowSpec(BY_N, 0, 1));
        client.awaitState(List.of("k0"));
        long begun = System.nanoTime();

        for (int n = 0; n < 50; n++) {
            await(delete("k" + n));
        }
        client.awaitState(List.of("k50"));

        long intervals = (System.nanoTime() - begun) / Duration.ofMillis(20).toNanos();
        assertThat((long) held.begun()).isBetween(2L, 3 + intervals);
    }

    @Test
    void open_whileTheWindowIsShort_waitsForItsRenewal() {
        fill(10);
        WindowSpec window = new WindowSpec(BY_N, 0, 2);
        open(window).awaitState(List.of("k0", "k1"));
        held.delay();
        for (int n = 0; n < 4; n++) {
            await(delete("k" + n));
        }

        Client second = open(window);
        held.release();

        second.awaitState(List.of("k4", "k5"));
        assertThat(second.received).containsExactly("result k4 k5");
    }

    @Test
    void renewal_thatFails_endsTheSubscriptionsAndNewOnesAreServed() {
        fill(10);
        WindowSpec window = new WindowSpec(BY_N, 0, 2);
        Client client = open(window);
        client.awaitState(List.of("k0", "k1"));
        held.delay();
        await(delete("k0"));
        await(delete("k1"));
        awaitThat(() -> held.begun() == 2);

        held.fail(new ApiException(ErrorCode.TOO_MANY_REQUESTS, "too slow"));

        awaitThat(() -> client.violations.equals(List.of("too slow")));
        awaitThat(() -> matching.activeQueries() == 0);
        held.delay();
        held.release();
        open(window).awaitState(List.of("k2", "k3"));
    }

    /**
     * A budget that others exhaust for a moment is no reason to end the query for all subscribers.
     */
    @Test
    void renewal_storeHasNoRoomForAMoment_isRetriedWithoutAnError() {
        fill(10);
        WindowSpec window = new WindowSpec(BY_N, 0, 2);
        Client client = open(window);
        client.awaitState(List.of("k0", "k1"));
        held.delay();
        await(delete("k0"));
        await(delete("k1"));
        await(delete("k2"));
        awaitThat(() -> held.begun() == 2);

        held.fail(new ApiException(ErrorCode.UNAVAILABLE, "full"));

        awaitThat(() -> held.begun() >= 4);
        assertThat(client.violations).isEmpty();
        held.delay();
        held.release();
        client.awaitState(List.of("k3", "k4"));
        assertThat(client.violations).isEmpty();
        await(delete("k3"));
        await(delete("k4"));
        await(delete("k5"));
        client.awaitState(List.of("k6", "k7"));
    }

    @Test
    void renewal_storeNeverHasRoom_endsTheSubscriptionsInTheEnd() {
        fill(10);
        WindowSpec window = new WindowSpec(BY_N, 0, 2);
        Client client = open(window);
        client.awaitState(List.of("k0", "k1"));
        held.delay();
        await(delete("k0"));
        await(delete("k1"));
        awaitThat(() -> held.begun() == 2);

        held.fail(new ApiException(ErrorCode.UNAVAILABLE, "full"));
        awaitThat(() -> held.begun() == 3);
        Client late = open(window);

        awaitThat(() -> late.subscription.failed());
        assertThat(late.subscription.cause()).hasMessage("full");
        awaitThat(() -> client.violations.equals(List.of("full")));
        awaitThat(() -> matching.activeQueries() == 0);
    }

    /** The largest query ends, and is refused from then on as long as it would be the largest. */
    @Test
    void write_thatTakesMoreThanThereIsRoomFor_endsTheLargestAndTheOtherGoesOn() {
        fill(8);
        Client small = open(new WindowSpec(BY_N, 0, 1));
        WindowSpec all = new WindowSpec(BY_N, 0, 20);
        Client large = open(all);
        small.awaitState(List.of("k0"));
        awaitThat(() -> large.list.size() == 8);

        for (int i = 5; i < 8; i++) {
            await(write("k" + i, new BsonString("x".repeat(HELD_BYTES / 3) + i), false, matching));
        }

        awaitThat(() -> large.violations.size() == 1);
        assertThat(large.violations.get(0)).startsWith("Live queries take too much");
        Client again = open(all);
        awaitThat(() -> again.subscription.failed());
        assertThat(again.subscription.cause()).hasMessageContaining("take too much");
        await(delete("k0"));
        small.awaitState(List.of("k1"));
        await(delete("k5"));
        Client later = open(all);
        later.awaitState(List.of("k1", "k2", "k3", "k4", "k6", "k7"));
        assertThat(small.violations).isEmpty();
    }

    @Test
    void open_windowGrowsBeyondTheRoomWhileItIsExecuted_isRefused() {
        fill(8);
        open(new WindowSpec(BY_N, 0, 1)).awaitState(List.of("k0"));
        held.delay();
        Client growing = open(new WindowSpec(BY_N, 0, 20));
        awaitThat(() -> held.read() == 2);
        for (int i = 5; i < 8; i++) {
            await(write("k" + i, new BsonString("x".repeat(HELD_BYTES / 3) + i), false, matching));
        }

        held.release();

        awaitThat(() -> growing.subscription.failed());
        assertThat(growing.subscription.cause()).hasMessageContaining("take too much");
        awaitThat(() -> matching.activeQueries() == 1);
    }

    @Test
    void open_aSmallWindowWhereOthersLeaveNoRoom_theLargestGoes() {
        fill(8);
        await(write("k0", new BsonString("a".repeat(HELD_BYTES / 5)), false, matching));
        await(delete("k1"));
        for (int i = 2; i < 5; i++) {
            await(write("k" + i, new BsonString("x".repeat(HELD_BYTES / 10 * 3) + i), false, matching));
        }
        Client large = open(new WindowSpec(BY_N, 0, 20));
        awaitThat(() -> large.list.size() == 7);

        Client small = open(new WindowSpec(BY_N, 3, 1));

        small.awaitState(List.of("k0"));
        awaitThat(() -> large.violations.size() == 1);
    }

    @Test
    void renewal_whenNoFurtherQueryIsAllowed_isDoneAllTheSame() {
        fill(10);
        List<Client> all = List.of(
                open(new WindowSpec(BY_N, 0, 1)),
                open(new WindowSpec(BY_N, 0, 2)),
                open(new WindowSpec(BY_N, 0, 3)),
                open(new WindowSpec(BY_N, 0, 4)));
        all.forEach(client -> awaitThat(() -> !client.received.isEmpty()));

        for (int n = 0; n < 5; n++) {
            await(delete("k" + n));
        }

        all.get(3).awaitState(List.of("k5", "k6", "k7", "k8"));
        awaitThat(() -> matching.activeQueries() == 4);
        assertThat(all).allSatisfy(client -> assertThat(client.violations).isEmpty());
    }

    @Test
    void open_moreWrittenMeanwhileThanTheGridRetains_isExecutedAgain() {
        GridOptions forgetful = new GridOptions(new GridSize(1, 1), Duration.ofSeconds(30), 3, InstantSource.system());
        InvalidbClient small = InvalidbClient.start(vertx, forgetful, 4);
        LiveQueries queries = queries(small, Duration.ofSeconds(30), Duration.ofMillis(20));
        fill(8, small);
        held.delay();
        Client client = new Client(queries, new WindowSpec(BY_N, 0, 2));
        client.connect(Optional.empty());
        awaitThat(() -> held.read() == 1);

        for (int n = 0; n < 5; n++) {
            await(delete("k" + n, small));
        }
        held.release();

        client.awaitState(List.of("k5", "k6"));
        assertThat(client.received).containsExactly("result k5 k6");
        assertThat(held.begun()).isEqualTo(2);
        await(small.close());
    }

    @Test
    void write_whoseSortValueTakesTooLongToFind_endsTheSubscription() {
        SortOrder nested = SortOrder.parse(BsonDocument.parse("{'n.0.b.0.c': 1}"));
        Client client = open(new WindowSpec(nested, 0, 2));
        awaitThat(() -> !client.received.isEmpty());

        await(write("k0", costlyToRank(), false, matching));

        awaitThat(() -> client.violations.size() == 1 && matching.activeQueries() == 0);
        assertThat(client.violations.get(0)).contains("takes too long on one object");
    }

    @Test
    void write_behindTheHorizonWhoseSortValueTakesTooLongToFind_endsThatSubscriptionAlone() {
        fill(10);
        Client costly = open(new WindowSpec(SortOrder.parse(BsonDocument.parse("{'n.0.b.0.c': -1}")), 0, 2));
        Client honest = open(new WindowSpec(SortOrder.parse(BsonDocument.parse("{_id: -1}")), 0, 2));
        awaitThat(() -> !costly.received.isEmpty());
        honest.awaitState(List.of("k9", "k8"));

        await(write("k10", costlyToRank(), false, matching));
        await(write("k99", 99, false, matching));

        honest.awaitState(List.of("k99", "k9"));
        awaitThat(() -> costly.violations.size() == 1 && matching.activeQueries() == 1);
        assertThat(honest.violations).isEmpty();
    }

    @Test
    void write_behindTheHorizon_isNotReportedToTheQuery() {
        fill(10);
        List<String> found = new CopyOnWriteArrayList<>();
        matching.listen((match, allowance) -> {
            found.add(match.write().id());
            live.accept(match, allowance);
        });
        Client client = open(new WindowSpec(BY_N, 0, 2));
        client.awaitState(List.of("k0", "k1"));

        await(write("k20", 20, false, matching));
        await(write("k21", 3, false, matching));
        await(write("k22", -1, false, matching));

        client.awaitState(List.of("k22", "k0"));
        assertThat(found).containsExactly("/db/Todo/k21", "/db/Todo/k22");
    }

    @Test
    void renewal_reachesFurtherThanTheHorizonBefore_reportsWhatMovesIn() {
        fill(20);
        Client client = open(new WindowSpec(BY_N, 0, 2));
        client.awaitState(List.of("k0", "k1"));
        await(delete("k0"));
        await(delete("k1"));
        awaitThat(() -> held.begun() == 2 && matching.activeQueries() == 1);
        held.delay();

        await(write("k20", new BsonDouble(4.5), false, matching));
        await(delete("k2"));
        await(delete("k3"));

        client.awaitState(List.of("k4", "k20"));
    }

    @Test
    void failAll_endsTheQueryAndANewOneReturnsTheStoredState() {
        fill(3);
        WindowSpec window = new WindowSpec(BY_N, 0, 2);
        Client client = open(window);
        client.awaitState(List.of("k0", "k1"));
        await(store.delete(new ObjectRef(BUCKET, "k0"), Precondition.none(), Principal.SERVER));

        live.failAll(BUCKET, new ApiException(ErrorCode.UNAVAILABLE, "other class"));

        awaitThat(() -> client.violations.equals(List.of("other class")));
        open(window).awaitState(List.of("k1", "k2"));
    }

    @Test
    void slackUsedUp_clockIsPutBack_isExecutedAgainAsSoonAsOtherwise() {
        fill(20);
        Client client = open(new WindowSpec(BY_N, 0, 2));
        client.awaitState(List.of("k0", "k1"));

        jump.set(Duration.ofHours(-1));
        for (int n = 0; n < 10; n++) {
            await(delete("k" + n));
        }

        client.awaitState(List.of("k10", "k11"));
    }

    @Test
    void lastSubscriber_leavesAndTheClockIsPutBack_theQueryIsGivenUp() {
        LiveQueries impatient = queries(Duration.ofMillis(50), Duration.ofMillis(20));
        Client client = new Client(impatient, new WindowSpec(BY_N, 0, 2));
        client.connect(Optional.empty());
        awaitThat(() -> !client.received.isEmpty());

        client.close();
        jump.set(Duration.ofHours(-1));

        awaitThat(() -> impatient.size() == 0 && matching.activeQueries() == 0);
    }

    @Test
    void lastSubscriber_leavesWhileAnotherComes_theQueryGoesOnForThatOne() {
        LiveQueries impatient = queries(Duration.ofMillis(10), Duration.ofMillis(20));
        WindowSpec window = new WindowSpec(BY_N, 0, 2);
        Client first = new Client(impatient, window);
        first.connect(Optional.empty());
        awaitThat(() -> !first.received.isEmpty());

        for (int i = 0; i < 20; i++) {
            first.reconnect();
        }
        fill(3);

        first.awaitState(List.of("k0", "k1"));
        first.close();
        awaitThat(() -> impatient.size() == 0 && matching.activeQueries() == 0);
    }

    @Test
    void lastSubscriber_leaves_theQueryIsGivenUp() {
        LiveQueries impatient = queries(Duration.ofMillis(10), Duration.ofMillis(20));
        Client client = new Client(impatient, new WindowSpec(BY_N, 0, 2));
        client.connect(Optional.empty());
        awaitThat(() -> !client.received.isEmpty());

        client.close();

        awaitThat(() -> impatient.size() == 0 && matching.activeQueries() == 0);
    }

    private static BsonArray costlyToRank() {
        BsonArray innermost = new BsonArray(Collections.nCopies(100, new BsonInt32(1)));
        BsonArray inner = new BsonArray(Collections.nCopies(100, new BsonDocument("c", innermost)));
        return new BsonArray(Collections.nCopies(100, new BsonDocument("b", inner)));
    }

    private LiveQueries queries(Duration resumeWindow, Duration renewalInterval) {
        return queries(matching, resumeWindow, renewalInterval);
    }

    private LiveQueries queries(InvalidbClient grid, Duration resumeWindow, Duration renewalInterval) {
        LiveConfig config = new SmallLiveLimits()
                .resumeWindow(resumeWindow)
                .heldBytes(HELD_BYTES)
                .slack(SLACK)
                .renewalInterval(renewalInterval)
                .aggregates(new AggregateLimits(1_000, 100, 1 << 20))
                .config();
        LiveQueries queries = new LiveQueries(
                vertx,
                grid,
                new ReaderDependencies(
                        schemas, held.over(store), jsonRenderer, ConsistencyDefaults.NONE, () -> Instant.now()
                                .plus(jump.get())),
                authenticator,
                config);
        grid.listen(queries::accept);
        return queries;
    }

    private Future<?> randomWrite(Random random) {
        String key = "k" + random.nextInt(20);
        return random.nextInt(4) == 0 ? delete(key) : write(key, random.nextInt(6), random.nextInt(4) == 0, matching);
    }

    private void fill(int objects) {
        fill(objects, matching);
    }

    private void fill(int objects, InvalidbClient grid) {
        List<Future<?>> inserts = new ArrayList<>();
        for (int n = 0; n < objects; n++) {
            inserts.add(write("k" + n, n, false, grid));
        }
        awaitAll(inserts);
    }

    private Future<Void> write(String key, int n, boolean done, InvalidbClient grid) {
        return write(key, new BsonInt32(n), done, grid);
    }

    private Future<Void> write(String key, BsonValue n, boolean done, InvalidbClient grid) {
        BsonDocument fields = new BsonDocument("done", BsonBoolean.valueOf(done)).append("n", n);
        return store.replace(new ObjectRef(BUCKET, key), fields, Precondition.none(), Principal.SERVER)
                .compose(grid::publish);
    }

    private Future<Void> delete(String key) {
        return delete(key, matching);
    }

    private Future<Void> delete(String key, InvalidbClient grid) {
        return store.delete(new ObjectRef(BUCKET, key), Precondition.none(), Principal.SERVER)
                .compose(deleted -> deleted.isPresent() ? grid.publish(deleted.get()) : Future.succeededFuture());
    }

    private List<String> freshQuery(WindowSpec window) {
        return keys(await(store.query(new StoreQuery(BUCKET, OPEN, window.order(), window.offset(), window.limit()))));
    }

    private static List<String> keys(List<StoredObject> objects) {
        return objects.stream().map(object -> object.ref().key()).toList();
    }

    private Client open(WindowSpec window) {
        Client client = new Client(live, window);
        client.connect(Optional.empty());
        return client;
    }

    /** A client that only applies the received messages, and records unexpected ones. */
    private final class Client implements SubscriptionListener {

        private final Context home = vertx.getOrCreateContext();
        private final LiveQueries queries;
        private final WindowSpec window;
        private final List<String> list = new CopyOnWriteArrayList<>();
        private final List<String> received = new CopyOnWriteArrayList<>();
        private final List<String> violations = new CopyOnWriteArrayList<>();
        private volatile Optional<EventId> last = Optional.empty();
        private Future<Subscription> subscription = Future.failedFuture("not yet");

        private Client(LiveQueries queries, WindowSpec window) {
            this.queries = queries;
            this.window = window;
        }

        private void connect(Optional<EventId> resumeAfter) {
            SubscriptionRequest request = new SubscriptionRequest(
                    Caller.ANONYMOUS,
                    BUCKET,
                    OPEN,
                    window,
                    null,
                    new SubscriptionOptions(true, EventSelection.of(List.of(), List.of()), resumeAfter.orElse(null)));
            subscription = Future.future(promise -> home.runOnContext(
                    ignored -> queries.open(request, this, home).onComplete(promise)));
        }

        private void close() {
            await(subscription.compose(open -> Future.<Void>future(promise -> home.runOnContext(ignored -> {
                open.close();
                promise.complete();
            }))));
        }

        /** Drops the connection and resumes from the last received event. */
        private void reconnect() {
            close();
            connect(last);
        }

        @Override
        public void onResult(EventId id, List<StoredObject> result) {
            List<String> keys = keys(result);
            last = Optional.of(id);
            received.add("result " + String.join(" ", keys));
            list.clear();
            list.addAll(keys);
        }

        @Override
        public void onRows(EventId id, Buffer rows) {
            violations.add("rows instead of objects");
        }

        @Override
        public void onReady(EventId id) {
            violations.add("ready instead of a result");
        }

        @Override
        public void onProgress(EventId id) {
            violations.add("there is nothing to settle");
        }

        @Override
        public void onMatch(LiveEvent event, EventId id, String matchType) {
            last = Optional.of(id);
            String key = event.objectId().substring(event.objectId().lastIndexOf('/') + 1);
            received.add(matchType + " " + event.operation() + " " + key
                    + (event.index().isPresent() ? " @" + event.index().getAsInt() : ""));
            boolean known = list.remove(key);
            if (known == matchType.equals("add")) {
                violations.add(matchType + " of " + key + " on " + list);
            }
            event.index().ifPresent(index -> list.add(Math.min(index, list.size()), key));
        }

        @Override
        public void onError(ApiException failure) {
            violations.add(failure.message());
        }

        private void awaitState(List<String> expected) {
            awaitThat(() -> list.equals(expected));
        }
    }
}
