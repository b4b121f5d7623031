package io.orestes.invalidb;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.grid.GridSize;
import io.invalidb.node.GridOptions;
import io.invalidb.query.filter.Filter;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A grid that retains three writes. */
final class InvalidbClientTest {

    private static final MatchQuery ALL = MatchQuery.of("Todo", Filter.ALL);

    private final Vertx vertx = Vertx.vertx();
    private final InvalidbClient matching = InvalidbClient.start(
            vertx, new GridOptions(new GridSize(1, 1), Duration.ofSeconds(30), 3, InstantSource.system()), 1);
    private final AtomicInteger executions = new AtomicInteger();

    @AfterEach
    void tearDown() {
        await(matching.close());
        await(vertx.close());
    }

    @Test
    void acquire_moreWrittenDuringTheExecutionThanIsRetained_executesAgain() {
        QueryLease queryLease =
                await(matching.acquire(ALL, () -> executions.incrementAndGet() == 1 ? written(5) : written(1)));

        assertThat(executions).hasValue(2);
        assertThat(matching.activeQueries()).isEqualTo(1);
        queryLease.release();
        assertThat(matching.activeQueries()).isZero();
    }

    @Test
    void acquireReplacement_whenNoFurtherQueryIsAllowed_succeeds() {
        QueryLease first = await(matching.acquire(ALL, () -> written(0)));
        MatchQuery other = new MatchQuery("other", ALL.bucket(), ALL.filter());

        QueryLease second =
                await(matching.acquireReplacement(other, () -> written(0).map(InvalidbClient::states)));

        assertThat(matching.acquire(new MatchQuery("third", ALL.bucket(), ALL.filter()), () -> written(0))
                        .failed())
                .isTrue();
        first.release();
        second.release();
    }

    /** Returns an empty result, read before this number of writes. */
    private Future<List<StoredObject>> written(int writes) {
        List<Future<Void>> published = IntStream.range(0, writes)
                .mapToObj(i -> matching.publish(object("k" + i)))
                .toList();
        return Future.join(published).map(List.of());
    }

    private static StoredObject object(String key) {
        ObjectRef ref = new ObjectRef("Todo", key);
        return new StoredObject(
                ref, new BsonDocument("version", new BsonInt64(1)).append("createdAt", new BsonDateTime(1)));
    }
}
