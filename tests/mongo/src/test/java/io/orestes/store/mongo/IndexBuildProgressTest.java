package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ObjectRef;
import io.orestes.store.IndexSpec;
import io.orestes.store.mongo.driver.MongoConfig;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The progress of an index while it is being filled. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class IndexBuildProgressTest {

    private static final IndexSpec NUMBER = IndexSpec.ascending("n");
    private static final int OBJECTS = 1_500;
    private static final int MIDDLE = 750;

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private MongoObjectStore store;

    /**
     * MongoDB reads objects in the order of their insertion, so the one in the middle has to be
     * inserted in the middle.
     */
    @BeforeEach
    void open() {
        // a command that is halted for longer would end the filling of the index
        Duration halted = Duration.ofMinutes(1);
        store = FIXTURE.open(
                MongoConfig.at(FIXTURE.mongod().address()).withResponseTimeout(halted), InstantSource.system());
        insert(0, MIDDLE);
        insert(MIDDLE, MIDDLE + 1);
        insert(MIDDLE + 1, OBJECTS);
    }

    private void insert(int from, int to) {
        await(Future.all(IntStream.range(from, to)
                .mapToObj(i -> store.insert(new ObjectRef("Item", "%04d".formatted(i)), n(i)))
                .toList()));
    }

    @Test
    void unfinishedIndexes_mongoDbIsHalfWay_isAHalf() {
        haltBuild("'alwaysOn'");
        Future<Void> created;
        try {
            created = store.createIndex("Item", NUMBER);

            awaitProgress(NUMBER, 0.4, 0.6);
        } finally {
            // otherwise MongoDB drops nothing any more, and a request to drop waits for ever
            haltBuild("'off'");
        }
        await(created);
        assertThat(await(store.unfinishedIndexes("Item"))).isEmpty();
    }

    @Test
    void unfinishedIndexes_aThirdOfThePlacesIsTaken_isAThird() {
        // the places of 500 objects are taken together; this is amid the second batch
        haltUpdates("{skip: " + MIDDLE + "}");
        Future<Void> created;
        try {
            created = store.createIndex("Item", NUMBER.asUnique());

            awaitProgress(NUMBER.asUnique(), 0.3, 0.4);
        } finally {
            haltUpdates("'off'");
        }
        await(created);
        assertThat(await(store.unfinishedIndexes("Item"))).isEmpty();
    }

    private static void haltBuild(String mode) {
        FIXTURE.mongod()
                .command("{configureFailPoint: 'hangIndexBuildDuringCollectionScanPhaseBeforeInsertion', mode: " + mode
                        + ", data: {fieldsToMatch: {n: " + MIDDLE + "}}}");
    }

    private static void haltUpdates(String mode) {
        FIXTURE.mongod()
                .command("{configureFailPoint: 'hangDuringBatchUpdate', mode: " + mode + ", data: {nss: 'test.Item'}}");
    }

    /** Waits until the progress is between both bounds and stays there; times out otherwise. */
    private void awaitProgress(IndexSpec keys, double least, double most) {
        double progress = 0;
        while (progress < least) {
            progress = await(store.unfinishedIndexes("Item")).getOrDefault(keys, 0.0);
        }
        assertThat(progress).isLessThan(most);
    }

    private static BsonDocument n(int number) {
        return new BsonDocument("n", new BsonInt32(number));
    }
}
