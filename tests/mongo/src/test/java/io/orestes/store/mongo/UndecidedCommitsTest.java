package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.mongo.FailingServerRequests.n;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.Batch;
import io.orestes.store.mongo.driver.MongoConfig;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commits that MongoDB does not answer for longer than a write stays in doubt. Such a write is
 * answered with 503 or by what is stored, and its object is free as soon as MongoDB answers.
 */
@RepeatedIfDisturbed
@Timeout(value = 150, unit = TimeUnit.SECONDS)
final class UndecidedCommitsTest {

    private static final String UNTIL_SWITCHED_OFF = "'alwaysOn'";

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private MongoObjectStore other;

    @BeforeEach
    void open() {
        other = FIXTURE.openBesideOthers(MongoConfig.at(FIXTURE.mongod().address()), InstantSource.system());
        await(other.insert(new ObjectRef("Item", "first"), n(0)));
    }

    /**
     * @param fault a broken connection keeps MongoDB from all commands for a while, an error only
     *     from that one
     */
    @ParameterizedTest
    @CsvSource({"1, closeConnection: true", "1, errorCode: 50", "20, errorCode: 50", "1, errorCode: 391"})
    void insertion_commitsDoNotArrive_leavesTheObjectToOthers(int together, String fault) {
        MongoObjectStore store =
                FIXTURE.openBesideOthers(MongoConfig.at(FIXTURE.mongod().address()), InstantSource.system());
        failCommits(store, fault);
        List<Future<StoredObject>> insertions = insertTogether(store, together);
        assertThat(insertions).allMatch(insertion -> isUnavailable(insertion));
        FIXTURE.mongod().failNoCommands();

        assertThat(await(other.insert(ref(0), n(2))).version()).isEqualTo(1);
    }

    @Test
    void deletion_commitsDoNotArrive_leavesTheObjectToOthers() {
        MongoObjectStore store =
                FIXTURE.openBesideOthers(MongoConfig.at(FIXTURE.mongod().address()), InstantSource.system());
        await(store.insert(ref(0), n(1)));
        failCommits(store, "errorCode: 50");
        var deletion = store.delete(ref(0), Precondition.none(), Principal.SERVER);
        awaitAll(List.of(deletion));
        assertThat(isUnavailable(deletion)).isTrue();
        FIXTURE.mongod().failNoCommands();

        assertThat(await(FailingServerRequests.replace(other, ref(0), 2)).version())
                .isEqualTo(2);
    }

    @Test
    void batch_commitsDoNotArrive_leavesTheObjectsToOthers() {
        MongoObjectStore store =
                FIXTURE.openBesideOthers(MongoConfig.at(FIXTURE.mongod().address()), InstantSource.system());
        failCommits(store, "errorCode: 50");
        var batch = store.commit(new Batch(
                List.of(),
                List.of(
                        new Batch.InsertOperation(ref(0), n(1), store.schemaEpoch("Item")),
                        new Batch.InsertOperation(ref(1), n(1), store.schemaEpoch("Item"))),
                Principal.SERVER));
        awaitAll(List.of(batch));
        assertThat(isUnavailable(batch)).isTrue();
        FIXTURE.mongod().failNoCommands();

        assertThat(await(other.insert(ref(0), n(2))).version()).isEqualTo(1);
    }

    /**
     * Nothing is committed then. The store does not wait for the abort of a transaction whose work
     * has no answer.
     */
    @Test
    void insertion_mongoDbIsPaused_isAnsweredWithinOneTimeout() {
        Duration answer = Duration.ofSeconds(4);
        MongoConfig config = MongoConfig.at(FIXTURE.mongod().address()).shared().withResponseTimeout(answer);
        MongoObjectStore store = FIXTURE.openBesideOthers(config, InstantSource.system());
        await(store.insert(new ObjectRef("Item", "warm"), n(0)));
        FIXTURE.mongod()
                .failCommands(
                        UNTIL_SWITCHED_OFF,
                        "{failCommands: ['findAndModify', 'abortTransaction'], blockConnection: true,"
                                + " blockTimeMS: 12000, appName: '" + store.processName() + "'}");

        Future<StoredObject> insertion = store.insert(ref(0), n(1));
        await(FIXTURE.vertx().timer(answer.plusSeconds(3).toMillis()));

        assertThat(isUnavailable(insertion)).isTrue();
    }

