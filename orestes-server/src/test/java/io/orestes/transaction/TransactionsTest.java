package io.orestes.transaction;

import static io.orestes.schema.Schemas.ANN;
import static io.orestes.schema.Schemas.json;
import static io.orestes.schema.Schemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.node.GridOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orestes.caching.Caches;
import io.orestes.caching.CachingConfig;
import io.orestes.caching.response.Responses;
import io.orestes.caching.ttl.Ttls;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.realtime.QueryMatching;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ObjectStore;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.StoreConfig;
import io.orestes.write.WritePipeline;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions over the real pipeline and store, with a clock that is set by hand. */
final class TransactionsTest {

    private static final TransactionConfig CONFIG = new TransactionConfig(Duration.ofSeconds(30), 3, 100);

    private final Vertx vertx = Vertx.vertx();
    private final Caches caches = new Caches(CachingConfig.DEFAULTS, InstantSource.system(), new SimpleMeterRegistry());
    private final QueryMatching matching = QueryMatching.start(vertx, GridOptions.defaults(), 100);
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> announced = new CopyOnWriteArrayList<>();
    private final LocalLocks locks = new LocalLocks(vertx);
    private final ObjectStore store;
    private final SchemaRegistry schemas;
    private final WritePipeline writes;
    private final Transactions transactions;

    TransactionsTest(@TempDir Path folder) {
        store = EmbeddedObjectStore.open(vertx, StoreConfig.at(folder.resolve("data")));
        schemas = await(SchemaRegistry.open(store));
        writes = new WritePipeline(schemas, store, caches, matching, ref -> announced.add(ref.key()));
        transactions = new Transactions(writes, CONFIG, locks, nanos::get);
    }

    @BeforeEach
    void createClass() {
        merge(
                "{'class': '/db/Account', 'fields': {'owner': {'type': '/db/String'}, 'money': {'type': '/db/Integer'}}}");
        insert("a", 100);
        insert("b", 100);
        announced.clear();
    }

    @AfterEach
    void tearDown() {
        assertThat(locks.isIdle()).isTrue();
        await(matching.close());
        await(store.close());
        await(vertx.close());
    }

    @Test
    void commit_currentVersions_writesAllAndTellsTheirNewVersions() {
        List<Outcome> outcomes = await(commit("{'readSet': [{'oid': '/db/Account/a', 'version': 1}],"
                + "'writeSet': [{'id': '/db/Account/a', 'version': 1, 'money': 50}, {'id': '/db/Account/c', 'money': 30}],"
                + "'partialUpdates': [{'ref': '/db/Account/b', 'operations': {'$inc': {'money': 20}}},"
                + "                   {'ref': '/db/Account/b', 'operations': {'$mul': {'money': 2}}}]}"));

        assertThat(outcomes.stream().map(StoredObject.class::cast).map(StoredObject::version))
                .containsExactly(2L, 1L, 2L);
        assertThat(List.of(money("a"), money("c"), money("b"))).containsExactly(50L, 30L, 240L);
        assertThat(announced).containsExactly("a", "c", "b");
    }

