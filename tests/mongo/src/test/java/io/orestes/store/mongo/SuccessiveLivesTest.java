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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The life of an object begins later than the last one ended, by every clock. Otherwise entity tags
 * recur, and caches and conditional writes confuse two states.
 */
@Timeout(value = 150, unit = TimeUnit.SECONDS)
final class SuccessiveLivesTest {

    private static final InstantSource FAST = InstantSource.offset(InstantSource.system(), Duration.ofSeconds(20));

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private MongoObjectStore slow;
    private MongoObjectStore fast;

    @BeforeEach
    void open() {
        MongoConfig config = MongoConfig.at(FIXTURE.mongod().address());
        slow = FIXTURE.openBesideOthers(config, InstantSource.system());
        fast = FIXTURE.openBesideOthers(config, FAST);
        await(slow.insert(new ObjectRef("Item", "first"), n(0)));
    }

    @Test
    void insert_afterALifeByAFasterClock_beginsLater() {
        StoredObject last = liveAndEnd("a");

        assertLater(await(slow.insert(ref("a"), n(2))), last);
    }

    /**
     * The insertion has read how the last life ended before another one begins and ends. It is
     * blocked for longer if the machine was too slow for that.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void insert_whileALifeByAFasterClockBeginsAndEnds_beginsLater(int together) {
        int blockMillis = 3_000;
        while (!insertAroundALife(together, blockMillis)) {
            blockMillis *= 2;
        }
    }

    /** Returns false if the life had not ended while the insertion was blocked. */
    private boolean insertAroundALife(int together, int blockMillis) {
        String key = "b" + blockMillis + "-";
        int blocked = block(blockMillis);
        List<Future<StoredObject>> insertions = IntStream.range(0, together)
                .mapToObj(i -> slow.insert(ref(key + i), n(2)))
                .toList();
        FIXTURE.mongod().awaitFailedCommand(blocked);

        Optional<StoredObject> last = tryLiveAndEnd(key + 0);
        boolean wasBlocked = !insertions.get(0).isComplete();
        awaitAll(insertions);

        assertThat(insertions).allMatch(Future::succeeded);
        if (last.isEmpty() || !wasBlocked) {
            return false;
        }
        assertLater(insertions.get(0).result(), last.get());
        assertThat(await(slow.find(ref(key + 0)))).contains(insertions.get(0).result());
        return true;
    }

    /**
     * Delays the next insertion of one store until others are done; returns how often that happened
     * before.
     */
    private int block(int millis) {
        return FIXTURE.mongod()
                .failCommands(
                        "{times: 1}",
                        "{failCommands: ['insert', 'findAndModify'], blockConnection: true, blockTimeMS: " + millis
                                + ", appName: '" + slow.processName() + "'}");
    }

    /** Returns the last state of a life; empty if another one has begun before. */
    private Optional<StoredObject> tryLiveAndEnd(String id) {
        try {
            return Optional.of(liveAndEnd(id));
        } catch (ApiException failure) {
            assertThat(failure.code()).isEqualTo(ErrorCode.OBJECT_EXISTS);
            return Optional.empty();
        }
    }

    private StoredObject liveAndEnd(String id) {
        StoredObject last = await(fast.insert(ref(id), n(1)));
        await(fast.delete(ref(id), Precondition.none(), Principal.SERVER));
        return last;
    }

    private static void assertLater(StoredObject next, StoredObject last) {
        assertThat(next.createdAt()).isGreaterThan(last.updatedAt());
        assertThat(next.version()).isEqualTo(1);
    }

    private static ObjectRef ref(String id) {
        return new ObjectRef("Item", id);
    }
}
