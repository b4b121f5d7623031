package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Precondition.ExactVersion;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.Batch.DeleteOperation;
import io.orestes.store.Batch.InsertOperation;
import io.orestes.store.Batch.ReplaceOperation;
import io.orestes.store.IndexSpec;
import io.orestes.store.StoreQuery;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.support.process.Waiting;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commits of several objects: all or nothing, also by two processes at the same time. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class TransactionRunnerTest {

    private static final ObjectRef NEW = new ObjectRef("Item", "new");
    private static final ObjectRef CHANGED = new ObjectRef("Item", "changed");
    private static final ObjectRef GONE = new ObjectRef("Other", "gone");
    private static final ObjectRef OTHER = new ObjectRef("Other", "other");
    private static final IndexSpec UNIQUE = IndexSpec.ascending("n").asUnique();

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private MongoObjectStore store;

    @BeforeEach
    void open() {
        store = openShared();
        await(store.insert(CHANGED, n(1)));
        await(store.insert(GONE, n(1)));
        await(store.insert(OTHER, n(1)));
    }

    @Test
    void unique_placesAfterACommit_areThoseOfItsStates() {
        await(store.createIndex("Item", UNIQUE));
        await(commit(store, writes()));

        assertThat(await(store.insert(new ObjectRef("Item", "former"), n(1))).version())
                .isEqualTo(1);
        assertThat(failureOf(store.insert(new ObjectRef("Item", "twin"), n(2))).code())
                .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(failureOf(store.insert(new ObjectRef("Item", "triplet"), n(3)))
                        .code())
                .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    @Test
    void commit_withWhatAnIndexRefuses_isRefusedAndLeavesNothing() {
        await(store.createIndex("Item", IndexSpec.geo("place")));
        BsonDocument nowhere = n(5).append("place", BsonDocument.parse("{type: 'Point', coordinates: [1000, 1000]}"));

        assertThat(failureOf(commit(
                                store,
                                new DeleteOperation(GONE, schemaEpoch("Other"), Precondition.none()),
                                new ReplaceOperation(CHANGED, nowhere, schemaEpoch("Item"), Precondition.none())))
                        .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);

        assertNothingIsDone();
    }

    @Test
    void commit_withTwoArraysInOneIndex_isDone() {
        await(store.createIndex(
                "Item",
                new IndexSpec(
                        List.of(
                                new IndexSpec.IndexedField("a", IndexSpec.IndexKind.ASCENDING),
                                new IndexSpec.IndexedField("b", IndexSpec.IndexKind.ASCENDING)),
                        false)));
        BsonDocument arrays = BsonDocument.parse("{a: [1, 2], b: [3, 4]}");

        await(commit(
                store,
                new InsertOperation(NEW, arrays.clone(), schemaEpoch("Item")),
                new ReplaceOperation(CHANGED, arrays.clone(), schemaEpoch("Item"), Precondition.none())));

        assertThat(await(store.find(CHANGED)).orElseThrow().document()).containsAllEntriesOf(arrays);
    }

    /**
     * Together the objects exceed the 16 MB of one oplog entry. They stay below a tenth of
     * mongod's cache of 256 MB: a transaction with more changes than that may be refused.
     */
    @Test
    void commit_ofLargeObjects_isDone() {
        BsonDocument large = new BsonDocument("bytes", new BsonBinary(new byte[6 << 20]));

        await(commit(
                store,
                new InsertOperation(NEW, large.clone(), schemaEpoch("Item")),
                new ReplaceOperation(CHANGED, large.clone(), schemaEpoch("Item"), Precondition.none()),
                new ReplaceOperation(OTHER, large.clone(), schemaEpoch("Other"), Precondition.none())));

        assertThat(await(store.find(OTHER)).orElseThrow().document()).containsAllEntriesOf(large);
    }

    /**
     * Transfers between accounts of two classes by two processes; queries of both always see the
     * total.
     */
    @Test
    void queries_amongManyCommits_seeNoPartialCommit() {
        MongoObjectStore other = openShared();
        int accounts = 8;
        for (int i = 0; i < accounts; i++) {
            await(store.insert(new ObjectRef("Account", "a" + i), n(100)));
        }
        List<Thread> movers = IntStream.range(0, 2)
                .mapToObj(mover -> new Thread(() -> {
                    MongoObjectStore by = mover == 0 ? store : other;
                    for (int i = 0; i < 60; i++) {
                        // no two of them on one object, as locks of transactions ensure
                        ObjectRef from = new ObjectRef("Account", "a" + (2 * (i % 2) + 4 * mover));
                        ObjectRef to = new ObjectRef("Account", "a" + (2 * (i % 2) + 4 * mover + 1));
                        await(commit(by, add(from, -7), add(to, 7)));
                    }
                }))
                .toList();
        movers.forEach(Thread::start);
        int queries = 0;
        while (movers.stream().anyMatch(Thread::isAlive)) {
            for (MongoObjectStore by : List.of(store, other)) {
                List<StoredObject> all = await(by.query(all("Account")));
                assertThat(all).hasSize(accounts);
                assertThat(all.stream().mapToLong(TransactionRunnerTest::n).sum())
                        .isEqualTo(100L * accounts);
                assertThat(await(by.count("Account", Filter.ALL))).isEqualTo(accounts);
                queries++;
            }
        }

        assertThat(queries).isGreaterThan(10);
        assertThat(await(other.scan("Account", "", 100)).stream()
                        .mapToLong(object -> object.version() - 1)
                        .sum())
                .isEqualTo(2L * 2 * 60);
    }

    /** Two processes, without locks above them. */
    @Test
    void commits_ofEqualObjectsByTwoProcesses_loseNothing() {
        MongoObjectStore other = openShared();
        ObjectRef one = new ObjectRef("Account", "one");
        ObjectRef two = new ObjectRef("Account", "two");
        await(store.insert(one, n(0)));
        await(store.insert(two, n(0)));
        List<Thread> writers = List.of(store, other).stream()
                .map(by -> new Thread(() -> {
                    for (int i = 0; i < 40; i++) {
                        await(commit(by, add(one, 1), add(two, -1)));
                        await(by.update(
                                one,
                                (stored, at) -> n(n(stored) + 1),
                                by.schemaEpoch("Account"),
                                Precondition.none(),
                                Principal.SERVER));
                    }
                }))
                .toList();
        writers.forEach(Thread::start);
        writers.forEach(TransactionRunnerTest::join);

        assertThat(n(await(store.find(one)).orElseThrow())).isEqualTo(160);
        assertThat(n(await(store.find(two)).orElseThrow())).isEqualTo(-80);
    }

    /**
     * One object is replaced before the other one, so the first state of one never coexists with
     * the second state of the other.
     */
    @Test
    void commit_thatOnlyReads_objectsChangeWhileItReadsThem_isOutdated() {
        MongoObjectStore writer = openShared();
        for (List<ObjectRef> order : List.of(List.of(CHANGED, OTHER), List.of(OTHER, CHANGED))) {
            ObjectRef first = order.get(0);
            ObjectRef second = order.get(1);
            long firstVersion = await(store.find(first)).orElseThrow().version();
            long secondVersion = await(store.find(second)).orElseThrow().version();
            FIXTURE.mongod()
                    .failCommands(
                            "{times: 1}",
                            "{failCommands: ['find'], namespace: 'test." + second.bucket()
                                    + "', blockConnection: true, blockTimeMS: 1000}");
            Future<List<WriteOutcome>> commit = store.commit(new Batch(
                    List.of(
                            new Batch.ReadSetEntry(first, new ExactVersion(firstVersion)),
                            new Batch.ReadSetEntry(second, new ExactVersion(secondVersion + 1))),
                    List.of(new InsertOperation(
                            new ObjectRef("Record", "r" + first.key()), n(0), schemaEpoch("Record"))),
                    Principal.SERVER));
            Waiting.pause(Duration.ofMillis(300));
            await(writer.replace(first, n(11), Precondition.none(), Principal.SERVER));
            await(writer.replace(second, n(11), Precondition.none(), Principal.SERVER));

            assertThat(failureOf(commit).code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
            FIXTURE.mongod().failNoCommands();
        }
    }

    private Batch.StoreOperation[] writes() {
        return new Batch.StoreOperation[] {
            new InsertOperation(NEW, n(3), schemaEpoch("Item")),
            new ReplaceOperation(CHANGED, n(2), schemaEpoch("Item"), new ExactVersion(1)),
            new DeleteOperation(GONE, schemaEpoch("Other"), new ExactVersion(1))
        };
    }

    private Batch.StoreOperation add(ObjectRef ref, long more) {
        return new Batch.UpdateOperation(
                ref, (stored, at) -> n(n(stored) + more), schemaEpoch(ref.bucket()), Precondition.none());
    }

    private void assertNothingIsDone() {
        assertThat(await(store.find(NEW))).isEmpty();
        assertThat(await(store.find(CHANGED)).orElseThrow().version()).isEqualTo(1);
        assertThat(await(store.find(GONE)).orElseThrow().version()).isEqualTo(1);
    }

    private static MongoObjectStore openShared() {
        return FIXTURE.open(MongoConfig.at(FIXTURE.mongod().address()).shared(), InstantSource.system());
    }

    private static Future<List<WriteOutcome>> commit(MongoObjectStore by, Batch.StoreOperation... writes) {
        return by.commit(new Batch(List.of(), List.of(writes), Principal.SERVER));
    }

    private static void join(Thread thread) {
        try {
            thread.join(Duration.ofSeconds(50).toMillis());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private long schemaEpoch(String bucket) {
        return store.schemaEpoch(bucket);
    }

    private static StoreQuery all(String bucket) {
        return new StoreQuery(bucket, Filter.ALL, SortOrder.parse(new BsonDocument("n", new BsonInt32(1))), 0, 100);
    }

    private static long n(StoredObject object) {
        return n(object.document());
    }

    private static long n(BsonDocument document) {
        return document.getInt64("n").getValue();
    }

    private static BsonDocument n(long number) {
        return new BsonDocument("n", new BsonInt64(number));
    }
}
