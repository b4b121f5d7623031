package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static io.orestes.store.mongo.FailingServerRequests.assertUnavailable;
import static io.orestes.store.mongo.FailingServerRequests.n;
import static io.orestes.store.mongo.FailingServerRequests.together;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Await;
import io.orestes.store.Batch;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.support.process.Waiting;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A replica set that loses connections, or has no primary for a while: possible writes are made
 * once and entirely.
 */
@RepeatedIfDisturbed
@Timeout(value = 150, unit = TimeUnit.SECONDS)
final class ReplicaSetFaultsTest {

    private static final ObjectRef A = new ObjectRef("Item", "a");
    private static final ObjectRef B = new ObjectRef("Other", "b");
    private static final Duration DEADLINE = Duration.ofSeconds(4);

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.REPLICA_SET);

    private MongoObjectStore store;

    @BeforeEach
    void open() {
        MongoConfig config = MongoConfig.at(FIXTURE.mongod().address()).withResponseTimeout(DEADLINE);
        store = FIXTURE.open(config, InstantSource.system());
    }

    @Test
    void write_connectionBreaksBeforeTheAnswer_isDoneOnce() {
        await(store.insert(A, n(1)));
        FIXTURE.mongod().failCommands("{times: 1}", "{failCommands: ['findAndModify'], closeConnection: true}");

        assertThat(await(replace(A, 2)).version()).isEqualTo(2);
        assertThat(await(store.find(A)).orElseThrow().version()).isEqualTo(2);
    }

    @Test
    void write_serverIsSilentOnce_isMadeOnceByItsSecondAttempt() {
        await(store.insert(A, n(1)));
        FIXTURE.mongod()
                .failCommands(
                        "{times: 1}", "{failCommands: ['findAndModify'], blockConnection: true, blockTimeMS: 5000}");

        assertThat(await(replace(A, 2)).version()).isEqualTo(2);

        StoredObject next = await(replace(A, 3));
        assertThat(next.version()).isEqualTo(3);
        assertThat(await(store.find(A))).contains(next);
    }

    @Test
    void write_primaryStepsDownForAMoment_succeeds() {
        FIXTURE.mongod().failCommands("{times: 1}", "{failCommands: ['findAndModify'], errorCode: 10107}");

        assertThat(await(store.insert(A, n(1))).version()).isEqualTo(1);
    }

    @Test
    void commit_serverCannotYet_isTriedAgain() {
        FIXTURE.mongod()
                .failCommands(
                        "{times: 3}",
                        "{failCommands: ['insert'], errorCode: 112, errorLabels: ['TransientTransactionError']}");

        assertThat(await(commit())).hasSize(2);
        assertThat(await(store.find(A)).orElseThrow().version()).isEqualTo(1);
        assertThat(await(store.find(B)).orElseThrow().version()).isEqualTo(1);
    }

    /** Each attempt is a transaction that the server begins and aborts. */
    @Test
    void commit_alwaysConflicts_isRetriedUntilItsTimeout() {
        FIXTURE.mongod()
                .failCommands(
                        "'alwaysOn'",
                        "{failCommands: ['insert'], errorCode: 112, errorLabels: ['TransientTransactionError']}");
        long before = FIXTURE.mongod().commands("abortTransaction");

        assertUnavailable(failureOf(commit()));

        // ten within the first second, and then five in each
        assertThat(FIXTURE.mongod().commands("abortTransaction") - before).isBetween(3L, 60L);
    }

    @Test
    void commit_answerToTheCommitIsLost_isDoneOnce() {
        FIXTURE.mongod().failCommands("{times: 1}", "{failCommands: ['commitTransaction'], closeConnection: true}");

        assertThat(await(commit())).hasSize(2);
        assertThat(await(store.find(A)).orElseThrow().version()).isEqualTo(1);
        assertThat(await(store.find(B)).orElseThrow().version()).isEqualTo(1);
    }

    @Test
    void commit_secondWriteFails_leavesNothingOfTheFirst() {
        // the classes of a batch are written one after the other
        FIXTURE.mongod().failCommands("{skip: 1}", "{failCommands: ['insert'], errorCode: 8000}");

        assertThat(failureOf(commit())).isNotNull();

        FIXTURE.mongod().failNoCommands();
        assertThat(await(store.find(A))).isEmpty();
        assertThat(await(store.find(B))).isEmpty();
    }

    /** Both orders, as the order in which classes are read is unspecified. */
    @Test
    void commit_thatOnlyReads_classesChangeWhileItReadsOneAfterTheOther_isOutdated() {
        MongoObjectStore writer = FIXTURE.open(MongoConfig.at(FIXTURE.mongod().address()), InstantSource.system());

        assertThat(readBetweenWrites(writer, A, B)).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(readBetweenWrites(writer, B, A)).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
    }

    /**
     * One object is replaced before the other one, so the first state of one never coexists with
     * the second state of the other.
     */
    private ErrorCode readBetweenWrites(MongoObjectStore writer, ObjectRef one, ObjectRef other) {
        for (ObjectRef ref : List.of(A, B)) {
            await(writer.delete(ref, Precondition.none(), Principal.SERVER));
        }
        await(writer.insert(one, n(1)));
        await(writer.insert(other, n(1)));
        FIXTURE.mongod()
                .failCommands("{skip: 1}", "{failCommands: ['find'], blockConnection: true, blockTimeMS: 1000}");
        Future<List<WriteOutcome>> commit = store.commit(new Batch(
                List.of(
                        new Batch.ReadSetEntry(one, new Precondition.ExactVersion(1)),
                        new Batch.ReadSetEntry(other, new Precondition.ExactVersion(2))),
                List.of(new Batch.InsertOperation(
                        new ObjectRef("Item", "record" + one.bucket()), n(0), store.schemaEpoch("Item"))),
                Principal.SERVER));
        Waiting.pause(Duration.ofMillis(300));
        await(FailingServerRequests.replace(writer, one, 2));
        await(FailingServerRequests.replace(writer, other, 2));
        ErrorCode refusal = failureOf(commit).code();
        FIXTURE.mongod().failNoCommands();
        return refusal;
    }

    @Test
    void writesTogether_connectionBreaksBeforeTheAnswer_areDoneOnce() {
        FIXTURE.mongod().failCommands("{times: 1}", "{failCommands: ['insert', 'update'], closeConnection: true}");

        together(i -> store.insert(new ObjectRef("Item", "t" + i), n(i))).forEach(Await::await);
        FIXTURE.mongod().failCommands("{times: 1}", "{failCommands: ['findAndModify'], closeConnection: true}");
        List<Future<StoredObject>> replaced = together(i -> replace(new ObjectRef("Item", "t" + i), -i));
        awaitAll(replaced);

        assertThat(replaced)
                .allSatisfy(write -> assertThat(write.result().version()).isEqualTo(2));
    }

    /** The driver ends all waits for a connection when one breaks. */
    @Test
    void writesTogether_othersWaitForAConnectionThatBreaks_areDoneOnce() {
        MongoConfig config =
                MongoConfig.at(FIXTURE.mongod().address("maxPoolSize=1")).withResponseTimeout(DEADLINE);
        MongoObjectStore narrow = FIXTURE.open(config, InstantSource.system());
        IntStream.range(0, 12).forEach(bucket -> await(narrow.insert(new ObjectRef("Item" + bucket, "first"), n(0))));
        FIXTURE.mongod()
                .failCommands(
                        "{times: 1}",
                        "{failCommands: ['insert'], blockConnection: true, blockTimeMS: 300, closeConnection: true}");

        List<Future<StoredObject>> inserted = IntStream.range(0, 120)
                .mapToObj(i -> narrow.insert(new ObjectRef("Item" + i % 12, "next" + i), n(1)))
                .toList();
        awaitAll(inserted);

        assertThat(inserted).allSatisfy(write -> assertThat(write.cause()).isNull());
    }

    @Test
    void writes_primaryStepsDown_areUnavailableUntilThereIsOneAndNoneIsMadeTwice() {
        await(store.insert(A, n(0)));
        FIXTURE.mongod().command("{replSetStepDown: 8, force: true}");

        int attempts = 0;
        Future<StoredObject> write = Future.failedFuture("not begun");
        while (write.failed()) {
            attempts++;
            write = replace(A, attempts);
            awaitAll(List.of(write));
            if (write.failed()) {
                assertUnavailable(write.cause());
            }
        }

        assertThat(attempts).isGreaterThan(1);
        assertThat(write.result().version()).isEqualTo(2);
        assertThat(await(store.find(A))).contains(write.result());
    }

    private Future<List<WriteOutcome>> commit() {
        return store.commit(new Batch(List.of(), List.of(insertion(A), insertion(B)), Principal.SERVER));
    }

    private Batch.StoreOperation insertion(ObjectRef ref) {
        return new Batch.InsertOperation(ref, n(1), store.schemaEpoch(ref.bucket()));
    }

    private Future<StoredObject> replace(ObjectRef ref, int number) {
        return FailingServerRequests.replace(store, ref, number);
    }
}
