package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.mongo.FailingServerRequests.n;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.ValidationOptions;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.IndexSpec;
import io.orestes.store.mongo.driver.MongoConfig;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Writes whose first command has no answer. The driver sends the command again, and an error of the
 * second one proves nothing about the first. No such write is refused if it is made or can still be
 * made.
 */
@RepeatedIfDisturbed
@Timeout(value = 150, unit = TimeUnit.SECONDS)
final class LostAnswersTest {

    private static final int REAUTHENTICATION_REQUIRED = 391;
    private static final int TOO_LARGE = 16 << 20;

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    /** A store of another process. */
    private MongoObjectStore other;

    @BeforeEach
    void open() {
        other = open("");
    }

    private static MongoObjectStore open(String options) {
        return open(config(options));
    }

    private static MongoConfig config(String options) {
        return MongoConfig.at(FIXTURE.mongod().address(options)).shared();
    }

    private static MongoObjectStore open(MongoConfig config) {
        MongoObjectStore store = FIXTURE.openBesideOthers(config, InstantSource.system());
        await(store.insert(new ObjectRef("Item", "warm" + store.processName()), n(0)));
        return store;
    }

    /**
     * Opens a store that waits half a second for an answer before the driver sends the command
     * again.
     */
    private static MongoObjectStore hasty() {
        return open("socketTimeoutMS=500");
    }

    private static void failCommands(MongoObjectStore store, String mode, String fault) {
        FIXTURE.mongod().failCommands(mode, "{" + fault + ", appName: '" + store.processName() + "'}");
    }

    @ParameterizedTest
    @ValueSource(ints = {365, REAUTHENTICATION_REQUIRED, 433, 449})
    void replacement_secondCommandFails_isAnsweredAsStored(int code) {
        MongoObjectStore store = hasty();
        await(store.insert(ref("a"), n(1)));

        Future<StoredObject> replacement = whileNoMajorityConfirms(
                store, "findAndModify", code, () -> FailingServerRequests.replace(store, ref("a"), 2));

        assertThat(await(replacement).version()).isEqualTo(2);
        assertThat(await(other.find(ref("a")))).contains(replacement.result());
    }