    private static void failCommits(MongoObjectStore store, String fault) {
        FIXTURE.mongod()
                .failCommands(
                        UNTIL_SWITCHED_OFF,
                        "{failCommands: ['commitTransaction'], " + fault + ", appName: '" + store.processName() + "'}");
    }

    /** The first commits arrive when their transactions are in doubt. */
    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "3, false", "3, true"})
    void insertion_commitsArriveLate_isAnsweredAsStored(int together, boolean hasLivedBefore) {
        MongoObjectStore hasty = hasty();
        if (hasLivedBefore) {
            for (int i = 0; i < together; i++) {
                await(other.insert(ref(i), n(1)));
                await(other.delete(ref(i), Precondition.none(), Principal.SERVER));
            }
        }
        FIXTURE.mongod()
                .failCommands(
                        UNTIL_SWITCHED_OFF,
                        "{failCommands: ['commitTransaction'], blockConnection: true, blockTimeMS: 4000, appName: '"
                                + hasty.processName() + "'}");
        Future<String> healed = FIXTURE.vertx().timer(2_500).map(now -> {
            FIXTURE.mongod().failNoCommands();
            return "healed";
        });

        List<Future<StoredObject>> insertions = insertTogether(hasty, together);
        await(healed);
        // the last of the delayed commits has arrived by then
        await(FIXTURE.vertx().timer(4_000));

        assertAnsweredAsStored(insertions);
    }

    /** The commit is done, and no majority confirms it until the write is in doubt. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void insertion_majorityConfirmsLate_isNotRefusedForItsOwnDocument(int together) {
        MongoObjectStore hasty = hasty();
        FIXTURE.mongod().command("{configureFailPoint: 'disableSnapshotting', mode: 'alwaysOn'}");
        Future<String> healed = FIXTURE.vertx().timer(3_500).map(now -> {
            FIXTURE.mongod().command("{configureFailPoint: 'disableSnapshotting', mode: 'off'}");
            return "healed";
        });

        List<Future<StoredObject>> insertions = insertTogether(hasty, together);
        await(healed);
        await(other.insert(new ObjectRef("Item", "last"), n(0)));

        assertAnsweredAsStored(insertions);
    }

    /** Opens a store that abandons an answer after half a second. */
    private static MongoObjectStore hasty() {
        MongoObjectStore hasty = FIXTURE.openBesideOthers(
                MongoConfig.at(FIXTURE.mongod().address("socketTimeoutMS=500")), InstantSource.system());
        await(hasty.insert(new ObjectRef("Item", "warm"), n(0)));
        return hasty;
    }

    private static List<Future<StoredObject>> insertTogether(MongoObjectStore store, int count) {
        List<Future<StoredObject>> insertions = IntStream.range(0, count)
                .mapToObj(i -> store.insert(ref(i), n(2)))
                .toList();
        awaitAll(insertions);
        return insertions;
    }

    private void assertAnsweredAsStored(List<Future<StoredObject>> insertions) {
        for (int i = 0; i < insertions.size(); i++) {
            Future<StoredObject> insertion = insertions.get(i);
            Optional<StoredObject> stored = await(other.find(ref(i)));
            if (insertion.succeeded()) {
                assertThat(stored).contains(insertion.result());
            } else {
                assertThat(isUnavailable(insertion))
                        .as("%s with %s stored", insertion.cause(), stored)
                        .isTrue();
            }
        }
    }

    private static boolean isUnavailable(Future<?> write) {
        return write.failed()
                && write.cause() instanceof ApiException failure
                && failure.code() == ErrorCode.UNAVAILABLE;
    }

    private static ObjectRef ref(int number) {
        return new ObjectRef("Item", "x" + number);
    }
}
