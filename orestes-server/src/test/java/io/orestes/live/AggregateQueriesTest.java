package io.orestes.live;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.aggregation.AggregateLimits;
import io.invalidb.aggregation.AggregateSpec;
import io.invalidb.aggregation.OneShotAggregate;
import io.invalidb.grid.GridSize;
import io.invalidb.node.GridOptions;
import io.invalidb.query.filter.Filter;
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
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Live aggregates over the real store and the real grid. Objects are {@code k0} to {@code k9}, on
 * shelves {@code s0} to {@code s3}.
 */
final class AggregateQueriesTest {

    private static final String BUCKET = "User";
    private static final Filter OPEN = Filter.parse(new BsonDocument("done", BsonBoolean.FALSE));
    private static final AggregateLimits BOUNDS = new AggregateLimits(12, 5, 1 << 20);
    private static final int HELD_BYTES = 200_000;
    private static final AggregateSpec BY_SHELF = AggregateSpec.parse(BsonDocument.parse(
            "{_id: '$shelf', n: {$sum: 1}, sum: {$sum: '$p'}, mean: {$avg: '$p'}, least: {$min: '$p'},"
                    + " most: {$max: '$p'}}"));
    private static final AggregateSpec COUNT = AggregateSpec.parse(BsonDocument.parse("{_id: null, n: {$sum: 1}}"));

    private final Vertx vertx = Vertx.vertx();
    private final ObjectStore store;
    private final InvalidbClient matching =
            InvalidbClient.start(vertx, GridOptions.defaults().withSize(new GridSize(2, 2)), 4);
    private final SchemaRegistry schemas;
    private final JsonRenderer jsonRenderer;
    private final LiveQueries live;