    /** Nor is it refused if the outcome cannot be determined in time. */
    @ParameterizedTest
    @ValueSource(ints = {13, 50, 8_000})
    void replacement_secondCommandFailsAndNoMajorityConfirms_isUnavailable(int code) {
        MongoObjectStore store = hasty();
        await(store.insert(ref("a"), n(1)));
        FIXTURE.mongod().command("{configureFailPoint: 'disableSnapshotting', mode: 'alwaysOn'}");
        failCommands(store, "{skip: 1}", "failCommands: ['findAndModify'], errorCode: " + code);

        Future<StoredObject> replacement = FailingServerRequests.replace(store, ref("a"), 2);
        awaitAll(List.of(replacement));
        FIXTURE.mongod().command("{configureFailPoint: 'disableSnapshotting', mode: 'off'}");
        FIXTURE.mongod().failNoCommands();
        await(other.insert(ref("last"), n(0)));

        assertThat(code(replacement)).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void insertions_secondCommitFails_areAnsweredAsStored(int together) {
        MongoObjectStore store = hasty();

        List<Future<StoredObject>> insertions = whileNoMajorityConfirms(
                store, "commitTransaction", REAUTHENTICATION_REQUIRED, () -> IntStream.range(0, together)
                        .mapToObj(i -> store.insert(ref("x" + i), n(i)))
                        .toList());

        awaitAll(insertions);
        for (int i = 0; i < together; i++) {
            assertThat(await(other.find(ref("x" + i)))).contains(await(insertions.get(i)));
        }
    }

    @Test
    void batch_secondCommitFails_isAnsweredAsStored() {
        MongoObjectStore store = hasty();

        Future<List<WriteOutcome>> batch = whileNoMajorityConfirms(
                store,
                "commitTransaction",
                REAUTHENTICATION_REQUIRED,
                () -> store.commit(batch(insertion(store, "p", n(1)), insertion(store, "q", n(1)))));

        assertThat(await(batch)).hasSize(2);
        assertThat(await(other.find(ref("p")))).isPresent();
    }

    /**
     * The first command is made, and has no answer since no majority confirms it; the second one
     * fails.
     */
    private <T> T whileNoMajorityConfirms(MongoObjectStore store, String command, int code, Supplier<T> write) {
        FIXTURE.mongod().command("{configureFailPoint: 'disableSnapshotting', mode: 'alwaysOn'}");
        failCommands(store, "{skip: 1}", "failCommands: ['" + command + "'], errorCode: " + code);
        T begun = write.get();
        await(FIXTURE.vertx().timer(900).map("later"));
        FIXTURE.mongod().command("{configureFailPoint: 'disableSnapshotting', mode: 'off'}");
        FIXTURE.mongod().failNoCommands();
        // the write of another object shows that a majority has what was written
        await(other.insert(ref("last"), n(0)));
        return begun;
    }

    /** The commands of the driver may still arrive when another object has released the value. */
    @Test
    void replacement_firstCommandIsDelayedWhileItsUniqueValueIsTaken_isNotRefused() {
        MongoObjectStore store = hasty();
        await(store.createIndex("Item", IndexSpec.ascending("name").asUnique()));
        await(store.insert(ref("a"), name("a")));
        await(store.insert(ref("b"), name("x")));
        failCommands(store, "{times: 2}", "failCommands: ['findAndModify'], blockConnection: true, blockTimeMS: 4000");

        Future<StoredObject> replacement = store.replace(ref("a"), name("x"), Precondition.none(), Principal.SERVER);
        awaitAll(List.of(replacement));

        assertThat(code(replacement)).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    /** An abort without an answer is repeated until MongoDB answers. */
    @ParameterizedTest
    @ValueSource(strings = {"closeConnection: true", "errorCode: 391"})
    void deletion_abortIsLostOrRefused_leavesTheObjectToOthers(String fault) {
        MongoObjectStore store = open("");
        await(store.insert(ref("a"), n(1)));
        await(FailingServerRequests.replace(other, ref("a"), 2));
        failCommands(store, "'alwaysOn'", "failCommands: ['abortTransaction'], " + fault);
        Future<?> deletion = store.delete(ref("a"), Precondition.none(), Principal.SERVER);
        awaitAll(List.of(deletion));
        FIXTURE.mongod().failNoCommands();

        await(other.delete(ref("a"), Precondition.none(), Principal.SERVER));

        assertThat(await(other.find(ref("a")))).isEmpty();
    }

    @Test
    void batch_refusedAndAbortIsLost_leavesTheOtherObjectToOthers() {
        MongoObjectStore store = open("");
        await(store.insert(ref("a"), n(1)));
        await(store.insert(ref("b"), n(1)));
        failCommands(store, "'alwaysOn'", "failCommands: ['abortTransaction'], closeConnection: true");
        Future<?> batch = store.commit(batch(
                replacement(store, "a", n(2)),
                replacement(store, "b", new BsonDocument("t", new BsonString("x".repeat(TOO_LARGE + 20_000))))));
        awaitAll(List.of(batch));
        assertThat(code(batch)).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
        FIXTURE.mongod().failNoCommands();

        assertThat(await(FailingServerRequests.replace(other, ref("a"), 3)).version())
                .isEqualTo(2);
    }

    /** Insertions that share a transaction are not tried apart when MongoDB is away. */
    @Test
    void insertions_workHasNoAnswer_areFewCommands() {
        MongoObjectStore store = open(config("socketTimeoutMS=500").withResponseTimeout(Duration.ofSeconds(2)));
        long before = FIXTURE.mongod().commands("insert", "findAndModify");
        failCommands(
                store,
                "'alwaysOn'",
                "failCommands: ['insert', 'findAndModify'], blockConnection: true, blockTimeMS: 1500");

        List<Future<StoredObject>> insertions = IntStream.range(0, 400)
                .mapToObj(i -> store.insert(ref("i" + i), n(i)))
                .toList();
        awaitAll(insertions);

        assertThat(insertions).allMatch(insertion -> code(insertion) == ErrorCode.UNAVAILABLE);
        assertThat(FIXTURE.mongod().commands("insert", "findAndModify") - before)
                .isLessThan(100);
    }

    /**
     * MongoDB has different error codes for a document that an update makes too large and for one
     * that is too large.
     */
    @Test
    void replacement_tooLargeForMongoDb_isRefusedForThat() {
        MongoObjectStore store = open("");
        await(store.insert(ref("a"), n(1)));
        BsonDocument large = new BsonDocument("t", new BsonString("x".repeat(TOO_LARGE)));

        Future<?> alone = store.replace(ref("a"), large, Precondition.none(), Principal.SERVER);
        Future<?> batch = store.commit(batch(insertion(store, "p", n(1)), replacement(store, "a", large)));
        awaitAll(List.of(alone, batch));

        assertThat(code(alone)).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
        assertThat(code(batch)).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
        assertThat(await(other.find(ref("p")))).isEmpty();
    }

    @Test
    void insertion_validatorOfAnotherProgramRefusesIt_isABadRequest() {
        FIXTURE.mongod()
                .database()
                .createCollection(
                        "Valid",
                        new CreateCollectionOptions()
                                .validationOptions(new ValidationOptions()
                                        .validator(BsonDocument.parse("{n: {$type: 'string'}}"))));

        Future<?> insertion = open("").insert(new ObjectRef("Valid", "a"), n(1));
        awaitAll(List.of(insertion));

        assertThat(code(insertion)).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    private static Batch batch(Batch.StoreOperation... writes) {
        return new Batch(List.of(), List.of(writes), Principal.SERVER);
    }

    private static Batch.StoreOperation insertion(MongoObjectStore store, String id, BsonDocument fields) {
        return new Batch.InsertOperation(ref(id), fields, store.schemaEpoch("Item"));
    }

    private static Batch.StoreOperation replacement(MongoObjectStore store, String id, BsonDocument fields) {
        return new Batch.ReplaceOperation(ref(id), fields, store.schemaEpoch("Item"), Precondition.none());
    }

    private static ErrorCode code(Future<?> write) {
        assertThat(write.failed()).as("fails").isTrue();
        return ApiException.of(write.cause()).code();
    }

    private static ObjectRef ref(String id) {
        return new ObjectRef("Item", id);
    }

    private static BsonDocument name(String name) {
        return new BsonDocument("name", new BsonString(name));
    }
}
