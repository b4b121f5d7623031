package io.orestes.store.embedded;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Effect of very long queries on all the others. */
final class ExpensiveQueriesTest {

    @RegisterExtension
    static final StoreFixture FIXTURE = new StoreFixture();

    private static final int OBJECTS = 2_000;
    /** Filter that takes milliseconds for each object, as no pattern is found. */
    private static final Filter EXPENSIVE = Filter.parse(BsonDocument.parse(IntStream.range(0, 50)
            .mapToObj(i -> "{text: {$regex: '(x+x+)+" + i + "y$'}}")
            .collect(Collectors.joining(",", "{$or: [", "]}"))));

    @Test
    void queryAndCount_longerThanTheBudget_fail() {
        EmbeddedObjectStore store = filled(Duration.ofMillis(20));

        assertThat(failureOf(store.count("Big", EXPENSIVE)).code()).isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);
        assertThat(failureOf(store.query(StoreQuery.all("Big", EXPENSIVE))).code())
                .isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);
        assertThat(store.statistics().objectsExamined()).isLessThan(OBJECTS);
    }

    @Test
    void findAndScan_allQueryThreadsAreBusy_doNotWait() {
        EmbeddedObjectStore store = filled(Duration.ofHours(1));
        List<Future<Long>> counts = counts(store);

        assertThat(await(store.find(new ObjectRef("Big", "k1")))).isPresent();
        assertThat(await(store.scan("Big", "", 10))).hasSize(10);
        assertThat(counts).noneMatch(Future::isComplete);
    }

    @Test
    void close_queriesRunAndWait_stopsThem() {
        EmbeddedObjectStore store = filled(Duration.ofHours(1));
        List<Future<Long>> counts = counts(store);

        await(store.close());

        assertThat(counts)
                .allSatisfy(count -> assertThat(failureOf(count).code()).isEqualTo(ErrorCode.UNAVAILABLE));
        assertThat(store.statistics().objectsExamined()).isLessThan(OBJECTS);
    }

    @Test
    void call_moreThanMayWait_isRefused() throws InterruptedException {
        ReaderPool readerPool = new ReaderPool(FIXTURE.vertx(), "test", 1, 1);
        CountDownLatch release = new CountDownLatch(1);
        Future<Long> running = readerPool.call(() -> afterThe(release));
        Future<Long> waiting = readerPool.call(() -> 1L);

        Future<Long> refused = readerPool.call(() -> 2L);

        assertThat(failureOf(refused).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        release.countDown();
        assertThat(await(running)).isZero();
        assertThat(await(waiting)).isEqualTo(1);
        readerPool.stop();
    }

    private static long afterThe(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return release.getCount();
    }

    private static List<Future<Long>> counts(EmbeddedObjectStore store) {
        return Stream.generate(() -> store.count("Big", EXPENSIVE)).limit(8).toList();
    }

    private static EmbeddedObjectStore filled(Duration queryBudget) {
        EmbeddedObjectStore store = FIXTURE.open(queryBudget);
        BsonDocument fields = new BsonDocument("text", new BsonString("x".repeat(1_000)));
        awaitAll(IntStream.range(0, OBJECTS)
                .mapToObj(i -> store.insert(new ObjectRef("Big", "k" + i), fields.clone()))
                .toList());
        return store;
    }
}
