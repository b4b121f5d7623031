package io.orestes.live;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.awaitThat;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

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
import io.orestes.store.StoreQuery;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Live queries over the real store and the real grid, during continuous writes. */
final class LiveQueriesTest {

    private static final String BUCKET = "Todo";
    private static final Filter OPEN = Filter.parse(new BsonDocument("done", BsonBoolean.FALSE));

    private final Vertx vertx = Vertx.vertx();
    private final ObjectStore store;
    private final InvalidbClient matching =
            InvalidbClient.start(vertx, GridOptions.defaults().withSize(new GridSize(2, 2)), 100);
    private final SchemaRegistry schemas;
    private final JsonRenderer jsonRenderer;
    private final Authenticator authenticator;
    private final LiveQueries live;

    LiveQueriesTest(@TempDir Path folder) {
        store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(folder.resolve("data")));
        schemas = await(SchemaRegistry.open(store));
        jsonRenderer = new JsonRenderer(schemas);
        authenticator =
                new Authenticator(new TokenService(new byte[32], Duration.ofDays(1), InstantSource.system()), store);
        live = queries(Duration.ofSeconds(30));
        matching.listen(live::accept);
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
    void foldedEvents_equalFreshQuery_whateverHappensMeanwhile(long seed) {
        Random random = new Random(seed);
        List<Future<?>> writes = new ArrayList<>();
        List<Client> clients = new ArrayList<>();

        for (int step = 0; step < 120; step++) {
            writes.add(randomWrite(random));
            if (random.nextInt(12) == 0) {
                clients.add(open(Optional.empty()));
            }
            if (random.nextInt(20) == 0 && !clients.isEmpty()) {
                clients.get(random.nextInt(clients.size())).reconnect();
            }
        }
        awaitAll(writes);

        List<String> expected = freshQuery();
        clients.forEach(client -> client.awaitState(expected));
        assertThat(clients).allSatisfy(client -> assertThat(client.violations).isEmpty());
    }

    @Test
    void open_resultTooLarge_isRefusedAndLeavesNothingBehind() {
        List<Future<?>> inserts = new ArrayList<>();
        for (int i = 0; i < 1_001; i++) {
            inserts.add(write("k" + i, false));
        }
        awaitAll(inserts);

        ApiException failure = failureOf(subscribe(new Client(vertx.getOrCreateContext()), Optional.empty()));

        assertThat(failure.code()).isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);
        assertThat(matching.activeQueries()).isZero();
    }

    @Test
    void reconnect_beforeTheResultIsConfirmed_confirmsItAfterAll() {
        awaitAll(List.of(write("k", false)));
        Client client = open(Optional.empty());
        client.awaitState(freshQuery());
        assertThat(client.last).get().matches(id -> !id.isResultShared());

        client.reconnect();

        awaitThat(() -> client.last.filter(EventId::isResultShared).isPresent());
        assertThat(client.violations).isEmpty();
    }

    @Test
    void open_listenerFails_isRefusedAndTheQueryIsGivenUp() {
        LiveQueries impatient = queries(Duration.ofMillis(10));
        Client broken = new Client(vertx.getOrCreateContext()) {
            @Override
            public void onResult(EventId id, List<StoredObject> result) {
                throw new IllegalStateException("cannot be rendered");
            }
        };

        awaitAll(List.of(subscribe(impatient, broken, Optional.empty())));

        awaitThat(() -> impatient.size() == 0 && matching.activeQueries() == 0);
    }

    private LiveQueries queries(Duration resumeWindow) {
        LiveConfig config = new SmallLiveLimits().resumeWindow(resumeWindow).config();
        return new LiveQueries(
                vertx,
                matching,
                new ReaderDependencies(schemas, store, jsonRenderer, ConsistencyDefaults.NONE, InstantSource.system()),
                authenticator,
                config);
    }

    private Future<?> randomWrite(Random random) {
        String key = "k" + random.nextInt(8);
        return random.nextInt(5) == 0 ? delete(key) : write(key, random.nextInt(3) == 0);
    }

    private Future<Void> write(String key, boolean done) {
        BsonDocument fields = new BsonDocument("done", BsonBoolean.valueOf(done)).append("n", new BsonInt64(1));
        return store.replace(new ObjectRef(BUCKET, key), fields, Precondition.none(), Principal.SERVER)
                .compose(matching::publish);
    }

    private Future<Void> delete(String key) {
        return store.delete(new ObjectRef(BUCKET, key), Precondition.none(), Principal.SERVER)
                .compose(deleted -> deleted.isPresent() ? matching.publish(deleted.get()) : Future.succeededFuture());
    }

    private List<String> freshQuery() {
        return await(store.query(StoreQuery.all(BUCKET, OPEN))).stream()
                .map(LiveQueriesTest::state)
                .sorted()
                .toList();
    }

    private static String state(StoredObject object) {
        return object.ref().id() + "@" + object.createdAt() + "." + object.version();
    }

    private Client open(Optional<EventId> resumeAfter) {
        Client client = new Client(vertx.getOrCreateContext());
        client.connect(resumeAfter);
        return client;
    }

    private Future<Subscription> subscribe(SubscriptionListener listener, Optional<EventId> resumeAfter) {
        return subscribe(live, listener, resumeAfter);
    }

    private Future<Subscription> subscribe(
            LiveQueries queries, SubscriptionListener listener, Optional<EventId> resumeAfter) {
        Context home = vertx.getOrCreateContext();
        SubscriptionRequest request = new SubscriptionRequest(
                Caller.ANONYMOUS,
                BUCKET,
                OPEN,
                null,
                null,
                new SubscriptionOptions(true, EventSelection.of(List.of(), List.of()), resumeAfter.orElse(null)));
        return Future.future(promise -> home.runOnContext(
                ignored -> queries.open(request, listener, home).onComplete(promise)));
    }

    /** A client that only applies the received messages, and records unexpected ones. */
    private class Client implements SubscriptionListener {

        private final Context home;
        private final Map<String, String> objects = new ConcurrentHashMap<>();
        private final List<String> violations = new CopyOnWriteArrayList<>();
        private volatile Optional<EventId> last = Optional.empty();
        private Future<Subscription> subscription = Future.failedFuture("not yet");

        private Client(Context home) {
            this.home = home;
        }

        void connect(Optional<EventId> resumeAfter) {
            subscription = subscribe(this, resumeAfter);
        }

        /** Drops the connection and resumes from the last received event. */
        void reconnect() {
            await(subscription.compose(open -> Future.<Void>future(promise -> home.runOnContext(ignored -> {
                open.close();
                promise.complete();
            }))));
            connect(last);
        }

        @Override
        public void onResult(EventId id, List<StoredObject> result) {
            objects.clear();
            result.forEach(object -> objects.put(object.ref().id(), state(object)));
            last = Optional.of(id);
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
            last = Optional.of(id);
        }

        @Override
        public void onMatch(LiveEvent event, EventId id, String matchType) {
            last = Optional.of(id);
            String now = event.objectId() + "@" + event.stamp().incarnation() + "."
                    + event.stamp().version();
            String before =
                    matchType.equals("remove") ? objects.remove(event.objectId()) : objects.put(event.objectId(), now);
            boolean known = before != null;
            if (known == matchType.equals("add") || now.equals(before)) {
                violations.add(matchType + " of " + now + " on " + before);
            }
        }

        @Override
        public void onError(ApiException failure) {
            violations.add(failure.message());
        }

        void awaitState(List<String> expected) {
            awaitThat(() -> objects.values().stream().sorted().toList().equals(expected));
        }
    }
}
