package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.mongo.Faulty.n;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.Batch;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Writes whose answer is lost are answered by what MongoDB holds of them, whatever others have written since. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class InDoubtWritesTest {

    private static final int DUPLICATE_KEY = 11_000;
    private static final ObjectRef A = new ObjectRef("Item", "a");

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private MongoObjectStore store;
    /** As another process would have it. */
    private MongoObjectStore other;

    private MongoClient client;
    private Buckets buckets;
    private Publishers publishers;
    private Changes changes;
    private InDoubtWrites inDoubt;

    @BeforeEach
    void open() {
        store = FIXTURE.open();
        other = FIXTURE.open();
        client = MongoClients.create(FIXTURE.mongod().address());
        buckets = new Buckets(
                client.getDatabase("admin"), client.getDatabase("test").withWriteConcern(WriteConcern.MAJORITY));
        publishers = new Publishers(FIXTURE.vertx(), FIXTURE.vertx().getOrCreateContext(), Duration.ofSeconds(10));
        changes = new Changes(new IndexCatalog(buckets, publishers), InstantSource.system());
        inDoubt = inDoubt(Duration.ofSeconds(50));
    }

    private InDoubtWrites inDoubt(Duration maxTime) {
        return inDoubt(maxTime, change -> Future.failedFuture(Overtaken.byAnother()));
    }

    private InDoubtWrites inDoubt(Duration maxTime, Function<Change, Future<Outcome>> sender) {
        return new InDoubtWrites(
                FIXTURE.vertx(), buckets, publishers, new Tombstones(buckets, publishers), sender, maxTime);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void replacement_madeAndUnanswered_isAnsweredAndMadeOnce() {
        await(store.insert(A, n(1)));
        loseAnswers("findAndModify", 1);

        StoredObject replaced = await(Faulty.replace(store, A, 2));

        assertThat(replaced.version()).isEqualTo(2);
        assertThat(await(other.find(A))).contains(replaced);
    }

    /** The commit is sent a second time. */
    @Test
    void insertion_madeAndUnanswered_isAnsweredAndMadeOnce() {
        loseAnswers("commitTransaction", 2);

        StoredObject inserted = await(store.insert(A, n(1)));

        assertThat(await(other.find(A))).contains(inserted);
    }

    /** The commit is sent a second time. */
    @Test
    void deletion_madeAndUnanswered_isAnswered() {
        StoredObject inserted = await(store.insert(A, n(1)));
        loseAnswers("commitTransaction", 2);

        Optional<Tombstone> deleted = await(store.delete(A, Precondition.none(), Principal.SERVER));

        assertThat(deleted.orElseThrow().stamp().incarnation()).isEqualTo(inserted.createdAt());
        assertThat(await(other.find(A))).isEmpty();
    }

    @Test
    void writes_neverArrived_areMadeOnceByTheirSecondAttempt() {
        breakOff("findAndModify");
        assertThat(await(store.insert(A, n(1))).version()).isEqualTo(1);
        breakOff("findAndModify");
        assertThat(await(Faulty.replace(store, A, 2)).version()).isEqualTo(2);
        breakOff("commitTransaction");
        assertThat(await(store.delete(A, Precondition.none(), Principal.SERVER)))
                .isPresent();
        assertThat(await(other.find(A))).isEmpty();
    }

    @Test
    void decide_replacementMadeAndFollowedByManyOfAnother_isMade() {
        Change change = replacementOf(await(store.insert(A, n(1))));
        apply(change);
        for (int i = 0; i < 30; i++) {
            await(Faulty.replace(other, A, i));
        }

        assertThat(await(inDoubt.decide(change, new IllegalStateException("no answer"))))
                .isEqualTo(change.outcome());
    }

    @Test
    void decide_replacementMadeAndTheObjectDeletedAndBornAgain_isMade() {
        Change change = replacementOf(await(store.insert(A, n(1))));
        apply(change);
        for (int life = 0; life < 3; life++) {
            await(other.delete(A, Precondition.none(), Principal.SERVER));
            assertThat(await(inDoubt.decide(change, new IllegalStateException("no answer"))))
                    .isEqualTo(change.outcome());
            await(other.insert(A, n(life)));
            assertThat(await(inDoubt.decide(change, new IllegalStateException("no answer"))))
                    .isEqualTo(change.outcome());
        }
    }

    /** What was deleted since is not made again. */
    @Test
    void decide_insertionMadeAndDeletedByAnother_isMade() {
        Change.Creation change = (Change.Creation) creation(0);
        FIXTURE.mongod().database().getCollection("Item", BsonDocument.class).insertOne(change.document());
        await(other.delete(A, Precondition.none(), Principal.SERVER));

        assertThat(await(inDoubt.decide(change, new IllegalStateException("no answer"))))
                .isEqualTo(change.outcome());
        assertThat(await(other.find(A))).isEmpty();
    }

    /** MongoDB would commit after 1.5 s, when the writer has given up each attempt. */
    @Test
    void insertion_attemptsAreGivenUp_areNotMadeLate() {
        MongoObjectStore impatient = FIXTURE.openBesideOthers(
                MongoConfig.at(FIXTURE.mongod().address()).withAnswerWithin(Duration.ofSeconds(1)),
                InstantSource.system());
        FIXTURE.mongod()
                .failCommands(
                        "{times: 2}",
                        "{failCommands: ['commitTransaction'], blockConnection: true, blockTimeMS: 1500}");
        Future<StoredObject> insertion = impatient.insert(A, n(1));

        awaitAll(List.of(insertion));
        await(FIXTURE.vertx().timer(3_000));

        assertThat(await(other.find(A)).isPresent()).isEqualTo(insertion.succeeded());
    }

    /** Records that another program has removed say nothing. */
    @Test
    void decide_anotherProgramReplacedTheDocument_staysInDoubt() {
        Change change = replacementOf(await(store.insert(A, n(1))));
        FIXTURE.mongod()
                .database()
                .getCollection("Item", BsonDocument.class)
                .findOneAndReplace(Filters.eq("_id", A.id()), n(7));
        InDoubtWrites impatient = inDoubt(Duration.ofSeconds(1));

        assertThat(failure(impatient.decide(change, new IllegalStateException("no answer"))))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void insertionsTogether_oneRefusedAndTheOthersUnconfirmed_haveTheirOwnOutcomes() {
        ObjectRef taken = new ObjectRef("Item", "t7");
        await(other.insert(taken, n(-1)));
        loseAnswers("commitTransaction", 2);

        List<Future<StoredObject>> writes = Faulty.together(i -> store.insert(new ObjectRef("Item", "t" + i), n(i)));
        awaitAll(writes);

        assertThat(writes.stream().filter(Future::failed)).containsExactly(writes.get(7));
        assertThat(((ApiException) writes.get(7).cause()).code()).isEqualTo(ErrorCode.OBJECT_EXISTS);
        assertThat(await(other.scan("Item", "", 100))).hasSize(writes.size());
    }

    @Test
    void decide_replacementOvertaken_isNotMade() {
        Change change = replacementOf(await(store.insert(A, n(1))));
        await(Faulty.replace(other, A, 2));

        assertNotMade(change);
        await(other.delete(A, Precondition.none(), Principal.SERVER));
        assertNotMade(change);
        await(other.insert(A, n(2)));
        assertNotMade(change);
    }

    /** The absence that it replaces is still there: its transaction may be open and committed later. */
    @Test
    void decide_insertionAfterALifeThatEndedBefore_staysInDoubt() {
        await(other.insert(A, n(1)));
        await(other.delete(A, Precondition.none(), Principal.SERVER));
        Change change = creation(System.currentTimeMillis() + 1_000);
        Future<Outcome> decision = inDoubt.decide(change, new IllegalStateException("no answer"));

        FIXTURE.mongod()
                .database()
                .getCollection("Item", BsonDocument.class)
                .insertOne(((Change.Creation) change).document());

        assertThat(await(decision)).isEqualTo(change.outcome());
    }

    @Test
    void decide_insertionBeforeALifeThatHasEndedSince_isNotMade() {
        Change change = creation(0);
        await(other.insert(A, n(1)));
        await(Faulty.replace(other, A, 2));
        await(other.delete(A, Precondition.none(), Principal.SERVER));

        assertNotMade(change);
    }

    /** @param ended when the life before it ended */
    private Change creation(long ended) {
        return changes.of(new Batch.Insertion(A, n(1), store.form("Item")), Optional.empty(), ended)
                .orElseThrow();
    }

    /** Content, version and times are the same as those of the write in doubt; its identity is not. */
    @Test
    void decide_anotherWroteTheSameAtTheSameTime_isNotMade() {
        StoredObject before = await(store.insert(A, n(1)));
        Change.Exchange change = (Change.Exchange) replacementOf(before);
        BsonDocument twin = new BsonDocument();
        twin.putAll(change.document());
        twin.put(
                Buckets.WRITES,
                CompletionRecords.NONE.with(new WriteId.Sequence().next()).byWriter());
        apply(new Change.Exchange(before, twin, change.id()));

        assertNotMade(change);
    }

    @Test
    void decide_deletionOfALifeThatAnotherEnded_isNotMade() {
        StoredObject before = await(store.insert(A, n(1)));
        Change change = changes.removal(new Found(before, CompletionRecords.NONE));
        await(other.delete(A, Precondition.none(), Principal.SERVER));

        assertNotMade(change);
        await(other.insert(A, n(2)));
        assertNotMade(change);
    }

    /** A transaction under way may hold it, so it is asked again until it is over. */
    @Test
    void decide_theStateIsStillThere_staysInDoubt() {
        Change change = replacementOf(await(store.insert(A, n(1))));
        Future<Outcome> decision = inDoubt.decide(change, new IllegalStateException("no answer"));

        apply(change);

        assertThat(await(decision)).isEqualTo(change.outcome());
    }

    /** The first question alone takes longer than the whole decision may. */
    @Test
    void decide_mongoDbIsAway_fails() {
        Change change = replacementOf(await(store.insert(A, n(1))));
        Throwable lost = new IllegalStateException("no answer");
        publishers = new Publishers(FIXTURE.vertx(), FIXTURE.vertx().getOrCreateContext(), Duration.ofHours(1));
        InDoubtWrites brief = inDoubt(Duration.ofSeconds(1));
        FIXTURE.mongod().pause();

        Throwable failure;
        try {
            failure = failure(brief.decide(change, lost));
        } finally {
            FIXTURE.mongod().resume();
        }

        assertThat(failure).isSameAs(lost);
    }

    /** The second attempt is refused for what the first one may have written, so that nothing says whether it was. */
    @Test
    void decide_secondAttemptIsADuplicateAndReadsFail_staysInDoubt() {
        Change change = replacementOf(await(store.insert(A, n(1))));
        Throwable lost = new IllegalStateException("no answer");
        InDoubtWrites brief = inDoubt(
                Duration.ofSeconds(1), second -> Future.failedFuture(new MongoException(DUPLICATE_KEY, "duplicate")));
        FIXTURE.mongod().failCommands("'alwaysOn'", "{failCommands: ['find'], errorCode: 11600}");

        assertThat(failure(brief.decide(change, lost))).isSameAs(lost);
    }

    private Change replacementOf(StoredObject before) {
        Batch.Write write = new Batch.Replacement(A, n(2), store.form("Item"), Precondition.none());
        return changes.of(write, Optional.of(new Found(before, CompletionRecords.NONE)), 0)
                .orElseThrow();
    }

    /** As the command in doubt does. */
    private static void apply(Change change) {
        MongoCollection<BsonDocument> objects = FIXTURE.mongod().database().getCollection("Item", BsonDocument.class);
        BsonDocument document = ((Change.Exchange) change).document();
        assertThat(Objects.requireNonNull(objects.findOneAndReplace(Filters.eq("_id", A.id()), document)))
                .isNotEmpty();
    }

    private void assertNotMade(Change change) {
        assertThat(failure(inDoubt.decide(change, new IllegalStateException("no answer"))))
                .isInstanceOf(Overtaken.class);
    }

    private static Throwable failure(Future<Outcome> decision) {
        awaitAll(List.of(decision));
        return decision.cause();
    }

    private static void loseAnswers(String command, int times) {
        FIXTURE.mongod()
                .failCommands(
                        "{times: " + times + "}",
                        "{failCommands: ['" + command + "'], writeConcernError: {code: 64, errmsg: 'nobody knows'}}");
    }

    /** Both attempts of the driver. */
    private static void breakOff(String command) {
        FIXTURE.mongod().failCommands("{times: 2}", "{failCommands: ['" + command + "'], closeConnection: true}");
    }
}
