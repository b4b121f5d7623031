package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static io.orestes.store.mongo.FailingServerRequests.assertUnavailable;
import static io.orestes.store.mongo.FailingServerRequests.n;
import static io.orestes.store.mongo.FailingServerRequests.replace;
import static io.orestes.store.mongo.FailingServerRequests.together;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.mongo.driver.MongoConfig;
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
 * A server of any deployment that fails, is silent or stalls: waits are bounded, and requests
 * succeed afterwards.
 */
@EachDeployment
@RepeatedIfDisturbed
@Timeout(value = 150, unit = TimeUnit.SECONDS)
final class FaultsTest {

    private static final ObjectRef A = new ObjectRef("Item", "a");
    private static final Duration DEADLINE = Duration.ofSeconds(3);

    @RegisterExtension
    final MongoFixture server;

    private MongoObjectStore store;

    FaultsTest(Deployment deployment) {
        server = MongoFixture.shared(deployment);
    }

    @BeforeEach
    void open() {
        MongoConfig config = MongoConfig.at(server.mongod().address()).withResponseTimeout(DEADLINE);
        store = server.open(config, InstantSource.system());
    }

    @Test
    void write_serverKeepsShuttingDown_isUnavailableAndMayBeTriedAgain() {
        server.mongod().failCommands("'alwaysOn'", "{failCommands: ['findAndModify'], errorCode: 91}");

        assertUnavailable(failureOf(store.insert(A, n(1))));

        server.mongod().failNoCommands();
        assertThat(await(store.insert(A, n(1))).version()).isEqualTo(1);
    }

    @Test
    void write_serverIsSilent_isUnavailableAndTheNextOneMeetsItsOutcome() {
        await(store.insert(A, n(1)));
        server.mongod()
                .failCommands(
                        "'alwaysOn'", "{failCommands: ['findAndModify'], blockConnection: true, blockTimeMS: 5000}");

        assertUnavailable(failureOf(replace(store, A, 2)));

        server.mongod().failNoCommands();
        StoredObject next = await(replace(store, A, 3));
        assertThat(await(store.find(A))).contains(next);
    }

    @Test
    void anyCall_processIsPaused_isUnavailableUntilItResumes() {
        await(store.insert(A, n(1)));
        server.mongod().pause();
        try {
            assertUnavailable(failureOf(store.find(A)));
            assertUnavailable(failureOf(replace(store, A, 2)));
            assertUnavailable(failureOf(store.count("Item", Filter.ALL)));
        } finally {
            server.mongod().resume();
        }

        assertThat(await(store.find(A))).isPresent();
        assertThat(await(replace(store, A, 3)).version()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void writesOfOneObject_processIsPaused_doNotWaitOneByOne() {
        server.mongod().pause();
        long begin = System.nanoTime();
        try {
            List<Future<StoredObject>> writes =
                    IntStream.range(0, 50).mapToObj(i -> replace(store, A, i)).toList();
            awaitAll(writes);

            assertThat(writes).allSatisfy(write -> assertUnavailable(write.cause()));
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(DEADLINE.multipliedBy(5));
        } finally {
            server.mongod().resume();
        }
    }

    @Test
    void writesTogether_serverIsSilent_areUnavailable() {
        server.mongod()
                .failCommands(
                        "'alwaysOn'",
                        "{failCommands: ['insert', 'findAndModify'], blockConnection: true, blockTimeMS: 5000}");

        List<Future<StoredObject>> writes = together(i -> store.insert(new ObjectRef("Item", "t" + i), n(i)));
        awaitAll(writes);

        assertThat(writes.stream().filter(Future::failed)).isNotEmpty();
        writes.stream().filter(Future::failed).forEach(write -> assertUnavailable(write.cause()));
    }

    @Test
    void calls_moreThanConnections_areUnavailableInsteadOfWaiting() {
        String narrow = server.mongod().address("maxPoolSize=2&waitQueueTimeoutMS=300");
        // those that get a connection are answered after the delay below
        MongoConfig patient = MongoConfig.at(narrow).withQueryBudget(Duration.ofSeconds(30));
        MongoObjectStore crowded = server.open(patient, InstantSource.system());
        server.mongod()
                .failCommands("'alwaysOn'", "{failCommands: ['aggregate'], blockConnection: true, blockTimeMS: 5000}");

        List<Future<Long>> counts = IntStream.range(0, 12)
                .mapToObj(i -> crowded.count("Item", Filter.ALL))
                .toList();
        awaitAll(counts);

        assertThat(counts.stream().filter(Future::succeeded)).hasSizeBetween(1, 2);
        counts.stream().filter(Future::failed).forEach(count -> assertUnavailable(count.cause()));
    }
}
