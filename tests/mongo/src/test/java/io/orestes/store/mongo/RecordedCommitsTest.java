package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import io.invalidb.query.Filter;
import io.invalidb.query.SortOrder;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.Precondition;
import io.orestes.model.Precondition.ExactVersion;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.Batch;
import io.orestes.store.Batch.Deletion;
import io.orestes.store.Batch.Insertion;
import io.orestes.store.Batch.Replacement;
import io.orestes.store.IndexKeys;
import io.orestes.store.Rewrite;
import io.orestes.store.StoreQuery;
import io.orestes.support.process.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits on a server without transactions, by processes that die, stand still or fail: all or nothing, and nobody sees a half. */
@Tag("full")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RecordedCommitsTest {

    private static final ObjectRef NEW = new ObjectRef("Item", "new");
    private static final ObjectRef CHANGED = new ObjectRef("Item", "changed");
    private static final ObjectRef GONE = new ObjectRef("Other", "gone");
    private static final ObjectRef OTHER = new ObjectRef("Other", "other");
    private static final IndexKeys UNIQUE = IndexKeys.ascending("n").asUnique();

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.STANDALONE);

    private HalfDone process;
    private MongoObjectStore store;
    private final Queue<Outcome> published = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void open() {
        process = new HalfDone(FIXTURE.vertx(), FIXTURE.mongod());
        store = openShared();
        await(store.insert(CHANGED, n(1)));
        await(store.insert(GONE, n(1)));
        await(store.insert(OTHER, n(1)));
    }

    @AfterEach
    void close() {
        process.close();
    }

    @ParameterizedTest
    @EnumSource
    void start_afterAProcessDiedAtAnyStep_findsAllOrNothing(HalfDone.Step last) {
        process.until(last, store, writes());
        await(store.close());

        MongoObjectStore alone = open(config());

        // who asks first must not be the one who settles it
        assertThat(await(alone.count("Other", Filter.ALL))).isEqualTo(last.isCommitted ? 1 : 2);
        assertAllOrNothing(alone, last.isCommitted);
        assertWritable(alone, last.isCommitted);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void find_afterAnotherProcessDiedAtAnyStep_findsAllOrNothing(HalfDone.Step last) {
        process.until(last, store, writes());

        assertAllOrNothing(store, last.isCommitted);
        assertWritable(store, last.isCommitted);
        assertNothingLeft();
        assertAccountIsSettled();
        assertTold(last.isCommitted);
    }

    @ParameterizedTest
    @EnumSource
    void query_afterAnotherProcessDiedAtAnyStep_findsAllOrNothing(HalfDone.Step last) {
        process.until(last, store, writes());

        assertThat(await(store.query(all("Item"))).stream()
                        .map(RecordedCommitsTest::n)
                        .toList())
                .isEqualTo(last.isCommitted ? List.of(2L, 3L) : List.of(1L));
        assertThat(await(store.count("Other", Filter.ALL))).isEqualTo(last.isCommitted ? 1 : 2);
        assertThat(await(store.scan("Item", "", 10))).hasSize(last.isCommitted ? 2 : 1);
        assertAllOrNothing(store, last.isCommitted);
        assertNothingLeft();
        assertAccountIsSettled();
    }

    @ParameterizedTest
    @EnumSource
    void write_afterAnotherProcessDiedAtAnyStep_meetsAllOrNothing(HalfDone.Step last) {
        process.until(last, store, writes());

        StoredObject written = await(store.replace(CHANGED, n(7), Precondition.none(), Principal.SERVER));

        assertThat(written.version()).isEqualTo(last.isCommitted ? 3 : 2);
        assertThat(await(store.find(NEW)).isPresent()).isEqualTo(last.isCommitted);
        assertThat(await(store.find(GONE)).isEmpty()).isEqualTo(last.isCommitted);
        assertThat(await(store.find(CHANGED))).contains(written);
    }

    /** Nobody reads or writes any of the objects. */
    @Test
    void commit_ofAProcessThatDied_isFinishedThoughNobodyMeetsIt() {
        process.until(HalfDone.Step.DECIDED, store, writes());

        Waiting.until(
                "the commit is applied",
                () -> raw("Item").countDocuments(new Document("_commit", new Document("$exists", true))) == 0);
        Waiting.until("the listener is called for each write", () -> published.size() == 3);
        Waiting.until("the record is deleted", () -> raw("orestes-commits").countDocuments() == 0);
    }

    @Test
    void apply_twiceAndAfterOthersWroteOnTop_changesNothingMore() {
        HalfDone.Attempt attempt = process.until(HalfDone.Step.APPLIED, store, writes());
        await(store.find(CHANGED));
        StoredObject onTop = await(store.replace(CHANGED, n(9), Precondition.none(), Principal.SERVER));
        await(store.delete(NEW, Precondition.none(), Principal.SERVER));
        StoredObject again = await(store.insert(GONE, n(8)));

        attempt.record.buckets().forEach(bucket -> await(attempt.apply(bucket)));
        attempt.record.buckets().forEach(bucket -> await(attempt.apply(bucket)));

        assertThat(await(store.find(CHANGED))).contains(onTop);
        assertThat(await(store.find(NEW))).isEmpty();
        assertThat(await(store.find(GONE))).contains(again);
    }

    @Test
    void rollBack_twiceAndAfterOthersWroteOnTop_changesNothingMore() {
        HalfDone.Attempt attempt = process.until(HalfDone.Step.PREPARED, store, writes());
        StoredObject onTop = await(store.replace(CHANGED, n(9), Precondition.none(), Principal.SERVER));
        StoredObject another = await(store.insert(NEW, n(8)));

        attempt.record.buckets().forEach(bucket -> await(attempt.rollBack(bucket)));

        assertThat(await(store.find(CHANGED))).contains(onTop);
        assertThat(await(store.find(NEW))).contains(another);
        assertThat(await(store.find(GONE))).isPresent();
    }

    /** What it sends before it looks at the record must not block anybody, and never be seen. */
    @Test
    void process_standsStillUntilOthersAbortedAndGoesOn_doesNoHarm() {
        HalfDone.Attempt attempt = process.until(HalfDone.Step.RECORDED, store, writes());
        Waiting.until(
                "the commit is rolled back",
                () -> raw("orestes-commits").countDocuments(new Document("state", "ROLLED_BACK")) == 1);

        attempt.record.buckets().forEach(bucket -> await(attempt.prepare(bucket)));

        assertThat(await(store.count("Item", Filter.ALL))).isEqualTo(1);
        assertThat(await(store.query(all("Item")))).hasSize(1);
        assertThat(await(attempt.decide())).isFalse();
        assertAllOrNothing(store, false);
        assertWritable(store, false);
    }

    /** The same when even the record is forgotten. */
    @Test
    void process_standsStillUntilNobodyKnowsOfIt_doesNoHarm() {
        HalfDone.Attempt attempt = process.attempt(store, writes());
        attempt.record.buckets().forEach(bucket -> await(attempt.prepare(bucket)));

        assertAllOrNothing(store, false);
        assertWritable(store, false);
        assertThat(await(attempt.decide())).isFalse();
    }

    /** Its process died, so it is aborted for whoever wants such a place. */
    @Test
    void unique_placesOfACommitThatIsNotDecided_areGivenBack() {
        await(store.createIndex("Item", UNIQUE));
        process.until(HalfDone.Step.PREPARED, store, writes());

        Future<StoredObject> place = store.insert(new ObjectRef("Item", "rival"), n(2));
        Future<List<Outcome>> other = commit(store, put(new ObjectRef("Item", "another"), 3), add(OTHER, 1));

        assertThat(await(place).version()).isEqualTo(1);
        assertThat(await(other)).hasSize(2);
        assertThat(await(store.find(NEW))).isEmpty();
        assertThat(failureOf(store.insert(new ObjectRef("Item", "twin"), n(1))).code())
                .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    /** Who wants such a place is not refused before. */
    @Test
    void unique_placesOfACommitThatIsDecidedLater_areItsOwn() {
        await(store.createIndex("Item", UNIQUE));
        HalfDone.Attempt attempt = process.until(HalfDone.Step.PREPARED, store, writes());
        Future<StoredObject> place = store.insert(new ObjectRef("Item", "rival"), n(2));
        Waiting.pause(Duration.ofMillis(300));
        boolean isRefusedBefore = place.isComplete();

        assertThat(await(attempt.decide())).isTrue();

        assertThat(isRefusedBefore).isFalse();
        assertThat(failureOf(place).code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertAllOrNothing(store, true);
    }

    /** It died, or lost its connection, before anything was removed. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void abort_ofAProcessThatDied_isFinishedThoughNobodyMeetsIt(boolean isShared) {
        HalfDone.Attempt attempt = process.until(HalfDone.Step.PREPARED, store, writes());
        assertThat(await(attempt.abort())).isTrue();
        if (!isShared) {
            await(store.close());
            MongoObjectStore unused = open(config());
        }

        assertNothingLeft();

        assertThat(raw("Item").countDocuments()).isEqualTo(1);
        assertThat(raw("orestes-commits").find().first())
                .containsOnlyKeys("_id", "state", "rolledBackAt")
                .containsEntry("state", "ROLLED_BACK");
    }

    /** Marks that nobody knows of, or that came when all else of their commit was removed, hold no places. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unique_placesOfMarksThatCameTooLate_areGivenBack(boolean isKnown) {
        await(store.createIndex("Item", UNIQUE));
        HalfDone.Attempt attempt = process.attempt(store, writes());
        if (isKnown) {
            attempt.until(HalfDone.Step.RECORDED);
            Waiting.until(
                    "the commit is rolled back",
                    () -> raw("orestes-commits").countDocuments(new Document("state", "ROLLED_BACK")) == 1);
        }
        attempt.record.buckets().forEach(bucket -> await(attempt.prepare(bucket)));

        assertThat(await(store.insert(new ObjectRef("Item", "rival"), n(3))).version())
                .isEqualTo(1);
        assertThat(await(store.insert(new ObjectRef("Item", "another"), n(2))).version())
                .isEqualTo(1);
    }

    /** One of its requests is still on its way when another one is refused. */
    @Test
    void commit_isRefusedWhileARequestIsOnItsWay_leavesNothing() {
        await(store.createIndex("Another", UNIQUE));
        await(store.insert(new ObjectRef("Another", "one"), n(1)));
        FIXTURE.mongod()
                .failCommands(
                        "{times: 1}",
                        "{failCommands: ['update'], namespace: 'test.Item', blockConnection: true, blockTimeMS: 1500}");
        long begun = System.nanoTime();

        assertThat(failureOf(commit(store, put(CHANGED, 2), put(new ObjectRef("Another", "twin"), 1)))
                        .code())
                .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);

        Waiting.pause(Duration.ofNanos(begun + Duration.ofSeconds(2).toNanos() - System.nanoTime()));
        Waiting.until(
                "the commit is applied",
                () -> raw("Item").countDocuments(new Document("_commit", new Document("$exists", true))) == 0);
        assertThat(raw("Item").countDocuments()).isEqualTo(1);
    }

    /** Else the decision could be durable, and not what is decided. */
    @ParameterizedTest
    @EnumSource(names = {"PREPARED", "BEGUN"})
    void preparation_isThereAfterACrashOfTheServer(HalfDone.Step last) {
        HalfDone.Attempt attempt = process.attempt(store, writes());
        await(store.close());

        attempt.until(last);
        FIXTURE.mongod().kill();
        FIXTURE.mongod().restart();

        Document marked = new Document("_commit", new Document("$exists", true));
        assertThat(raw("Item").countDocuments(marked)).isEqualTo(3);
        assertThat(raw("Other").countDocuments(marked)).isEqualTo(1);
        assertThat(raw("orestes-commits-of-classes").countDocuments(new Document("underWay", attempt.record.id())))
                .isEqualTo(last == HalfDone.Step.BEGUN ? 2 : 0);
    }

    /** Those who ask for something else at the same moment do not wait for it. */
    @Test
    void find_ofWhatACommitHasMarked_holdsUpNobodyElse() {
        Context home = FIXTURE.vertx().getOrCreateContext();
        MongoObjectStore by = await(on(
                home, () -> MongoObjectStore.openUnprobed(FIXTURE.vertx(), config().shared(), InstantSource.system())));
        process.until(HalfDone.Step.DECIDED, store, new Replacement(CHANGED, n(2), form("Item"), new ExactVersion(1)));
        ObjectRef free = new ObjectRef("Item", "free");
        await(store.insert(free, n(5)));
        List<String> answered = new CopyOnWriteArrayList<>();

        // both are one request
        await(on(
                home,
                () -> Future.all(
                        by.find(CHANGED).onSuccess(found -> answered.add("marked " + n(found.orElseThrow()))),
                        by.find(free).onSuccess(found -> answered.add("free " + n(found.orElseThrow()))))));
        await(by.close());

        assertThat(answered).containsExactly("free 5", "marked 2");
    }

    /** Between reading the object and asking for the commit. */
    @Test
    void find_commitIsOverMeanwhile_findsWhatItWrote() {
        HalfDone.Attempt attempt = process.until(HalfDone.Step.DECIDED, store, writes());
        FIXTURE.mongod()
                .failCommands(
                        "'alwaysOn'",
                        "{failCommands: ['find'], namespace: 'test.orestes-commits', blockConnection: true, blockTimeMS: 1000}");
        Future<Optional<StoredObject>> found = store.find(CHANGED);
        Waiting.pause(Duration.ofMillis(300));

        attempt.record.buckets().forEach(bucket -> await(attempt.apply(bucket)));
        raw("orestes-commits").deleteOne(new Document());

        assertThat(found.isComplete()).isFalse();
        assertThat(await(found).map(RecordedCommitsTest::n)).contains(2L);
    }

    /** It is told of as any other, and what is left over is only told once more. */
    @Test
    void commit_recordCannotBeDeleted_isDone() {
        MongoObjectStore by = open(config().shared().withAnswerWithin(Duration.ofSeconds(1)));
        FIXTURE.mongod()
                .failCommands(
                        "'alwaysOn'",
                        "{failCommands: ['delete'], namespace: 'test.orestes-commits', closeConnection: true}");

        assertThat(await(commit(by, writes()))).hasSize(3);

        FIXTURE.mongod().failNoCommands();
        assertAllOrNothing(by, true);
        assertNothingLeft();
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

    /** MongoDB says so before anything is decided. */
    @Test
    void commit_withWhatAnIndexRefuses_isRefusedAndLeavesNothing() {
        await(store.createIndex("Item", IndexKeys.geo("place")));
        BsonDocument nowhere = n(5).append("place", BsonDocument.parse("{type: 'Point', coordinates: [1000, 1000]}"));

        assertThat(failureOf(commit(
                                store,
                                new Deletion(GONE, form("Other"), Precondition.none()),
                                new Replacement(CHANGED, nowhere, form("Item"), Precondition.none())))
                        .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);

        assertAllOrNothing(store, false);
        assertWritable(store, false);
    }

    @Test
    void commit_withTwoArraysInOneIndex_isDone() {
        await(store.createIndex(
                "Item",
                new IndexKeys(
                        List.of(
                                new IndexKeys.Key("a", IndexKeys.Kind.ASCENDING),
                                new IndexKeys.Key("b", IndexKeys.Kind.ASCENDING)),
                        false)));
        BsonDocument arrays = BsonDocument.parse("{a: [1, 2], b: [3, 4]}");

        await(commit(
                store,
                new Insertion(NEW, arrays.clone(), form("Item")),
                new Replacement(CHANGED, arrays.clone(), form("Item"), Precondition.none())));

        assertThat(await(store.find(CHANGED)).orElseThrow().document()).containsAllEntriesOf(arrays);
    }

    @Test
    void commit_ofLargeObjects_isDone() {
        BsonDocument large = new BsonDocument("bytes", new BsonBinary(new byte[12 << 20]));

        await(commit(
                store,
                new Insertion(NEW, large.clone(), form("Item")),
                new Replacement(CHANGED, large.clone(), form("Item"), Precondition.none()),
                new Replacement(OTHER, large.clone(), form("Other"), Precondition.none())));

        assertThat(await(store.find(OTHER)).orElseThrow().document()).containsAllEntriesOf(large);
    }

    @Test
    void commit_answerToTheDecisionIsLost_isDoneOnce() {
        FIXTURE.mongod()
                .failCommands(
                        "{times: 1}",
                        "{failCommands: ['update'], namespace: 'test.orestes-commits',"
                                + " writeConcernError: {code: 64, errmsg: 'lost'}}");

        assertThat(await(commit(store, writes()))).hasSize(3);

        assertAllOrNothing(store, true);
    }

    @Test
    void commit_connectionBreaksBeforeTheDecision_isNotDone() {
        FIXTURE.mongod()
                .failCommands(
                        "{times: 1}",
                        "{failCommands: ['update'], namespace: 'test.orestes-commits', closeConnection: true}");

        assertThat(failureOf(commit(store, writes())).code()).isEqualTo(ErrorCode.UNAVAILABLE);

        assertAllOrNothing(store, false);
        assertWritable(store, false);
    }

    /** It is told so only when everything is in its place. */
    @Test
    void commit_connectionBreaksAfterTheDecision_isDone() {
        FIXTURE.mongod()
                .failCommands(
                        "{times: 3}", "{failCommands: ['delete'], namespace: 'test.Other', closeConnection: true}");

        assertThat(await(commit(store, writes()))).hasSize(3);

        assertThat(raw("Other").countDocuments()).isEqualTo(1);
        assertAllOrNothing(store, true);
    }

    /** The decision comes when another process has aborted the commit. */
    @Test
    void commit_standsStillBeforeTheDecision_beginsAgain() {
        MongoObjectStore other = openShared();
        FIXTURE.mongod()
                .failCommands(
                        "{times: 1}",
                        "{failCommands: ['update'], namespace: 'test.orestes-commits',"
                                + " blockConnection: true, blockTimeMS: 3000}");
        Future<List<Outcome>> commit = commit(
                store,
                new Insertion(NEW, n(2), form("Item")),
                new Batch.Revision(
                        CHANGED,
                        (stored, at) -> n(stored.getInt64("n").getValue() + 10),
                        form("Item"),
                        Precondition.none()));
        Waiting.until("the record is there", () -> raw("orestes-commits").countDocuments() == 1);
        Waiting.pause(Duration.ofMillis(300));

        await(other.replace(CHANGED, n(5), Precondition.none(), Principal.SERVER));

        assertThat(commit.isComplete()).isFalse();
        assertThat(await(commit)).hasSize(2);
        assertThat(n(await(other.find(CHANGED)).orElseThrow())).isEqualTo(15);
        assertThat(await(other.find(NEW))).isPresent();
    }

    /** What it sends late meets what others have made of the objects since. */
    @Test
    void commit_standsStillAfterTheDecision_isFinishedByOthersAndDoesNoHarmLater() {
        MongoObjectStore other = openShared();
        FIXTURE.mongod()
                .failCommands(
                        "{times: 1}",
                        "{failCommands: ['delete'], namespace: 'test.Other', blockConnection: true, blockTimeMS: 4000}");
        Future<List<Outcome>> commit = commit(store, writes());
        Waiting.until(
                "the commit is decided",
                () -> raw("orestes-commits").countDocuments(new Document("state", "COMMITTED")) == 1);

        assertAllOrNothing(other, true);
        StoredObject next = await(other.insert(GONE, n(8)));

        assertThat(commit.isComplete()).isFalse();
        assertThat(await(commit)).hasSize(3);
        assertThat(await(other.find(GONE))).contains(next);
    }

    /** Money is moved between accounts of two classes, by two processes; queries of both see all of it, always. */
    @Test
    void queries_amongManyCommits_seeNoHalf() {
        MongoObjectStore other = openShared();
        int accounts = 8;
        for (int i = 0; i < accounts; i++) {
            await(store.insert(new ObjectRef("Account", "a" + i), n(100)));
        }
        List<Thread> movers = IntStream.range(0, 2)
                .mapToObj(mover -> new Thread(() -> {
                    MongoObjectStore by = mover == 0 ? store : other;
                    for (int i = 0; i < 60; i++) {
                        // no two of them about the same, as locks of transactions have it
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
                assertThat(all.stream().mapToLong(RecordedCommitsTest::n).sum()).isEqualTo(100L * accounts);
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

    /** It has passed by one of the objects, and not yet by the other one, when they are written. */
    @Test
    void query_duringWhichACommitIsMade_seesAllOfIt() {
        MongoObjectStore other = openShared();
        int objects = 300;
        awaitAll(IntStream.range(0, objects)
                .mapToObj(i -> store.insert(new ObjectRef("Big", "k" + (1000 + i)), n(1)))
                .toList());
        ObjectRef first = new ObjectRef("Big", "k1000");
        ObjectRef last = new ObjectRef("Big", "k1299");
        FIXTURE.mongod()
                .failCommands(
                        "{times: 1}",
                        "{failCommands: ['getMore'], namespace: 'test.Big', blockConnection: true, blockTimeMS: 1500}");
        Future<List<StoredObject>> query =
                store.query(new StoreQuery("Big", Filter.ALL, SortOrder.BY_ID, 0, StoreQuery.UNLIMITED));
        Waiting.pause(Duration.ofMillis(300));

        await(commit(other, add(first, 10), add(last, 10)));

        assertThat(query.isComplete()).isFalse();
        assertThat(await(query).stream().mapToLong(RecordedCommitsTest::n).sum())
                .isEqualTo(objects + 20);
    }

    /** The process that committed it has lost the others, or ends. */
    @Test
    void commit_thatWasNotAnnouncedToAll_isToldBySomebody() {
        MongoObjectStore by = open(config().shared());
        Future<?> lost = Future.failedFuture("others were not reached");

        await(commit(by, lost, add(CHANGED, 1), add(OTHER, 1)));

        Waiting.until("the listener is called for both objects", () -> published.stream()
                .map(Outcome::ref)
                .collect(Collectors.toSet())
                .containsAll(Set.of(CHANGED, OTHER)));
        Waiting.until("the record is deleted", () -> raw("orestes-commits").countDocuments() == 0);
    }

    @Test
    void commit_whileItIsAnnounced_isKeptInMind() {
        Promise<Void> announcement = Promise.promise();

        await(commit(store, announcement.future(), add(CHANGED, 1), add(OTHER, 1)));

        Waiting.pause(Duration.ofSeconds(5));
        assertThat(raw("orestes-commits").countDocuments(new Document("state", "COMMITTED")))
                .isEqualTo(1);
        assertThat(published).isEmpty();
        announcement.complete();
        Waiting.until("the record is deleted", () -> raw("orestes-commits").countDocuments() == 0);
    }

    /** A count takes longer than there is between two commits. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void count_amongCommitsWithoutEnd_getsThrough(boolean isShared) {
        MongoObjectStore by = open(isShared ? config().shared() : config());

        assertCountGetsThrough(by, 600, List.of(() -> commit(by, add(CHANGED, 1), add(OTHER, 1))));
    }

    /** Trying three times would take longer than anybody waits. */
    @Test
    void count_thatTakesLong_amongCommitsWithoutEnd_getsThrough() {
        MongoObjectStore by = open(config().withAnswerWithin(Duration.ofSeconds(5)));

        assertCountGetsThrough(by, 1_800, List.of(() -> commit(by, add(CHANGED, 1), add(OTHER, 1))));
    }

    /** There is no moment at which none of them is under way. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void count_amongManyWhoCommitAtOnce_getsThrough(boolean isShared) {
        MongoObjectStore by = open(isShared ? config().shared() : config());
        List<Supplier<Future<?>>> writers = IntStream.range(0, 8)
                .<Supplier<Future<?>>>mapToObj(i -> {
                    ObjectRef one = new ObjectRef("Item", "one" + i);
                    ObjectRef two = new ObjectRef("Item", "two" + i);
                    return () -> commit(by, put(one, 1), put(two, 2));
                })
                .toList();
        awaitAll(writers.stream().<Future<?>>map(Supplier::get).toList());
        FIXTURE.mongod()
                .failCommands(
                        "'alwaysOn'",
                        "{failCommands: ['update'], namespace: 'test.orestes-commits', blockConnection: true, blockTimeMS: 800}");

        among(writers, () -> {
            Waiting.pause(Duration.ofSeconds(1));
            assertThat(await(by.count("Item", Filter.ALL))).isEqualTo(17);
        });
    }

    /** It asks commits of other processes to stand back for as long as it takes, and no longer. */
    @ParameterizedTest
    @ValueSource(ints = {-60, 60})
    void count_byAProcessWhoseClockIsWrong_getsThroughAndHoldsUpNobody(int seconds) {
        InstantSource clock = InstantSource.offset(InstantSource.system(), Duration.ofSeconds(seconds));
        MongoObjectStore by = open(config().shared(), clock);

        assertCountGetsThrough(by, 600, List.of(() -> commit(store, add(CHANGED, 1), add(OTHER, 1))));
        FIXTURE.mongod().failNoCommands();
        Waiting.pause(Duration.ofSeconds(2));
        long begun = System.nanoTime();
        await(commit(store, add(CHANGED, 1), add(OTHER, 1)));

        assertThat(System.nanoTime() - begun).isLessThan(Duration.ofSeconds(20).toNanos());
    }

    private static void assertCountGetsThrough(MongoObjectStore by, int millis, List<Supplier<Future<?>>> writers) {
        FIXTURE.mongod()
                .failCommands(
                        "'alwaysOn'",
                        "{failCommands: ['aggregate'], namespace: 'test.Item', blockConnection: true, blockTimeMS: "
                                + millis + "}");
        among(writers, () -> assertThat(await(by.count("Item", Filter.ALL))).isEqualTo(1));
    }

    /** Does something while others write without end, each one after the other. */
    private static void among(List<Supplier<Future<?>>> writers, Runnable action) {
        AtomicBoolean isOver = new AtomicBoolean();
        List<Thread> threads = writers.stream()
                .map(write -> new Thread(() -> {
                    while (!isOver.get()) {
                        await(write.get());
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        try {
            action.run();
        } finally {
            isOver.set(true);
            threads.forEach(RecordedCommitsTest::join);
        }
    }

    /** Two processes, without locks above them. */
    @Test
    void commits_aboutTheSameByTwoProcesses_loseNothing() {
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
                                by.form("Account"),
                                Precondition.none(),
                                Principal.SERVER));
                    }
                }))
                .toList();
        writers.forEach(Thread::start);
        writers.forEach(RecordedCommitsTest::join);

        assertThat(n(await(store.find(one)).orElseThrow())).isEqualTo(160);
        assertThat(n(await(store.find(two)).orElseThrow())).isEqualTo(-80);
    }

    /** One object is replaced before the other one, so there never is the first state of one beside the second state of the other. */
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
            Future<List<Outcome>> commit = store.commit(new Batch(
                    List.of(
                            new Batch.Read(first, new ExactVersion(firstVersion)),
                            new Batch.Read(second, new ExactVersion(secondVersion + 1))),
                    List.of(new Insertion(new ObjectRef("Record", "r" + first.key()), n(0), form("Record"))),
                    Principal.SERVER));
            Waiting.pause(Duration.ofMillis(300));
            await(writer.replace(first, n(11), Precondition.none(), Principal.SERVER));
            await(writer.replace(second, n(11), Precondition.none(), Principal.SERVER));

            assertThat(failureOf(commit).code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
            FIXTURE.mongod().failNoCommands();
        }
    }

    @Test
    void truncate_afterAProcessDied_leavesNothing() {
        process.until(
                HalfDone.Step.DECIDED,
                store,
                new Insertion(NEW, n(3), form("Item")),
                new Deletion(GONE, form("Other"), Precondition.none()));

        await(store.truncate("Item", gone -> {}));

        assertThat(raw("Item").countDocuments()).isZero();
        assertThat(await(store.find(GONE))).isEmpty();
    }

    @Test
    void rewrite_afterAProcessDied_changesWhatItCommittedToo() {
        process.until(
                HalfDone.Step.DECIDED,
                store,
                new Insertion(NEW, n(3), form("Item")),
                new Deletion(GONE, form("Other"), Precondition.none()));
        Rewrite renamed = new Rewrite() {
            @Override
            public BsonDocument fields(BsonDocument stored) {
                BsonDocument fields = stored.clone();
                Optional.ofNullable(fields.remove("n")).ifPresent(n -> fields.append("m", n));
                return fields;
            }

            @Override
            public String path(String indexed) {
                return indexed;
            }
        };

        await(store.rewrite(Map.of("Item", renamed), () -> {}));

        assertThat(await(store.scan("Item", "", 10)).stream()
                        .map(object -> object.document().getInt64("m").getValue())
                        .toList())
                .containsExactlyInAnyOrder(1L, 3L);
    }

    /** A mark that came too late holds no place, and hides none. */
    @Test
    void createIndex_besideAMarkThatCameTooLate_holdsForTheObject() {
        HalfDone.Attempt attempt = process.attempt(store, writes());
        attempt.record.buckets().forEach(bucket -> await(attempt.prepare(bucket)));

        await(store.createIndex("Item", UNIQUE));

        assertThat(failureOf(store.insert(new ObjectRef("Item", "twin"), n(1))).code())
                .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(await(store.insert(new ObjectRef("Item", "free"), n(2))).version())
                .isEqualTo(1);
    }

    @Test
    void createIndex_afterAProcessDied_holdsForWhatItCommitted() {
        process.until(HalfDone.Step.DECIDED, store, writes());

        await(store.createIndex("Item", UNIQUE));

        assertThat(failureOf(store.insert(new ObjectRef("Item", "twin"), n(2))).code())
                .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    private Batch.Write[] writes() {
        return new Batch.Write[] {
            new Insertion(NEW, n(3), form("Item")),
            new Replacement(CHANGED, n(2), form("Item"), new ExactVersion(1)),
            new Deletion(GONE, form("Other"), new ExactVersion(1))
        };
    }

    private Batch.Write add(ObjectRef ref, long more) {
        return new Batch.Revision(ref, (stored, at) -> n(n(stored) + more), form(ref.bucket()), Precondition.none());
    }

    private Batch.Write put(ObjectRef ref, long number) {
        return new Replacement(ref, n(number), form(ref.bucket()), Precondition.none());
    }

    private static void assertAllOrNothing(MongoObjectStore store, boolean isAll) {
        assertThat(n(await(store.find(CHANGED)).orElseThrow())).isEqualTo(isAll ? 2 : 1);
        assertThat(await(store.find(NEW)).map(RecordedCommitsTest::n).orElse(0L))
                .isEqualTo(isAll ? 3 : 0);
        assertThat(await(store.find(GONE)).isEmpty()).isEqualTo(isAll);
        assertThat(await(store.query(all("Item")))).hasSize(isAll ? 2 : 1);
        assertThat(await(store.count("Item", Filter.ALL))).isEqualTo(isAll ? 2 : 1);
    }

    private static void assertWritable(MongoObjectStore store, boolean isAll) {
        assertThat(await(store.replace(CHANGED, n(7), Precondition.none(), Principal.SERVER))
                        .version())
                .isEqualTo(isAll ? 3 : 2);
        assertThat(await(store.replace(NEW, n(8), Precondition.none(), Principal.SERVER))
                        .version())
                .isEqualTo(isAll ? 2 : 1);
        assertThat(await(store.replace(GONE, n(9), Precondition.none(), Principal.SERVER))
                        .version())
                .isEqualTo(isAll ? 1 : 2);
    }

    /** Also the record goes when all are published. */
    private static void assertNothingLeft() {
        for (String bucket : List.of("Item", "Other")) {
            Waiting.until(
                    "the commit is applied",
                    () -> raw(bucket).countDocuments(new Document("_commit", new Document("$exists", true))) == 0);
        }
        Waiting.until(
                "the records are deleted",
                () -> raw("orestes-commits").countDocuments(new Document("state", new Document("$ne", "ROLLED_BACK")))
                        == 0);
    }

    private static void assertAccountIsSettled() {
        Document underWay = new Document("underWay.0", new Document("$exists", true));
        Waiting.until(
                "no commit is under way in the class",
                () -> raw("orestes-commits-of-classes").countDocuments(underWay) == 0);
    }

    private void assertTold(boolean isAll) {
        List<String> ids = published.stream().map(outcome -> outcome.ref().id()).toList();
        if (isAll) {
            assertThat(ids).contains(NEW.id(), CHANGED.id(), GONE.id());
            assertThat(published)
                    .filteredOn(outcome -> outcome.ref().equals(GONE))
                    .hasOnlyElementsOfType(Tombstone.class);
        } else {
            assertThat(ids).isEmpty();
        }
    }

    private static <T> Future<T> on(Context context, Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        context.runOnContext(now -> work.get().onComplete(done));
        return done.future();
    }

    private static MongoConfig config() {
        return MongoConfig.at(FIXTURE.mongod().address());
    }

    private MongoObjectStore openShared() {
        return open(config().shared());
    }

    private MongoObjectStore open(MongoConfig config) {
        return open(config, InstantSource.system());
    }

    private MongoObjectStore open(MongoConfig config, InstantSource clock) {
        MongoObjectStore opened = FIXTURE.open(config, clock);
        opened.announce(
                outcome -> {
                    published.add(outcome);
                    return Future.succeededFuture();
                },
                bucket -> Future.succeededFuture());
        return opened;
    }

    /** Everybody knows at once. */
    private static Future<List<Outcome>> commit(MongoObjectStore by, Batch.Write... writes) {
        return commit(by, Future.succeededFuture(), writes);
    }

    private static Future<List<Outcome>> commit(MongoObjectStore by, Future<?> announcement, Batch.Write... writes) {
        Batch batch = new Batch(List.of(), List.of(writes), Principal.SERVER);
        return by.commit(batch).map(done -> {
            by.announced(batch, announcement);
            return done;
        });
    }

    private static MongoCollection<Document> raw(String collection) {
        return FIXTURE.mongod().database().getCollection(collection);
    }

    private static void join(Thread thread) {
        try {
            thread.join(Duration.ofSeconds(50).toMillis());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private long form(String bucket) {
        return store.form(bucket);
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
