package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static io.orestes.store.mongo.FailingServerRequests.assertUnavailable;
import static io.orestes.store.mongo.FailingServerRequests.n;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.store.StoreQuery;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.support.mongo.ReplicaSet;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * A primary whose writes reach no majority: it cannot confirm what it reads, and requests to it
 * end.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class MissingMajorityTest {

    private static final ObjectRef A = new ObjectRef("Item", "a");
    private static final StoreQuery QUERY = StoreQuery.all("Item", Filter.ALL).withLevel(ReadLevel.LINEARIZABLE);

    private static final int SEVERAL_PAGES = 600;
    private static final int MANY = 50;
    private static final int MAX_TIME_EXPIRED = 50;

    private final Vertx vertx = Vertx.vertx();
    private final ReplicaSet set = ReplicaSet.start();
    private MongoObjectStore store;
    private StoredObject state;

    @BeforeAll
    void open() {
        MongoConfig config = MongoConfig.at(ReplicaSet.addressOf(set.primary()))
                .withResponseTimeout(Duration.ofSeconds(4))
                .withQueryBudget(Duration.ofSeconds(2));
        store = await(MongoObjectStore.open(vertx, config));
        state = await(store.insert(A, n(1)));
    }

    @AfterEach
    void heal() {
        set.resumeReplication();
        set.primary().command("{configureFailPoint: 'failCommand', mode: 'off'}");
    }

    @AfterAll
    void close() {
        await(store.close());
        set.close();
        await(vertx.close());
    }

    @Test
    void linearizableReads_noMajorityCopies_areUnavailableUntilOneDoes() {
        set.stopReplication();

        assertUnconfirmed(failureOf(store.find(A, ReadLevel.LINEARIZABLE)));
        assertUnconfirmed(failureOf(store.query(QUERY)));
        assertUnconfirmed(failureOf(store.count("Item", Filter.ALL, ReadLevel.LINEARIZABLE)));
        assertUnconfirmed(failureOf(store.visit("Item", Filter.ALL, ReadLevel.LINEARIZABLE, object -> {})));
        assertThat(await(store.find(A))).contains(state);

        set.resumeReplication();
        assertThat(await(store.find(A, ReadLevel.LINEARIZABLE))).contains(state);
        assertThat(await(store.query(QUERY))).containsExactly(state);
    }

    @Test
    void linearizableQueries_thatTakeTooLongByThemselves_areRefusedForThat() {
        set.primary()
                .command("{configureFailPoint: 'failCommand', mode: 'alwaysOn', data: {"
                        + "failCommands: ['find', 'aggregate'], namespace: 'test.Item', errorCode: " + MAX_TIME_EXPIRED
                        + "}}");

        assertTooLong(store.query(QUERY));
        assertTooLong(store.count("Item", Filter.ALL, ReadLevel.LINEARIZABLE));
        assertTooLong(store.visit("Item", Filter.ALL, ReadLevel.LINEARIZABLE, object -> {}));
    }

    /** All pages of a cursor are of one majority snapshot. */
    @Test
    void visit_majorityIsLostAfterTheFirstPage_reachesTheEnd() {
        awaitAll(IntStream.range(0, SEVERAL_PAGES)
                .mapToObj(i -> store.insert(new ObjectRef("Many", "m" + i), n(i)))
                .toList());
        AtomicInteger seen = new AtomicInteger();

        await(store.visit("Many", Filter.ALL, ReadLevel.LINEARIZABLE, object -> {
            if (seen.getAndIncrement() == 0) {
                set.stopReplication();
            }
        }));

        assertThat(seen).hasValue(SEVERAL_PAGES);
    }

    @Test
    void queries_linearizableTogether_shareConfirmations() {
        long before = set.primary().commands("find");
        List<Future<List<StoredObject>>> queries = IntStream.range(0, MANY)
                .mapToObj(i ->
                        store.query(StoreQuery.all("Item", Filter.parse(n(i))).withLevel(ReadLevel.LINEARIZABLE)))
                .toList();
        awaitAll(queries);

        assertThat(queries).allMatch(Future::succeeded);
        assertThat(set.primary().commands("find") - before).isBetween(MANY + 1L, MANY + MANY / 2L);
    }

    private static void assertTooLong(Future<?> read) {
        assertThat(failureOf(read).code()).isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);
    }

    private static void assertUnconfirmed(Throwable failure) {
        assertUnavailable(failure);
        assertThat(failure).hasMessageContaining("majority");
    }
}