    AggregateQueriesTest(@TempDir Path folder) {
        store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(folder.resolve("data")));
        schemas = await(SchemaRegistry.open(store));
        jsonRenderer = new JsonRenderer(schemas);
        LiveConfig config = new SmallLiveLimits()
                .heldBytes(HELD_BYTES)
                .slack(2)
                .aggregates(BOUNDS)
                .config();
        TokenService tokens = new TokenService(new byte[32], Duration.ofDays(1), InstantSource.system());
        live = new LiveQueries(
                vertx,
                matching,
                new ReaderDependencies(schemas, store, jsonRenderer, ConsistencyDefaults.NONE, InstantSource.system()),
                new Authenticator(tokens, store),
                config);
        matching.listen(live::accept);
        matching.listenToFailures(live::fail);
    }

    @AfterEach
    void tearDown() {
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
    void foldedEvents_equalFreshAggregate_whateverHappensMeanwhile(long seed) {
        Random random = new Random(seed);
        List<Future<?>> writes = new ArrayList<>();
        List<Client> clients = new ArrayList<>();

        for (int step = 0; step < 120; step++) {
            writes.add(randomWrite(random));
            if (random.nextInt(12) == 0) {
                clients.add(open(random.nextBoolean() ? BY_SHELF : COUNT));
            }
            if (!clients.isEmpty() && random.nextInt(15) == 0) {
                clients.get(random.nextInt(clients.size())).reconnect();
            }
        }
        awaitAll(writes);

        for (Client client : clients) {
            client.awaitState(fresh(client.spec));
            assertThat(client.violations).isEmpty();
        }
        assertThat(live.size()).isLessThanOrEqualTo(2);
    }

    @Test
    void open_byTwo_isOneQueryAndBothReceiveTheSame() {
        await(write("k0", "s0", 1.5, false));
        Client first = open(BY_SHELF);
        first.awaitReceived(1);
        Client second = open(BY_SHELF);
        second.awaitReceived(1);

        await(write("k1", "s0", 2.5, false));
        await(write("k1", "s1", 2.5, false));
        await(delete("k0"));

        first.awaitReceived(5);
        second.awaitReceived(5);
        assertThat(matching.activeQueries()).isEqualTo(1);
        assertThat(first.received)
                .isEqualTo(second.received)
                .containsExactly(
                        "result [{\"_id\":\"s0\",\"n\":1,\"sum\":1.5,\"mean\":1.5,\"least\":1.5,\"most\":1.5}]",
                        "change insert {\"_id\":\"s0\",\"n\":2,\"sum\":4,\"mean\":2,\"least\":1.5,\"most\":2.5}",
                        "change update {\"_id\":\"s0\",\"n\":1,\"sum\":1.5,\"mean\":1.5,\"least\":1.5,\"most\":1.5}",
                        "add update {\"_id\":\"s1\",\"n\":1,\"sum\":2.5,\"mean\":2.5,\"least\":2.5,\"most\":2.5}",
                        "remove delete {\"_id\":\"s0\"}");
    }

    @Test
    void reconnect_afterTheEventsOfSomeWrites_receivesTheOthersOnly() {
        Client client = open(COUNT);
        client.awaitReceived(1);
        await(write("k0", "s0", 1, false));
        client.awaitReceived(2);
        client.close();
        await(write("k1", "s0", 1, false));

        client.connect(client.last);

        client.awaitReceived(3);
        assertThat(client.received)
                .containsExactly(
                        "result []", "add insert {\"_id\":null,\"n\":1}", "change insert {\"_id\":null,\"n\":2}");
    }

    @Test
    void write_thatMakesOneGroupTooMany_endsTheQueryAndGoesOn() {
        for (int shelf = 0; shelf < 5; shelf++) {
            await(write("k" + shelf, "t" + shelf, 1, false));
        }
        Client client = open(BY_SHELF);
        Client other = open(COUNT);
        client.awaitReceived(1);
        other.awaitReceived(1);

        await(write("k9", "t9", 1, false));

        awaitThat(() -> client.violations.equals(List.of("468 An aggregate may have at most 5 groups")));
        other.awaitReceived(2);
        Client again = open(BY_SHELF);
        awaitThat(() -> again.subscription.failed());
        assertThat(again.subscription.cause())
                .isInstanceOfSatisfying(ApiException.class, failure -> assertThat(failure.code())
                        .isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED));
        awaitThat(() -> matching.activeQueries() == 1);
    }

    @Test
    void write_thatTakesMoreThanThereIsRoomFor_endsTheLargestAndTheOtherGoesOn() {
        await(write("k0", "s0", 1, false));
        Client large = open(BY_SHELF);
        Client small = open(COUNT);
        large.awaitReceived(1);
        small.awaitReceived(1);

        await(write("k1", "x".repeat(HELD_BYTES / 5), 1, false));
        await(write("k2", "y".repeat(HELD_BYTES / 5), 1, false));

        awaitThat(() -> large.violations.size() == 1);
        assertThat(large.violations.get(0)).startsWith("503 Live queries take too much");
        small.awaitReceived(3);
        Client again = open(BY_SHELF);
        awaitThat(() -> again.subscription.failed());
        assertThat(again.subscription.cause()).hasMessageContaining("take too much");
        await(delete("k2"));
        small.awaitReceived(4);
        await(delete("k1"));
        small.awaitReceived(5);
        open(BY_SHELF).awaitReceived(1);
    }

    @Test
    void open_moreMembersThanALiveAggregateMayHave_isRefused() {
        for (int i = 0; i < 13; i++) {
            await(write("m" + i, "s0", 1, false));
        }

        Client client = open(COUNT);

        awaitThat(() -> client.subscription.failed());
        assertThat(client.subscription.cause()).hasMessage("A live aggregate may be about at most 12 objects");
    }

    private Future<?> randomWrite(Random random) {
        String key = "k" + random.nextInt(10);
        return random.nextInt(4) == 0
                ? delete(key)
                : write(key, "s" + random.nextInt(4), random.nextInt(30) / 10.0, random.nextInt(4) == 0);
    }

    private Future<Void> write(String key, String shelf, double p, boolean done) {
        BsonDocument fields = new BsonDocument("done", BsonBoolean.valueOf(done))
                .append("shelf", new BsonString(shelf))
                .append("p", p == (long) p ? new BsonInt64((long) p) : new BsonDouble(p));
        return store.replace(new ObjectRef(BUCKET, key), fields, Precondition.none(), Principal.SERVER)
                .compose(matching::publish);
    }

    private Future<Void> delete(String key) {
        return store.delete(new ObjectRef(BUCKET, key), Precondition.none(), Principal.SERVER)
                .compose(deleted -> deleted.isPresent() ? matching.publish(deleted.get()) : Future.succeededFuture());
    }

    private Map<String, String> fresh(AggregateSpec spec) {
        OneShotAggregate aggregate = new OneShotAggregate(spec, BOUNDS);
        await(store.visit(BUCKET, OPEN, object -> aggregate.add(object.document())));
        return byId(BsonArray.parse(
                jsonRenderer.rows(BUCKET, spec, aggregate.rows()).toString()));
    }

    private static Map<String, String> byId(BsonArray rows) {
        Map<String, String> byId = new TreeMap<>();
        rows.forEach(row -> byId.put(id(row.asDocument()), row.asDocument().toJson()));
        return byId;
    }

    private static String id(BsonDocument row) {
        return String.valueOf(row.get("_id"));
    }

    private Client open(AggregateSpec spec) {
        Client client = new Client(spec);
        client.connect(Optional.empty());
        return client;
    }

    /** A client that only applies the received messages, and records unexpected ones. */
    private final class Client implements SubscriptionListener {

        private final Context home = vertx.getOrCreateContext();
        private final AggregateSpec spec;
        private final Map<String, String> rows = new ConcurrentSkipListMap<>();
        private final List<String> received = new CopyOnWriteArrayList<>();
        private final List<String> violations = new CopyOnWriteArrayList<>();
        private volatile Optional<EventId> last = Optional.empty();
        private Future<Subscription> subscription = Future.failedFuture("not yet");

        private Client(AggregateSpec spec) {
            this.spec = spec;
        }

        private void connect(Optional<EventId> resumeAfter) {
            SubscriptionRequest request = new SubscriptionRequest(
                    Caller.ANONYMOUS,
                    BUCKET,
                    OPEN,
                    null,
                    spec,
                    new SubscriptionOptions(true, EventSelection.of(List.of(), List.of()), resumeAfter.orElse(null)));
            subscription = Future.future(promise ->
                    home.runOnContext(ignored -> live.open(request, this, home).onComplete(promise)));
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
        public void onRows(EventId id, Buffer result) {
            rows.clear();
            rows.putAll(byId(BsonArray.parse(result.toString())));
            last = Optional.of(id);
            received.add("result " + result);
        }

        @Override
        public void onResult(EventId id, List<StoredObject> result) {
            violations.add("objects instead of rows");
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
            received.add(matchType + " " + event.operation() + " " + event.data());
            BsonDocument row = BsonDocument.parse(event.data().toString());
            String before = matchType.equals("remove") ? rows.remove(id(row)) : rows.put(id(row), row.toJson());
            boolean known = before != null;
            if (known == matchType.equals("add") || row.toJson().equals(before)) {
                violations.add(matchType + " of " + row.toJson() + " on " + before);
            }
        }

        @Override
        public void onError(ApiException failure) {
            violations.add(failure.code().httpStatus() + " " + failure.message());
        }

        private void awaitReceived(int messages) {
            awaitThat(() -> received.size() >= messages);
        }

        private void awaitState(Map<String, String> expected) {
            awaitThat(() -> rows.equals(expected) && !received.isEmpty());
        }
    }
}
