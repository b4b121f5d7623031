package io.orestes.store.mongo.write;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.mongo.FailingServerRequests.n;
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
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.mongo.Deployment;
import io.orestes.store.mongo.FailingServerRequests;
import io.orestes.store.mongo.MongoFixture;
import io.orestes.store.mongo.MongoObjectStore;
import io.orestes.store.mongo.RepeatedIfDisturbed;
import io.orestes.store.mongo.document.CompletionRecords;
import io.orestes.store.mongo.document.CurrentObject;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.document.TombstoneCollection;
import io.orestes.store.mongo.document.WriteId;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.driver.RetriableWriteException;
import io.orestes.store.mongo.index.DeclaredIndexCatalog;
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

/**
 * Writes whose answer is lost are answered by what MongoDB stores of them, whatever others have
 * written since.
 */
@RepeatedIfDisturbed
@Timeout(value = 150, unit = TimeUnit.SECONDS)
final class InDoubtWriteResolverTest {

    private static final int DUPLICATE_KEY = 11_000;
    private static final ObjectRef A = new ObjectRef("Item", "a");

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private MongoObjectStore store;
    /** A store of another process. */
    private MongoObjectStore other;

    private MongoClient client;
    private MongoCollections mongoCollections;
    private PublisherAdapter publisherAdapter;
    private WritePlanner writePlanner;
    private InDoubtWriteResolver inDoubt;

    @BeforeEach
    void open() {
        store = FIXTURE.open();
        other = FIXTURE.open();
        client = MongoClients.create(FIXTURE.mongod().address());
        publisherAdapter =
                new PublisherAdapter(FIXTURE.vertx(), FIXTURE.vertx().getOrCreateContext(), Duration.ofSeconds(10));
        mongoCollections = new MongoCollections(
                client.getDatabase("admin"),
                client.getDatabase("test").withWriteConcern(WriteConcern.MAJORITY),
                publisherAdapter);
        writePlanner = new WritePlanner(new DeclaredIndexCatalog(mongoCollections), InstantSource.system());
        inDoubt = inDoubt(Duration.ofSeconds(50));
    }

    private InDoubtWriteResolver inDoubt(Duration maxTime) {
        return inDoubt(maxTime, conditionalWrite -> Future.failedFuture(RetriableWriteException.byConcurrentWrite()));
    }

