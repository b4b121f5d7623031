package io.orestes.transaction;

import static io.orestes.schema.TestSchemas.ANN;
import static io.orestes.schema.TestSchemas.json;
import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.node.GridOptions;
import io.orestes.caching.Caches;
import io.orestes.caching.ManualClock;
import io.orestes.caching.TestCaches;
import io.orestes.caching.response.TestResponses;
import io.orestes.caching.ttl.Ttls;
import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.GroupLocks;
import io.orestes.coordination.local.LocalGroup;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.Batch;
import io.orestes.store.ForwardingStore;
import io.orestes.store.ObjectStore;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.orestes.write.WritePipeline;
import io.orestes.write.WritePublisher;
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
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions over the real pipeline and store, with a manual clock. */
final class TransactionManagerTest {

    private static final TransactionConfig CONFIG = new TransactionConfig(Duration.ofSeconds(30), 3, 3, 100);

    private final Vertx vertx = Vertx.vertx();
    private final Caches caches = TestCaches.on(InstantSource.system());
    private final InvalidbClient matching = InvalidbClient.start(vertx, GridOptions.defaults(), 100);
    private final ManualClock clock = new ManualClock();
    private final List<String> announced = new CopyOnWriteArrayList<>();
    private final LocalGroup group = new LocalGroup(vertx, CoordinationTimeouts.DEFAULTS);
    private final Coordinator server = group.server(tid -> Future.succeededFuture());
    private final ObjectStore store;
    private final SchemaRegistry schemas;
    private final WritePipeline writes;
    private final CommitOutcomeLog ends;
    private final TransactionManager transactionManager;

