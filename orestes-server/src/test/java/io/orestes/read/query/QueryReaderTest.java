package io.orestes.read.query;

import static io.orestes.schema.TestSchemas.ANN;
import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.node.GridOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orestes.caching.Caches;
import io.orestes.caching.CachingConfig;
import io.orestes.caching.ManualClock;
import io.orestes.caching.TestCaches;
import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.ttl.Ttls;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.invalidb.MatchingMetrics;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.read.response.Consistency;
import io.orestes.read.response.ConsistencyDefaults;
import io.orestes.read.response.JsonRenderer;
import io.orestes.read.response.ReadResult;
import io.orestes.read.response.ReaderDependencies;
import io.orestes.read.watch.CachedQueryRegistry;
import io.orestes.read.watch.ReadMetrics;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ForwardingStore;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Conditions under which a query result is shared, over the real store, caches and grid; there are
 * four places for results of three objects.
 */
final class QueryReaderTest {

    private static final String URL = "/v1/db/Todo/query?q=%7B%7D";

    private static final QueryConfig CONFIG = new QueryConfig(100, 4, 3, 1_000, 10, false);

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Vertx vertx = Vertx.vertx();
    private final ManualClock clock = new ManualClock();
    private final Caches caches = TestCaches.on(clock);
    private final InvalidbClient matching = InvalidbClient.start(vertx, GridOptions.defaults(), 100);
    private final CachedQueryRegistry cached =
            new CachedQueryRegistry(vertx, caches.invalidator(), matching, PATIENCE, clock);
    private final ObjectStore store;
    private final InterceptedStore watched;
    private volatile CompletableFuture<Void> reached = new CompletableFuture<>();
    private volatile CompletableFuture<Void> stuck = CompletableFuture.completedFuture(null);
    private final SchemaRegistry schemas;
    private final QueryReader reader;