    private InDoubtWriteResolver inDoubt(Duration maxTime, Function<ConditionalWrite, Future<WriteOutcome>> sender) {
        return new InDoubtWriteResolver(
                FIXTURE.vertx(), mongoCollections, new TombstoneCollection(mongoCollections), sender, maxTime);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void replacement_madeAndUnanswered_isAnsweredAndMadeOnce() {
        await(store.insert(A, n(1)));
        loseAnswers("findAndModify", 1);

        StoredObject replaced = await(FailingServerRequests.replace(store, A, 2));

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
        assertThat(await(FailingServerRequests.replace(store, A, 2)).version()).isEqualTo(2);
        breakOff("commitTransaction");
        assertThat(await(store.delete(A, Precondition.none(), Principal.SERVER)))
                .isPresent();
        assertThat(await(other.find(A))).isEmpty();
    }

    @Test
    void resolve_replacementMadeAndFollowedByManyOfAnother_isMade() {
        ConditionalWrite conditionalWrite = replacementOf(await(store.insert(A, n(1))));
        apply(conditionalWrite);
        for (int i = 0; i < 30; i++) {
            await(FailingServerRequests.replace(other, A, i));
        }

        assertThat(await(inDoubt.resolve(conditionalWrite, new IllegalStateException("no answer"))))
                .isEqualTo(conditionalWrite.outcome());
    }

    @Test
    void resolve_replacementMadeAndTheObjectDeletedAndBornAgain_isMade() {
        ConditionalWrite conditionalWrite = replacementOf(await(store.insert(A, n(1))));
        apply(conditionalWrite);
        for (int life = 0; life < 3; life++) {
            await(other.delete(A, Precondition.none(), Principal.SERVER));
            assertThat(await(inDoubt.resolve(conditionalWrite, new IllegalStateException("no answer"))))
                    .isEqualTo(conditionalWrite.outcome());
            await(other.insert(A, n(life)));
            assertThat(await(inDoubt.resolve(conditionalWrite, new IllegalStateException("no answer"))))
                    .isEqualTo(conditionalWrite.outcome());
        }
    }

    /** A write is not repeated after its object was deleted. */
    @Test
    void resolve_insertionMadeAndDeletedByAnother_isMade() {
        ConditionalWrite.ConditionalInsert conditionalWrite = (ConditionalWrite.ConditionalInsert) creation(0);
        FIXTURE.mongod().database().getCollection("Item", BsonDocument.class).insertOne(conditionalWrite.document());
        await(other.delete(A, Precondition.none(), Principal.SERVER));

        assertThat(await(inDoubt.resolve(conditionalWrite, new IllegalStateException("no answer"))))
                .isEqualTo(conditionalWrite.outcome());
        assertThat(await(other.find(A))).isEmpty();
    }

    /** MongoDB would commit after 1.5 s, when the writer has abandoned each attempt. */
    @Test
    void insertion_attemptsAreGivenUp_areNotMadeLate() {
        MongoObjectStore impatient = FIXTURE.openBesideOthers(
                MongoConfig.at(FIXTURE.mongod().address()).withResponseTimeout(Duration.ofSeconds(1)),
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

    /** Records that another program has removed prove nothing. */
    @Test
    void resolve_anotherProgramReplacedTheDocument_staysInDoubt() {
        ConditionalWrite conditionalWrite = replacementOf(await(store.insert(A, n(1))));
        FIXTURE.mongod()
                .database()
                .getCollection("Item", BsonDocument.class)
                .findOneAndReplace(Filters.eq("_id", A.id()), n(7));
        InDoubtWriteResolver impatient = inDoubt(Duration.ofSeconds(1));

        assertThat(failure(impatient.resolve(conditionalWrite, new IllegalStateException("no answer"))))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void insertionsTogether_oneRefusedAndTheOthersUnconfirmed_haveTheirOwnOutcomes() {
        ObjectRef taken = new ObjectRef("Item", "t7");
        await(other.insert(taken, n(-1)));
        loseAnswers("commitTransaction", 2);

        List<Future<StoredObject>> writes =
                FailingServerRequests.together(i -> store.insert(new ObjectRef("Item", "t" + i), n(i)));
        awaitAll(writes);

        assertThat(writes.stream().filter(Future::failed)).containsExactly(writes.get(7));
        assertThat(((ApiException) writes.get(7).cause()).code()).isEqualTo(ErrorCode.OBJECT_EXISTS);
        assertThat(await(other.scan("Item", "", 100))).hasSize(writes.size());
    }

    @Test
    void resolve_replacementOvertaken_isNotMade() {
        ConditionalWrite conditionalWrite = replacementOf(await(store.insert(A, n(1))));
        await(FailingServerRequests.replace(other, A, 2));

        assertNotMade(conditionalWrite);
        await(other.delete(A, Precondition.none(), Principal.SERVER));
        assertNotMade(conditionalWrite);
        await(other.insert(A, n(2)));
        assertNotMade(conditionalWrite);
    }

    /**
     * The absence that it replaces is still current: its transaction may be open and committed
     * later.
     */
    @Test
    void resolve_insertionAfterALifeThatEndedBefore_staysInDoubt() {
        await(other.insert(A, n(1)));
        await(other.delete(A, Precondition.none(), Principal.SERVER));
        ConditionalWrite conditionalWrite = creation(System.currentTimeMillis() + 1_000);
        Future<WriteOutcome> decision = inDoubt.resolve(conditionalWrite, new IllegalStateException("no answer"));

        FIXTURE.mongod()
                .database()
                .getCollection("Item", BsonDocument.class)
                .insertOne(((ConditionalWrite.ConditionalInsert) conditionalWrite).document());

        assertThat(await(decision)).isEqualTo(conditionalWrite.outcome());
    }

    @Test
    void resolve_insertionBeforeALifeThatHasEndedSince_isNotMade() {
        ConditionalWrite conditionalWrite = creation(0);
        await(other.insert(A, n(1)));
        await(FailingServerRequests.replace(other, A, 2));
        await(other.delete(A, Precondition.none(), Principal.SERVER));

        assertNotMade(conditionalWrite);
    }

    /** @param ended when the life before it ended */
    private ConditionalWrite creation(long ended) {
        return writePlanner
                .of(new Batch.InsertOperation(A, n(1), store.schemaEpoch("Item")), null, ended)
                .orElseThrow();
    }

    /** Content, version and times are those of the write in doubt; its identity is not. */
    @Test
    void resolve_anotherWroteTheSameAtTheSameTime_isNotMade() {
        StoredObject before = await(store.insert(A, n(1)));
        ConditionalWrite.ConditionalReplace conditionalWrite =
                (ConditionalWrite.ConditionalReplace) replacementOf(before);
        BsonDocument twin = new BsonDocument();
        twin.putAll(conditionalWrite.document());
        twin.put(
                MongoCollections.WRITES,
                CompletionRecords.NONE
                        .with(new WriteId.WriteIdGenerator().next())
                        .byWriter());
        apply(new ConditionalWrite.ConditionalReplace(before, twin, conditionalWrite.id()));

        assertNotMade(conditionalWrite);
    }

    @Test
    void resolve_deletionOfALifeThatAnotherEnded_isNotMade() {
        StoredObject before = await(store.insert(A, n(1)));
        ConditionalWrite conditionalWrite = writePlanner.removal(new CurrentObject(before, CompletionRecords.NONE));
        await(other.delete(A, Precondition.none(), Principal.SERVER));

        assertNotMade(conditionalWrite);
        await(other.insert(A, n(2)));
        assertNotMade(conditionalWrite);
    }

    /** A transaction under way may have it, so it is polled until that has ended. */
    @Test
    void resolve_theStateIsStillThere_staysInDoubt() {
        ConditionalWrite conditionalWrite = replacementOf(await(store.insert(A, n(1))));
        Future<WriteOutcome> decision = inDoubt.resolve(conditionalWrite, new IllegalStateException("no answer"));

        apply(conditionalWrite);

        assertThat(await(decision)).isEqualTo(conditionalWrite.outcome());
    }

    /** The first query alone takes longer than the whole decision may. */
    @Test
    void resolve_mongoDbIsAway_fails() {
        ConditionalWrite conditionalWrite = replacementOf(await(store.insert(A, n(1))));
        Throwable lost = new IllegalStateException("no answer");
        mongoCollections = mongoCollections.readBy(
                new PublisherAdapter(FIXTURE.vertx(), FIXTURE.vertx().getOrCreateContext(), Duration.ofHours(1)));
        InDoubtWriteResolver brief = inDoubt(Duration.ofSeconds(1));
        FIXTURE.mongod().pause();

        Throwable failure;
        try {
            failure = failure(brief.resolve(conditionalWrite, lost));
        } finally {
            FIXTURE.mongod().resume();
        }

        assertThat(failure).isSameAs(lost);
    }

    /**
     * The second attempt is refused for what the first one may have written, so its outcome is
     * unknown.
     */
    @Test
    void resolve_secondAttemptIsADuplicateAndReadsFail_staysInDoubt() {
        ConditionalWrite conditionalWrite = replacementOf(await(store.insert(A, n(1))));
        Throwable lost = new IllegalStateException("no answer");
        InDoubtWriteResolver brief = inDoubt(
                Duration.ofSeconds(1), second -> Future.failedFuture(new MongoException(DUPLICATE_KEY, "duplicate")));
        FIXTURE.mongod().failCommands("'alwaysOn'", "{failCommands: ['find'], errorCode: 11600}");

        assertThat(failure(brief.resolve(conditionalWrite, lost))).isSameAs(lost);
    }

    private ConditionalWrite replacementOf(StoredObject before) {
        Batch.StoreOperation write =
                new Batch.ReplaceOperation(A, n(2), store.schemaEpoch("Item"), Precondition.none());
        return writePlanner
                .of(write, new CurrentObject(before, CompletionRecords.NONE), 0)
                .orElseThrow();
    }

    /** Applies the write like the command in doubt. */
    private static void apply(ConditionalWrite conditionalWrite) {
        MongoCollection<BsonDocument> objects = FIXTURE.mongod().database().getCollection("Item", BsonDocument.class);
        BsonDocument document = ((ConditionalWrite.ConditionalReplace) conditionalWrite).document();
        assertThat(Objects.requireNonNull(objects.findOneAndReplace(Filters.eq("_id", A.id()), document)))
                .isNotEmpty();
    }

    private void assertNotMade(ConditionalWrite conditionalWrite) {
        assertThat(failure(inDoubt.resolve(conditionalWrite, new IllegalStateException("no answer"))))
                .isInstanceOf(RetriableWriteException.class);
    }

    private static Throwable failure(Future<WriteOutcome> decision) {
        awaitAll(List.of(decision));
        return decision.cause();
    }

    private static void loseAnswers(String command, int times) {
        FIXTURE.mongod()
                .failCommands(
                        "{times: " + times + "}",
                        "{failCommands: ['" + command + "'], writeConcernError: {code: 64, errmsg: 'nobody knows'}}");
    }

    /** Breaks both attempts of the driver. */
    private static void breakOff(String command) {
        FIXTURE.mongod().failCommands("{times: 2}", "{failCommands: ['" + command + "'], closeConnection: true}");
    }
}