    TransactionManagerTest(@TempDir Path folder) {
        store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(folder.resolve("data")));
        schemas = await(SchemaRegistry.open(store));
        writes = pipeline(store);
        ends = new CommitOutcomeLog(store, clock, CONFIG.timeout());
        transactionManager = open(CONFIG);
    }

    private TransactionManager open(TransactionConfig config) {
        return open(config, writes, ends);
    }

    private TransactionManager open(TransactionConfig config, WritePipeline pipeline, CommitOutcomeLog log) {
        return open(config, pipeline, log, server.locks());
    }

    private TransactionManager open(
            TransactionConfig config, WritePipeline pipeline, CommitOutcomeLog log, GroupLocks locks) {
        return new TransactionManager(
                pipeline,
                config,
                new TransactionIds(new byte[] {1}, config.timeout(), clock),
                new CommitLocks(locks, "here", InDoubtCommits.of(vertx, log, clock)),
                log);
    }

    private WritePipeline pipeline(ObjectStore objects) {
        return new WritePipeline(
                schemas,
                objects,
                new WritePublisher(
                        objects,
                        caches.invalidator(),
                        matching,
                        outcome -> announced.add(outcome.ref().key())));
    }

    @BeforeEach
    void createClass() {
        await(ends.prepare());
        assertThat(await(server.join("here")).info()).isEqualTo("here");
        merge("{'class': '/db/Account',"
                + " 'fields': {'owner': {'type': '/db/String'}, 'money': {'type': '/db/Integer'}}}");
        insert("a", 100);
        insert("b", 100);
        announced.clear();
    }

    @AfterEach
    void tearDown() {
        assertThat(group.lockCount()).isZero();
        await(matching.close());
        await(store.close());
        await(vertx.close());
    }

    @Test
    void commit_currentVersions_writesAllAndReturnsTheirNewVersions() {
        List<CommittedVersion> outcomes = await(commit("{'readSet': [{'oid': '/db/Account/a', 'version': 1}],"
                + "'writeSet': [{'id': '/db/Account/a', 'version': 1, 'money': 50},"
                + " {'id': '/db/Account/c', 'money': 30}],"
                + "'partialUpdates': [{'ref': '/db/Account/b', 'operations': {'$inc': {'money': 20}}},"
                + "                   {'ref': '/db/Account/b', 'operations': {'$mul': {'money': 2}}}]}"));

        assertThat(outcomes.stream().map(CommittedVersion::version)).containsExactly(2L, 1L, 2L);
        assertThat(List.of(money("a"), money("c"), money("b"))).containsExactly(50L, 30L, 240L);
        assertThat(announced).containsExactly("a", "c", "b");
    }

    /**
     * A user who loses a role by the commit must not receive an object that only the role may read.
     */
    @Test
    void commit_objectsAndRoles_publishesRolesFirst() {
        await(store.insert(new ObjectRef("Role", "team"), object("{'name': 'team', 'users': []}")));

        await(commit("{'partialUpdates': [{'ref': '/db/Account/a', 'operations': {'$inc': {'money': 1}}},"
                + "{'ref': '/db/Role/team', 'operations': {'$set': {'name': 'other'}}},"
                + "{'ref': '/db/Account/b', 'operations': {'$inc': {'money': 1}}}]}"));

        assertThat(announced).containsExactly("team", "a", "b");
    }

    @Test
    void commit_serverMayHaveBeenEvicted_writesNothingAndNeverWill() {
        TransactionManager silent = open(CONFIG, writes, ends, (holder, modes) -> server.locks()
                .acquire(holder, modes)
                .map(LostLock::new));
        String tid = transactionManager.begin(Principal.ANONYMOUS);
        BsonDocument body = object("{'writeSet': [{'id': '/db/Account/a', 'version': 1, 'money': 50}]}");

        assertThat(failureOf(silent.commit(Principal.ANONYMOUS, tid, body)).code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failureOf(transactionManager.commit(Principal.ANONYMOUS, tid, body))
                        .code())
                .isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
        assertThat(money("a")).isEqualTo(100);
        assertThat(announced).isEmpty();
    }

    /** A lock of a server that was silent for too long since it acquired the lock. */
    private record LostLock(GroupLocks.Lock lock) implements GroupLocks.Lock {

        @Override
        public boolean isInDoubt() {
            return true;
        }

        @Override
        public void release() {
            lock.release();
        }
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
    void commit_cachedObjects_areEvictedBeforeTheResponse() {
        List<String> ids = List.of("/db/Account/a", "/db/Account/b");
        ids.forEach(this::keepCopy);

        await(commit("{'writeSet': [{'id': '/db/Account/a', 'version': 1}], 'deleteSet': [{'/db/Account/b': 1}]}"));

        assertThat(ids).allSatisfy(id -> {
            assertThat(caches.reads().lookup(id)).isEmpty();
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

    /**
     * A transaction cannot create a user. A user at a version that does not exist counts as a stale
     * read.
     */
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
    void commit_ofNoOpenTransaction_isInactive() {
        String failed = transactionManager.begin(ANN);
        assertThat(failureOf(commit(failed, "[{'oid': '/db/Account/a', 'version': 9}]"))
                        .code())
                .isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        String aborted = transactionManager.begin(ANN);
        await(transactionManager.abort(ANN, aborted));
        String late = transactionManager.begin(ANN);
        clock.advance(CONFIG.timeout());

        for (String tid : List.of(failed, aborted, late, "unknown")) {
            assertThat(failureOf(commit(tid, "{}")).code()).isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
            assertThat(failureOf(Future.succeededFuture().compose(unused -> transactionManager.abort(ANN, tid)))
                            .code())
                    .isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
        }
    }

    @Test
    void commit_aSecondTime_returnsTheSameAndDoesNothing() {
        String tid = transactionManager.begin(ANN);
        String body = "{'writeSet': [{'id': '/db/Account/a', 'version': 1, 'money': 50},"
                + " {'id': '/db/Account/c', 'money': 30}],"
                + "'partialUpdates': [{'ref': '/db/Account/b', 'operations': {'$inc': {'money': 20}}}]}";
        List<CommittedVersion> first = await(commit(tid, body));

        assertThat(await(commit(tid, body))).isEqualTo(first);
        assertThat(failureOf(commit(tid, "{'deleteSet': [{'/db/Account/a': 2}]}"))
                        .code())
                .isEqualTo(ErrorCode.TRANSACTION_INACTIVE);

        assertThat(List.of(money("a"), money("b"))).containsExactly(50L, 120L);
        assertThat(failureOf(transactionManager.abort(ANN, tid)).code()).isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
    }

    /** A role gets another id than the requested one. */
    @Test
    void commit_ofARoleASecondTime_publishesTheIdThatItGot() {
        String tid = transactionManager.begin(ANN);
        String body = "{'writeSet': [{'id': '/db/Role/wanted', 'name': 'team', 'users': []},"
                + "{'id': '/db/Account/a', 'version': 1, 'money': 50}]}";
        List<CommittedVersion> first = await(commit(tid, body));
        String key = first.get(0).ref().key();
        assertThat(key).isNotEqualTo("wanted");
        announced.clear();
        TransactionManager elsewhere = open(CONFIG, writes, new CommitOutcomeLog(store, clock, CONFIG.timeout()));

        assertThat(await(commit(tid, body))).isEqualTo(first);
        assertThat(await(commit(elsewhere, tid, body))).isEqualTo(first);

        assertThat(announced).containsExactlyInAnyOrder(key, "a", key, "a");
        assertThat(await(store.find(new ObjectRef("Role", "wanted")))).isEmpty();
    }

    /**
     * A client that lost the response may repeat the request as long as the outcome is stored,
     * which is longer than a transaction may be open.
     */
    @Test
    void commit_aSecondTimeAfterTheTimeOut_returnsTheSameUntilThatIsDeleted() {
        String tid = transactionManager.begin(ANN);
        String aborted = transactionManager.begin(ANN);
        String body = "{'writeSet': [{'id': '/db/Account/a', 'version': 1, 'money': 50}]}";
        List<CommittedVersion> first = await(commit(tid, body));
        await(transactionManager.abort(ANN, aborted));

        clock.advance(CONFIG.timeout());

        assertThat(await(commit(tid, body))).isEqualTo(first);
        assertThat(failureOf(commit(tid, "{'deleteSet': [{'/db/Account/a': 2}]}"))
                        .code())
                .isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
        assertThat(failureOf(commit(aborted, body)).code()).isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
        assertThat(failureOf(Future.succeededFuture()
                                .compose(unused -> transactionManager.commit(Principal.ANONYMOUS, tid, json(body))))
                        .code())
                .isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
        clock.advance(Duration.ofMillis(1));
        await(ends.deleteExpired());
        assertThat(failureOf(commit(tid, body)).code()).isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
        assertThat(List.of(money("a"), find("a").version())).containsExactly(50L, 2L);
    }

    /** Any server that knows the secret accepts it. */
    @Test
    void commit_begunByAnotherServer_isCommitted() {
        String tid = open(CONFIG).begin(ANN);

        await(commit(tid, "{'writeSet': [{'id': '/db/Account/a', 'version': 1, 'money': 50}]}"));

        assertThat(money("a")).isEqualTo(50);
    }

    @Test
    void commit_byAnotherUser_isInactive() {
        String tid = transactionManager.begin(Principal.ANONYMOUS);

        assertThat(failureOf(commit(tid, "{}")).code()).isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
    }

    /** Another server met its locks while its own was silent, and went on. */
    @Test
    void commit_abortedByAnotherServer_writesNothing() {
        String tid = transactionManager.begin(ANN);
        await(ends.resolve(tid));

        assertThat(failureOf(commit(tid, "{'writeSet': [{'id': '/db/Account/a', 'version': 1, 'money': 50}]}"))
                        .code())
                .isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
        assertThat(money("a")).isEqualTo(100);
    }

    @Test
    void deleteExpired_endedLongAgo_isDeleted() {
        String tid = transactionManager.begin(ANN);
        await(ends.resolve(tid));
        clock.advance(CONFIG.timeout().plusSeconds(1));

        await(ends.deleteExpired());

        assertThat(await(ends.abort(tid))).isEmpty();
    }

    @Test
    void commit_malformed_leavesTheTransactionOpen() {
        String tid = transactionManager.begin(ANN);

        assertThat(failureOf(commit(tid, "{'write': []}")).code()).isEqualTo(ErrorCode.BAD_REQUEST);

        assertThat(await(commit(tid, "{}"))).isEmpty();
    }

    @Test
    void begin_tooManyAreOpen_isRefusedUntilSomeEndOrExpire() {
        List<String> open = IntStream.range(0, CONFIG.maxOpen())
                .mapToObj(i -> transactionManager.begin(ANN))
                .toList();
        assertThat(failureOf(begin()).code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);

        await(transactionManager.abort(ANN, open.get(0)));
        assertThat(await(begin())).isNotEmpty();
        clock.advance(CONFIG.timeout());
        assertThat(await(begin())).isNotEmpty();
    }

    @Test
    void begin_tooManyOfOneCallerAreOpen_isRefusedToThatOneOnly() {
        TransactionManager bounded = open(new TransactionConfig(CONFIG.timeout(), 8, 2, 100));
        List<String> open =
                IntStream.range(0, 2).mapToObj(i -> bounded.begin(ANN, "ann")).toList();
        assertThat(failureOf(begin(bounded, "ann")).code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);

        assertThat(await(begin(bounded, "192.0.2.7"))).isNotEmpty();
        IntStream.range(0, 3).forEach(i -> assertThat(bounded.begin(ANN)).isNotEmpty());
        await(bounded.abort(ANN, open.get(0)));
        assertThat(await(begin(bounded, "ann"))).isNotEmpty();
        await(commit(bounded, open.get(1), "{}"));
        assertThat(await(begin(bounded, "ann"))).isNotEmpty();
        assertThat(failureOf(begin(bounded, "ann")).code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        clock.advance(CONFIG.timeout());
        assertThat(await(begin(bounded, "ann"))).isNotEmpty();
    }

    /** Transactions that another server commits time out here, and are not counted twice. */
    @Test
    void begin_callersWhoseTransactionsTimedOut_mayHaveAsManyAsBefore() {
        TransactionManager bounded = open(new TransactionConfig(CONFIG.timeout(), 8, 2, 100));
        for (int round = 0; round < 3; round++) {
            String first = bounded.begin(ANN, "ann");
            assertThat(bounded.begin(ANN, "ann")).isNotEmpty();
            assertThat(failureOf(begin(bounded, "ann")).code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
            clock.advance(CONFIG.timeout());
            assertThat(bounded.begin(ANN, "bea")).isNotEmpty();
            assertThat(failureOf(commit(bounded, first, "{}")).code()).isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
        }
    }

    /** Others proceed when the store has confirmed that the commit will never be made. */
    @Test
    void commit_storeIsUnavailable_retainsItsLocksUntilTheStoreIsBack() {
        Unreliable unreliable = new Unreliable(store);
        TransactionManager elsewhere =
                open(CONFIG, pipeline(unreliable), new CommitOutcomeLog(unreliable, clock, CONFIG.timeout()));
        String tid = elsewhere.begin(ANN);
        String body = "{'writeSet': [{'id': '/db/Account/a', 'version': 1, 'money': 50}]}";
        unreliable.isAway = true;
        assertThat(failureOf(commit(elsewhere, tid, body)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(group.lockCount()).isEqualTo(1);
        Future<List<CommittedVersion>> next = commit(body);

        unreliable.isAway = false;

        assertThat(await(next)).containsExactly(new CommittedVersion(ref("a"), 2));
        assertThat(failureOf(commit(elsewhere, tid, body)).code()).isEqualTo(ErrorCode.TRANSACTION_INACTIVE);
    }

    /** A store that is temporarily unavailable. */
    private static final class Unreliable extends ForwardingStore {

        private volatile boolean isAway;

        private Unreliable(ObjectStore target) {
            super(target);
        }

        @Override
        public Future<StoredObject> insert(ObjectRef ref, BsonDocument fields, long schemaEpoch) {
            return isAway ? away() : super.insert(ref, fields, schemaEpoch);
        }

        @Override
        public Future<List<WriteOutcome>> commit(Batch batch) {
            return isAway ? away() : super.commit(batch);
        }

        private static <T> Future<T> away() {
            return Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "The store is unavailable"));
        }
    }

    /**
     * Of two transactions that read both accounts and each empty one of them, only one may commit.
     */
    @Test
    void commit_writeSkew_isPrevented() {
        String readBoth = "'readSet': [{'oid': '/db/Account/a', 'version': 1}, {'oid': '/db/Account/b', 'version': 1}]";

        List<Future<List<CommittedVersion>>> both = List.of(
                commit("{" + readBoth + ", 'writeSet': [{'id': '/db/Account/a', 'version': 1, 'money': -100}]}"),
                commit("{" + readBoth + ", 'writeSet': [{'id': '/db/Account/b', 'version': 1, 'money': -100}]}"));
        awaitAll(both);

        assertThat(both.stream().filter(Future::succeeded)).hasSize(1);
        assertThat(money("a") + money("b")).isEqualTo(0);
    }

    @Test
    void commit_transfersOnManyThreads_keepTheSumAndAChainOfVersions() throws InterruptedException {
        TransactionManager many = open(TransactionConfig.DEFAULTS);
        List<String> accounts = List.of("a", "b", "c", "d", "e");
        accounts.subList(2, 5).forEach(key -> insert(key, 100));
        List<CommittedVersion> images = Collections.synchronizedList(new ArrayList<>());

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
                    .map(CommittedVersion::version)
                    .sorted()
                    .toList();
            assertThat(versions)
                    .containsExactlyElementsOf(LongStream.rangeClosed(2, versions.size() + 1)
                            .boxed()
                            .toList());
        }
    }

    private void transfer(
            TransactionManager many, List<String> accounts, Random random, List<CommittedVersion> images) {
        int done = 0;
        while (done < 40) {
            List<String> two = new ArrayList<>(accounts);
            Collections.shuffle(two, random);
            StoredObject from = find(two.get(0));
            StoredObject to = find(two.get(1));
            int amount = random.nextInt(20);
            Future<List<CommittedVersion>> commit = commit(
                    many,
                    many.begin(ANN),
                    "{'writeSet': [%s, %s]}".formatted(changed(from, -amount), changed(to, amount)));
            awaitAll(List.of(commit));
            if (commit.succeeded()) {
                images.addAll(commit.result());
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
        long ticket = caches.reads().issueTicket(id);
        assertThat(caches.reads().admit(id, ticket, ttls).result()).isTrue();
        caches.reads().put(id, ticket, TestResponses.of(1, ttls, System.currentTimeMillis()));
    }

    private Future<String> begin() {
        return Future.succeededFuture().map(unused -> transactionManager.begin(ANN));
    }

    private static Future<String> begin(TransactionManager transactionManager, String caller) {
        return Future.succeededFuture().map(unused -> transactionManager.begin(ANN, caller));
    }

    private Future<List<CommittedVersion>> commit(String body) {
        return commit(transactionManager.begin(ANN), body);
    }

    private Future<List<CommittedVersion>> commit(String tid, String body) {
        return commit(transactionManager, tid, body);
    }

    private static Future<List<CommittedVersion>> commit(
            TransactionManager transactionManager, String tid, String body) {
        return Future.succeededFuture().compose(unused -> transactionManager.commit(ANN, tid, json(body)));
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
