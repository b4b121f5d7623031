package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.mongo.driver.MongoConfig;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Transactions whose commits MongoDB does not answer: all of their writes are made, or none. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class InDoubtCommitsTest {

    private static final ObjectRef CHANGED = new ObjectRef("Item", "changed");
    private static final ObjectRef DELETED = new ObjectRef("Item", "deleted");
    private static final ObjectRef INSERTED = new ObjectRef("Other", "inserted");

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private MongoObjectStore store;

    @BeforeEach
    void open() {
        store = FIXTURE.open(
                MongoConfig.at(FIXTURE.mongod().address()).withResponseTimeout(Duration.ofSeconds(3)),
                InstantSource.system());
        await(store.insert(CHANGED, n(1)));
        await(store.insert(DELETED, n(1)));
    }

    @AfterEach
    void failNoCommands() {
        FIXTURE.mongod().failNoCommands();
    }

    /**
     * MongoDB knows the transaction by its number, so the commit is sent until its outcome is
     * known.
     */
    @Test
    void commit_doneAndUnansweredFourTimes_isAnswered() {
        failCommits("{times: 4}", "writeConcernError: {code: 64, errmsg: 'nobody knows'}");

        List<WriteOutcome> outcomes = await(commit());

        assertThat(await(store.find(CHANGED))).contains((StoredObject) outcomes.get(0));
        assertThat(await(store.find(DELETED))).isEmpty();
    }

    @Test
    void commit_neverArrivedThreeTimes_isMadeOnce() {
        // the driver sends each twice
        failCommits("{times: 3}", "closeConnection: true");

        List<WriteOutcome> outcomes = await(commit());

        assertThat(await(store.find(CHANGED)))
                .contains((StoredObject) outcomes.get(0))
                .hasValueSatisfying(changed -> assertThat(changed.version()).isEqualTo(2));
    }

    @Test
    void commit_doneAndUnansweredForASecond_isUnavailableAndStoredEntirely() {
        failCommits("'alwaysOn'", "writeConcernError: {code: 64, errmsg: 'nobody knows'}");

        assertThat(failureOf(commit()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        FIXTURE.mongod().failNoCommands();

        Map<ObjectRef, StoredObject> now = await(store.findAll(List.of(CHANGED, DELETED, INSERTED)));
        assertThat(Objects.requireNonNull(now.get(CHANGED)).version()).isEqualTo(2);
        assertThat(now).containsOnlyKeys(CHANGED, INSERTED);
    }

    /**
     * The commit never reaches MongoDB, which locks the objects for the transaction for some time.
     */
    @Test
    void commit_notDoneAndUnansweredForASecond_isNeverDoneAndItsObjectsAreFree() {
        FIXTURE.mongod().command("{setParameter: 1, transactionLifetimeLimitSeconds: 2}");
        failCommits("'alwaysOn'", "closeConnection: true");

        assertThat(failureOf(commit()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        FIXTURE.mongod().failNoCommands();

        assertThat(await(FailingServerRequests.replace(store, CHANGED, 3)).version())
                .as("the next one, whatever MongoDB has locked for the transaction")
                .isEqualTo(2);
        Map<ObjectRef, StoredObject> now = await(store.findAll(List.of(CHANGED, DELETED, INSERTED)));
        assertThat(now).containsOnlyKeys(CHANGED, DELETED);
    }

    private Future<List<WriteOutcome>> commit() {
        return store.commit(new Batch(
                List.of(),
                List.of(
                        new Batch.ReplaceOperation(CHANGED, n(2), store.schemaEpoch("Item"), Precondition.none()),
                        new Batch.DeleteOperation(DELETED, store.schemaEpoch("Item"), Precondition.none()),
                        new Batch.InsertOperation(INSERTED, n(1), store.schemaEpoch("Other"))),
                Principal.SERVER));
    }

    private static void failCommits(String mode, String how) {
        FIXTURE.mongod().failCommands(mode, "{failCommands: ['commitTransaction'], " + how + "}");
    }

    private static BsonDocument n(int number) {
        return new BsonDocument("n", new BsonInt32(number));
    }
}