    QueryReaderTest(@TempDir Path folder) {
        store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(folder.resolve("data")));
        watched = new InterceptedStore(store);
        schemas = await(SchemaRegistry.open(store));
        reader = reader(ConsistencyDefaults.NONE);
        matching.listen((match, allowance) -> {
            reached.complete(null);
            stuck.join();
            cached.accept(match);
        });
        matching.listenToLag(cached::suspend, cached::invalidateAll);
    }

    @BeforeEach
    void createClass() {
        merge("{'class': '/db/Todo', 'fields': {'done': {'type': '/db/Boolean'}, 'n': {'type': '/db/Integer'}}}");
    }

    @AfterEach
    void tearDown() {
        await(matching.close());
        await(store.close());
        await(vertx.close());
    }

    @Test
    void query_again_isServedWithoutTheStore() {
        write("a");
        ReadResult first = query("{}");
        int executed = watched.executions.get();

        ReadResult second = query("{}");

        assertThat(first.source()).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(second.source()).isEqualTo(ReadResult.ResponseSource.HIT);
        assertThat(second.response()).isSameAs(first.response());
        assertThat(watched.executions).hasValue(executed);
    }

    @Test
    void query_fresh_isALinearizableRead() {
        write("a");
        takePlaces(4);
        watched.levels.clear();

        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.BYPASS);
        assertThat(await(reader.query(Principal.ANONYMOUS, request("{}", -1), options(true)))
                        .source())
                .isEqualTo(ReadResult.ResponseSource.BYPASS);

        assertThat(watched.levels).containsExactly(ReadLevel.COMMITTED, ReadLevel.LINEARIZABLE);
    }

    @Test
    void query_halfOfThePlacesTaken_isSharedFromItsSecondRequestOn() {
        takePlaces(2);

        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.BYPASS);
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.HIT);
    }

    @Test
    void query_hintedWhenHalfOfThePlacesAreTaken_isSharedFromItsFirstRequestOn() {
        takePlaces(2);

        ReadResult first = await(
                reader.query(Principal.ANONYMOUS, request("{}", -1), new QueryFreshnessOptions(false, true, URL)));

        assertThat(first.source()).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.HIT);
    }

    @Test
    void query_allPlacesTaken_isNeverShared() {
        takePlaces(4);

        for (int request = 0; request < 3; request++) {
            ReadResult readResult = query("{}");

            assertThat(readResult.source()).isEqualTo(ReadResult.ResponseSource.BYPASS);
            assertThat(cacheControl(readResult)).isEqualTo("public, no-cache");
        }
        assertThat(cached.size()).isEqualTo(4);
    }

    @Test
    void query_resultTooLargeToBeWatched_isAnsweredWholeAndNotWatchedAgainForAWhile() {
        List.of("a", "b", "c", "d").forEach(this::write);

        ReadResult first = query("{}");
        int executed = watched.executions.get();
        ReadResult second = query("{}");
        int perBypass = watched.executions.get() - executed;
        clock.advance(Duration.ofMinutes(1));
        ReadResult later = query("{}");

        assertThat(List.of(first, second, later)).allSatisfy(readResult -> {
            assertThat(readResult.source()).isEqualTo(ReadResult.ResponseSource.BYPASS);
            assertThat(text(readResult)).contains("/db/Todo/a", "/db/Todo/b", "/db/Todo/c", "/db/Todo/d");
        });
        assertThat(perBypass).isEqualTo(1);
        assertThat(watched.executions).hasValue(executed + perBypass + 2);
        assertThat(matching.activeQueries()).isZero();
    }

    /** A read of all matches for each request would cost more than the response. */
    @Test
    void query_membersTakeTooMuchMemory_areNotReadAgainForAWhile() {
        List.of("a", "b").forEach(this::write);
        watched.refused = query -> query.limit() == CONFIG.maxMembers() + 1;

        ReadResult first = query("{}");
        int executed = watched.executions.get();
        ReadResult second = query("{}");

        assertThat(List.of(first, second)).allSatisfy(readResult -> {
            assertThat(readResult.source()).isEqualTo(ReadResult.ResponseSource.BYPASS);
            assertThat(text(readResult)).contains("/db/Todo/a", "/db/Todo/b");
        });
        assertThat(executed).isEqualTo(2);
        assertThat(watched.executions).hasValue(3);
    }

    @Test
    void query_pageOfATooLargeResult_isNotSharedEither() {
        List.of("a", "b", "c", "d").forEach(this::write);

        ReadResult page = await(reader.query(Principal.ANONYMOUS, request("{}", 1), options(false)));

        assertThat(page.source()).isEqualTo(ReadResult.ResponseSource.BYPASS);
        assertThat(text(page)).contains("/db/Todo/a").doesNotContain("/db/Todo/b");
    }

    @Test
    void query_writeWhileItIsExecuted_isAnsweredButNotCached() {
        write("a");
        watched.afterExecution(2, () -> publish("b"));

        ReadResult overtaken = query("{}");
        ReadResult next = query("{}");

        assertThat(watched.executions).hasValue(3);
        assertThat(text(overtaken)).doesNotContain("/db/Todo/b");
        assertThat(cacheControl(overtaken)).isEqualTo("public, no-cache");
        assertThat(next.source()).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(text(next)).contains("/db/Todo/b");
    }

    /** A copy may leave just before the server's own expires, and outlive its granted time. */
    @Test
    void query_everyCopyHasExpired_isNotWatchedAnyMoreButNotBefore() {
        CachedResponse response = query("{}").response();
        Duration life = Duration.ofMillis(response.expiresMillis() - response.createdMillis());

        clock.advance(life.multipliedBy(2).plus(Caches.LIFETIME_TOLERANCE).minusMillis(1));
        cached.sweep();
        assertThat(cached.size()).isOne();

        clock.advance(Duration.ofMillis(1));
        cached.sweep();
        assertThat(cached.size()).isZero();
    }

    @Test
    void query_matchingWriteAfterwards_isExecutedAnew() {
        write("a");
        ReadResult before = query("{}");

        write("b");
        ReadResult after = query("{}");

        assertThat(after.source()).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(etag(after)).isNotEqualTo(etag(before));
    }

    @Test
    void query_byAUser_isNotShared() {
        write("a");

        ReadResult personal = await(reader.query(ANN, request("{}", -1), options(false)));
        ReadResult fresh = await(reader.query(ANN, request("{}", -1), options(true)));

        assertThat(personal.source()).isEqualTo(ReadResult.ResponseSource.BYPASS);
        assertThat(cacheControl(personal)).isEqualTo("private, no-cache");
        assertThat(cacheControl(fresh)).isEqualTo("private, no-cache");
        assertThat(cached.size()).isZero();
    }

    @Test
    void query_fresh_isExecutedAnewAndSharedFromThenOn() {
        write("a");
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.MISS);

        ReadResult fresh = await(reader.query(Principal.ANONYMOUS, request("{}", -1), options(true)));
        ReadResult next = query("{}");

        assertThat(fresh.source()).isEqualTo(ReadResult.ResponseSource.BYPASS);
        assertThat(cacheControl(fresh)).isEqualTo("private, max-age=0");
        assertThat(next.source()).isEqualTo(ReadResult.ResponseSource.HIT);
        assertThat(next.response()).isSameAs(fresh.response());
    }

    @Test
    void query_cachedButNoLongerPermitted_isRefused() {
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.MISS);
        merge("{'operation': 'updateClassAcl', 'bucket': '/db/Todo', 'acl': {'query': {'/db/Role/1': 'allow'}}}");

        Future<ReadResult> refused = Future.succeededFuture()
                .compose(begin -> reader.query(Principal.ANONYMOUS, request("{}", -1), options(false)));

        assertThat(failureOf(refused).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void query_sameStateUnderAnotherSchema_hasAnotherTag() {
        write("a");
        ReadResult before = query("{}");
        merge("{'operation': 'addField', 'bucket': '/db/Todo', 'field': {'name': 'text', 'type': '/db/String'}}");

        ReadResult after = await(reader.query(Principal.ANONYMOUS, request("{}", -1), options(true)));

        assertThat(etag(after)).isNotEqualTo(etag(before));
    }

    @Test
    void query_ofAClassThatIsAlwaysFresh_isNotCached() {
        QueryReader fresh = reader(new ConsistencyDefaults(Map.of("Todo", Consistency.FRESH)));
        write("a");

        for (int request = 0; request < 2; request++) {
            ReadResult readResult = await(fresh.query(Principal.ANONYMOUS, request("{}", -1), options(false)));

            assertThat(readResult.source()).isEqualTo(ReadResult.ResponseSource.BYPASS);
            assertThat(cacheControl(readResult)).isEqualTo("public, no-cache");
        }
        assertThat(cached.size()).isZero();
    }

    @Test
    void query_ofAClassWithABound_livesNoLonger() {
        Consistency aSecond = Consistency.parse("bounded; max-age=1").orElseThrow();
        write("a");

        ReadResult readResult = await(reader(new ConsistencyDefaults(Map.of("Todo", aSecond)))
                .query(Principal.ANONYMOUS, request("{}", -1), options(false)));

        assertThat(cacheControl(readResult)).isEqualTo("private, max-age=0");
        assertThat(readResult.response().maxUseSeconds()).isEqualTo("1");
    }

    @Test
    void query_withoutPurgeTargets_isForSharedCachesOnlyIfTheConfigurationSaysSo() {
        CachingConfig standard = CachingConfig.DEFAULTS;
        Caches sharing = TestCaches.on(
                clock,
                new CachingConfig(
                        standard.sketch(),
                        standard.ttl(),
                        standard.responseBytes(),
                        standard.aliasBytes(),
                        standard.purge(),
                        true));

        assertThat(caches.reads().mayShareQueries()).isFalse();
        assertThat(sharing.reads().mayShareQueries()).isTrue();
        assertThat(cacheControl(query("{}"))).isEqualTo("private, max-age=0");
        assertThat(query("{}").response().maxUseSeconds()).isNotEqualTo("0");
        assertThat(query("{}").source()).as("this server caches it").isEqualTo(ReadResult.ResponseSource.HIT);
    }

    @Test
    void query_withoutAUrl_isForTheResponseCacheOnly() {
        write("a");

        ReadResult first = await(
                reader.query(Principal.ANONYMOUS, request("{}", -1), new QueryFreshnessOptions(false, false, null)));

        assertThat(cacheControl(first)).isEqualTo("private, no-cache");
        assertThat(first.response().maxUseSeconds()).isEqualTo("0");
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.HIT);
        assertThat(cacheControl(query("{}"))).isEqualTo("private, max-age=0");
    }

    @Test
    void query_byUrl_isFoundByItUnlessTheServerChoseTheForm() {
        String chosen = URL + "&ids=auto";
        write("a");

        ReadResult first = query("{}");
        ReadResult auto = await(reader.query(
                Principal.ANONYMOUS,
                request("{}", -1).as(ResultForm.CHEAPER),
                new QueryFreshnessOptions(false, false, chosen)));

        assertThat(auto.source()).isEqualTo(ReadResult.ResponseSource.HIT);
        assertThat(caches.reads().lookupUrl(URL)).containsSame(first.response());
        assertThat(caches.reads().lookupUrl(chosen)).isEmpty();
    }

    private QueryReader reader(ConsistencyDefaults consistency) {
        return new QueryReader(
                new ReaderDependencies(schemas, watched, new JsonRenderer(schemas), consistency, clock),
                new QueryParser(schemas),
                caches.reads(),
                cached,
                CONFIG);
    }

    @Test
    void query_allPlacesTakenByUnusedQueries_getsThePlaceOfOne() {
        takePlaces(4);
        cached.decay();
        cached.decay();

        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.BYPASS);
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.HIT);
        assertThat(cached.size()).isEqualTo(4);
        assertThat(matching.activeQueries()).isEqualTo(4);
    }

    @Test
    void query_forIds_survivesChangesOfMembersAndNotOfMembership() {
        write("a");
        ReadResult first = query(ResultForm.IDS, "{'id': 1}");

        change("a");
        ReadResult changed = query(ResultForm.IDS, "{'id': 1}");
        ReadResult objects = query("{}");
        write("b");
        ReadResult grown = query(ResultForm.IDS, "{'id': 1}");

        assertThat(text(first)).isEqualTo("[\"/db/Todo/a\"]");
        assertThat(changed.source()).isEqualTo(ReadResult.ResponseSource.HIT);
        assertThat(text(objects)).contains("\"n\":2");
        assertThat(grown.source()).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(text(grown)).isEqualTo("[\"/db/Todo/a\",\"/db/Todo/b\"]");
    }

    @Test
    void query_forIdsInAnotherOrder_followsChangesOfMembers() {
        write("a");
        write("b");
        assertThat(text(query(ResultForm.IDS, "{'n': 1}"))).isEqualTo("[\"/db/Todo/a\",\"/db/Todo/b\"]");

        change("a");

        assertThat(text(query(ResultForm.IDS, "{'n': 1}"))).isEqualTo("[\"/db/Todo/b\",\"/db/Todo/a\"]");
    }

    @Test
    void withChosenForm_cheaperForm_isIdsWhenMembersChangeAndAllMayLoadThem() {
        List.of("a", "b", "c").forEach(this::write);
        QueryRequest either = request("{}", -1).as(ResultForm.CHEAPER);
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(reader.withChosenForm(either).form()).isEqualTo(ResultForm.OBJECTS);

        for (int i = 0; i < 4; i++) {
            change("a");
        }
        assertThat(reader.withChosenForm(either).form()).isEqualTo(ResultForm.IDS);

        merge("{'operation': 'updateClassAcl', 'bucket': '/db/Todo', 'acl': {'load': {'/db/Role/1': 'allow'}}}");
        assertThat(reader.withChosenForm(either).form()).isEqualTo(ResultForm.OBJECTS);
    }

    private ReadResult query(ResultForm form, String sort) {
        return await(reader.query(
                Principal.ANONYMOUS,
                new QueryRequest("Todo", object("{}"), object(sort), 0, -1, form),
                options(false)));
    }

    private void change(String key) {
        ObjectRef ref = new ObjectRef("Todo", key);
        BsonDocument fields = new BsonDocument("done", BsonBoolean.FALSE).append("n", new BsonInt64(2));
        await(store.replace(ref, fields, Precondition.none(), Principal.SERVER).compose(matching::publish));
    }

    /** The cell hangs in the listener, as it would in an endless filter. */
    @Test
    void query_writesAreNotMatchedInTime_isNotCachedUntilTheyAre() {
        write("a");
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.MISS);
        stuck = new CompletableFuture<>();
        reached = new CompletableFuture<>();
        long ticket = caches.reads().issueTicket(reader.key(request("{}", -1)));

        Future<Void> late = publish("b");
        reached.join();
        turns(InvalidbClient.MAX_LAG_TICKS);
        ReadResult inTime = query("{}");
        turns(1);

        assertThat(inTime.source()).isEqualTo(ReadResult.ResponseSource.HIT);
        assertThat(caches.reads()
                        .admit(reader.key(request("{}", -1)), ticket, new Ttls(0, 60))
                        .result())
                .as("shared caches receive a purge of it")
                .isFalse();
        for (int i = 0; i < 2; i++) {
            ReadResult passing = query("{}");
            assertThat(passing.source()).isEqualTo(ReadResult.ResponseSource.BYPASS);
            assertThat(cacheControl(passing)).isEqualTo("public, no-cache");
            assertThat(text(passing)).contains("/db/Todo/b");
        }
        assertThat(meter("orestes.realtime.late")).isEqualTo(1);
        assertThat(meter("orestes.realtime.lags")).isEqualTo(1);
        assertThat(meter("orestes.read.queries.late")).isEqualTo(2);

        stuck.complete(null);
        await(late);
        turns(1);
        assertThat(meter("orestes.realtime.late")).isZero();
        ReadResult caughtUp = query("{}");
        assertThat(caughtUp.source()).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(text(caughtUp)).contains("/db/Todo/b");
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.HIT);
        write("c");
        assertThat(text(query("{}"))).contains("/db/Todo/c");
    }

    /**
     * The cell hangs, so it does not confirm that it watches the query; it is replaced after some
     * 20 s only.
     */
    @Test
    void query_cannotBeWatchedInTime_isAnsweredAndNotCachedUntilItIs() {
        write("a");
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.MISS);
        stuck = new CompletableFuture<>();
        reached = new CompletableFuture<>();
        Future<Void> late = publish("b");
        reached.join();

        ReadResult waited = query("{'n': 1}");
        clock.advance(PATIENCE);
        ReadResult atOnce = query("{'n': 1}");

        assertThat(List.of(waited, atOnce)).allSatisfy(readResult -> {
            assertThat(readResult.source()).isEqualTo(ReadResult.ResponseSource.BYPASS);
            assertThat(cacheControl(readResult)).isEqualTo("public, no-cache");
            assertThat(text(readResult)).contains("/db/Todo/a", "/db/Todo/b");
        });
        assertThat(cached.lateCount()).isEqualTo(2);
        stuck.complete(null);
        await(late);
        while (query("{'n': 1}").source() != ReadResult.ResponseSource.HIT) {
            assertThat(cached.size()).isLessThanOrEqualTo(2);
        }
        write("c");
        assertThat(text(query("{'n': 1}"))).contains("/db/Todo/c");
    }

    /**
     * Matching becomes late just after the decision to cache the query, before there is anything to
     * invalidate.
     */
    @Test
    void query_matchingBecomesLateBeforeItIsWatched_isNotCached() {
        write("a");
        watched.beforeExecution = () -> {
            watched.beforeExecution = () -> {};
            cached.suspend(true);
        };

        assertThat(cacheControl(query("{}"))).isEqualTo("public, no-cache");
        cached.suspend(false);
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.MISS);
    }

    @Test
    void query_afterAWriteThatCouldNotBeMatched_isExecutedAnew() {
        write("a");
        assertThat(query("{}").source()).isEqualTo(ReadResult.ResponseSource.MISS);
        await(matching.close());

        Future<Void> unmatched = publish("b");
        awaitAll(List.of(unmatched));

        assertThat(unmatched.failed()).isTrue();
        assertThat(meter("orestes.realtime.unmatched")).isEqualTo(1);
        assertThat(text(query("{}"))).contains("/db/Todo/b");
    }

    @Test
    void query_freshByManyAtOnce_isExecutedOneAtATime() {
        write("a");
        cached.suspend(true);
        int executed = watched.executions.get();
        Promise<Void> gate = Promise.promise();
        watched.afterExecution(executed + 1, gate::future);

        List<Future<ReadResult>> answers = Stream.generate(
                        () -> reader.query(Principal.ANONYMOUS, request("{}", -1), options(true)))
                .limit(50)
                .toList();
        assertThat(watched.executions.get()).isEqualTo(executed + 1);
        gate.complete();
        awaitAll(answers);

        assertThat(answers)
                .allSatisfy(readResult -> assertThat(text(readResult.result())).contains("/db/Todo/a"));
        assertThat(watched.executions.get()).isEqualTo(executed + 2);
    }

    private double meter(String name) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ReadMetrics.bind(registry, cached);
        var unused = MatchingMetrics.bind(registry, matching);
        return registry.get(name).meter().measure().iterator().next().getValue();
    }

    private void turns(int count) {
        for (int i = 0; i < count; i++) {
            matching.tick();
        }
    }

    private void takePlaces(int count) {
        for (int n = 0; n < count; n++) {
            while (query("{'n': " + n + "}").source() != ReadResult.ResponseSource.HIT) {
                assertThat(cached.size()).isLessThanOrEqualTo(count);
            }
        }
        assertThat(cached.size()).isEqualTo(count);
    }

    private ReadResult query(String q) {
        return await(reader.query(Principal.ANONYMOUS, request(q, -1), options(false)));
    }

    private static QueryRequest request(String q, int count) {
        return new QueryRequest("Todo", object(q), object("{'id': 1}"), 0, count, ResultForm.OBJECTS);
    }

    private void merge(String change) {
        assertThat(await(schemas.merge(object(change), Principal.SERVER))).isNotNull();
    }

    private void write(String key) {
        await(publish(key));
    }

    private Future<Void> publish(String key) {
        BsonDocument fields = new BsonDocument("done", BsonBoolean.FALSE).append("n", new BsonInt64(1));
        return store.insert(new ObjectRef("Todo", key), fields).compose(matching::publish);
    }

    private static String text(ReadResult readResult) {
        return readResult.response().body().toString(StandardCharsets.UTF_8);
    }

    private static String etag(ReadResult readResult) {
        return readResult.response().headers().etag();
    }

    private static String cacheControl(ReadResult readResult) {
        return readResult.response().headers().cacheControl();
    }

    /** Counts executions, and runs an action between one of them and its response. */
    private static final class InterceptedStore extends ForwardingStore {

        private final AtomicInteger executions = new AtomicInteger();
        private final Queue<ReadLevel> levels = new ConcurrentLinkedQueue<>();
        private volatile Runnable beforeExecution = () -> {};
        private volatile Predicate<StoreQuery> refused = query -> false;
        private volatile int interrupted;
        private volatile Supplier<Future<Void>> interruption = Future::succeededFuture;

        private InterceptedStore(ObjectStore target) {
            super(target);
        }

        void afterExecution(int number, Supplier<Future<Void>> something) {
            interruption = something;
            interrupted = number;
        }

        @Override
        public Future<List<StoredObject>> query(StoreQuery query) {
            beforeExecution.run();
            levels.add(query.level());
            int number = executions.incrementAndGet();
            if (refused.test(query)) {
                return Future.failedFuture(new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, "too large"));
            }
            return super.query(query)
                    .compose(result ->
                            number == interrupted ? interruption.get().map(result) : Future.succeededFuture(result));
        }

        @Override
        public <T> Future<T> query(List<StoreQuery> queries, Function<List<List<StoredObject>>, Future<T>> use) {
            return queries.size() == 1
                    ? query(queries.get(0)).compose(result -> use.apply(List.of(result)))
                    : super.query(queries, use);
        }
    }

    private static QueryFreshnessOptions options(boolean fresh) {
        return new QueryFreshnessOptions(fresh, false, URL);
    }
}