    @Test
    void commit_staleRead_writesNothingAndNamesIt() {
        update("b");
        announced.clear();

        var failure = failureOf(commit("{'readSet': [{'oid': '/db/Account/b', 'version': 1}],"
                + "'writeSet': [{'id': '/db/Account/a', 'version': 1, 'money': 0}]}"));

        assertThat(failure.code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(failure.data()).contains(object("{'stale': ['/db/Account/b']}"));
        assertThat(money("a")).isEqualTo(100);
        assertThat(announced).isEmpty();
    }

    @Test
    void commit_cachedObjects_areGoneFromTheCacheWhenItIsAnswered() {
        List<String> ids = List.of("/db/Account/a", "/db/Account/b");
        ids.forEach(this::keepCopy);

        await(commit("{'writeSet': [{'id': '/db/Account/a', 'version': 1}], 'deleteSet': [{'/db/Account/b': 1}]}"));

        assertThat(ids).allSatisfy(id -> {
            assertThat(caches.lookup(id)).isEmpty();
            assertThat(caches.staleKeys().snapshot().filter().contains(id)).isTrue();
        });
        assertThat(await(store.find(ref("b")))).isEmpty();
    }

    @Test
    void commit_oneWriteIsRefused_writesNone() {
        String fine = "{'id': '/db/Account/a', 'version': 1, 'money': 0}";

        assertThat(failureOf(commit(
                                "{'writeSet': [" + fine + ", {'id': '/db/Account/b', 'version': 1, 'money': 'x'}]}"))
                        .code())
                .isEqualTo(ErrorCode.INVALID_TYPE_VALUE);
        assertThat(failureOf(commit("{'writeSet': [" + fine + "], 'partialUpdates':"
                                + "[{'ref': '/db/Account/b', 'operations': {'$push': {'money': 1}}}]}"))
                        .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(failureOf(commit("{'writeSet': [" + fine + ", {'id': '/db/User/x', 'username': 'x'}]}"))
                        .code())
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(failureOf(commit("{'writeSet': [" + fine + ", {'id': '/db/Account/b'}]}"))
                        .code())
                .isEqualTo(ErrorCode.OBJECT_EXISTS);
        assertThat(money("a")).isEqualTo(100);
        assertThat(announced).isEmpty();
    }

    /** A user cannot come into being by a transaction, but one of a version that is not there is just not as it was read. */
    @Test
    void commit_wholeUserThatIsNotThere_isStale() {
        var failure = failureOf(commit("{'writeSet': [{'id': '/db/User/x', 'version': 3, 'username': 'x'},"
                + "{'id': '/db/Account/a', 'version': 1, 'money': 0}]}"));

        assertThat(failure.code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(failure.data()).contains(object("{'stale': ['/db/User/x']}"));
        assertThat(money("a")).isEqualTo(100);
    }

    @Test
    void commit_readOfAClassThatMayNotBeLoaded_isDenied() {
        merge("{'operation': 'updateClassAcl', 'bucket': '/db/Account', 'acl': {'load': {'/db/Role/1': 'allow'}}}");

        assertThat(failureOf(commit("[{'oid': '/db/Account/a', 'version': 1}]")).code())
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void commit_ofWhatIsNotOpen_isInactive() {
        String committed = transactions.begin();
        await(commit(committed, "{}"));
        String failed = transactions.begin();
        assertThat(failureOf(commit(failed, "[{'oid': '/db/Account/a', 'version': 9}]"))
                        .code())
                .isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        String aborted = transactions.begin();
        transactions.abort(aborted);
        String late = transactions.begin();
        nanos.addAndGet(CONFIG.timeout().toNanos());

        for (String tid : List.of(committed, failed, aborted, late, "unknown")) {
            assertThat(failureOf(commit(tid, "{}")).code()).isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
            assertThat(failureOf(Future.succeededFuture().map(unused -> {
                                transactions.abort(tid);
                                return tid;
                            }))
                            .code())
                    .isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
        }
    }

    @Test
    void commit_malformed_leavesTheTransactionOpen() {
        String tid = transactions.begin();

        assertThat(failureOf(commit(tid, "{'write': []}")).code()).isEqualTo(ErrorCode.BAD_REQUEST);

        assertThat(await(commit(tid, "{}"))).isEmpty();
    }

    @Test
    void begin_tooManyAreOpen_isRefusedUntilSomeEndOrExpire() {
        List<String> open = IntStream.range(0, CONFIG.maxOpen())
                .mapToObj(i -> transactions.begin())
                .toList();
        assertThat(failureOf(begin()).code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);

        transactions.abort(open.get(0));
        assertThat(await(begin())).isNotEmpty();
        nanos.addAndGet(CONFIG.timeout().toNanos());
        assertThat(await(begin())).isNotEmpty();
    }

    /** Of two transactions that read both accounts and each empty one of them, only one may come through. */
    @Test
    void commit_writeSkew_isPrevented() {
        String readBoth = "'readSet': [{'oid': '/db/Account/a', 'version': 1}, {'oid': '/db/Account/b', 'version': 1}]";

        List<Future<List<Outcome>>> both = List.of(
                commit("{" + readBoth + ", 'writeSet': [{'id': '/db/Account/a', 'version': 1, 'money': -100}]}"),
                commit("{" + readBoth + ", 'writeSet': [{'id': '/db/Account/b', 'version': 1, 'money': -100}]}"));
        awaitAll(both);

        assertThat(both.stream().filter(Future::succeeded)).hasSize(1);
        assertThat(money("a") + money("b")).isEqualTo(0);
    }

    @Test
    void commit_transfersOnManyThreads_keepTheSumAndAChainOfVersions() throws InterruptedException {
        Transactions many = new Transactions(vertx, writes, TransactionConfig.DEFAULTS);
        List<String> accounts = List.of("a", "b", "c", "d", "e");
        accounts.subList(2, 5).forEach(key -> insert(key, 100));
        List<StoredObject> images = Collections.synchronizedList(new ArrayList<>());

        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(seed -> new Thread(() -> transfer(many, accounts, new Random(seed), images)))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(accounts.stream().mapToLong(this::money).sum()).isEqualTo(500);
        assertThat(images).hasSize(2 * 8 * 40);
        for (String key : accounts) {
            List<Long> versions = images.stream()
                    .filter(image -> image.ref().key().equals(key))
                    .map(StoredObject::version)
                    .sorted()
                    .toList();
            assertThat(versions)
                    .containsExactlyElementsOf(LongStream.rangeClosed(2, versions.size() + 1)
                            .boxed()
                            .toList());
        }
    }

    private void transfer(Transactions many, List<String> accounts, Random random, List<StoredObject> images) {
        int done = 0;
        while (done < 40) {
            List<String> two = new ArrayList<>(accounts);
            Collections.shuffle(two, random);
            StoredObject from = find(two.get(0));
            StoredObject to = find(two.get(1));
            int amount = random.nextInt(20);
            Future<List<Outcome>> commit = commit(
                    many,
                    many.begin(),
                    "{'writeSet': [%s, %s]}".formatted(changed(from, -amount), changed(to, amount)));
            awaitAll(List.of(commit));
            if (commit.succeeded()) {
                commit.result().forEach(outcome -> images.add((StoredObject) outcome));
                done++;
            }
        }
    }

    private static String changed(StoredObject account, long by) {
        return "{'id': '%s', 'version': %d, 'money': %d}"
                .formatted(account.ref().id(), account.version(), money(account) + by);
    }

    private void keepCopy(String id) {
        Ttls ttls = new Ttls(60, 60);
        long ticket = caches.begin(id);
        assertThat(caches.admit(id, ticket, ttls)).isTrue();
        caches.put(id, ticket, Responses.of(1, ttls, System.currentTimeMillis()));
    }

    private Future<String> begin() {
        return Future.succeededFuture().map(unused -> transactions.begin());
    }

    private Future<List<Outcome>> commit(String body) {
        return commit(transactions.begin(), body);
    }

    private Future<List<Outcome>> commit(String tid, String body) {
        return commit(transactions, tid, body);
    }

    private static Future<List<Outcome>> commit(Transactions transactions, String tid, String body) {
        return Future.succeededFuture().compose(unused -> transactions.commit(ANN, tid, json(body)));
    }

    private void insert(String key, long money) {
        await(writes.insert(ANN, "Account", object("{'id': '/db/Account/%s', 'money': %d}".formatted(key, money))));
    }

    private void update(String key) {
        await(writes.update(ANN, ref(key), object("{}"), Precondition.none()));
    }

    private void merge(String change) {
        assertThat(await(schemas.merge(object(change), Principal.SERVER))).isNotNull();
    }

    private static ObjectRef ref(String key) {
        return new ObjectRef("Account", key);
    }

    private StoredObject find(String key) {
        return await(store.find(ref(key))).orElseThrow();
    }

    private long money(String key) {
        return money(find(key));
    }

    private static long money(StoredObject account) {
        return account.document().getInt64("money").getValue();
    }
}
