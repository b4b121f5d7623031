package io.orestes.store.embedded;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.Filter;
import io.invalidb.query.SortOrder;
import io.orestes.model.ObjectRef;
import io.orestes.store.IndexKeys;
import io.orestes.store.ObjectQueryContract;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The query contract, kept by the embedded store, and how much it looks at. */
final class EmbeddedQueriesTest extends ObjectQueryContract {

    @RegisterExtension
    static final StoreFixture FIXTURE = new StoreFixture();

    private EmbeddedObjectStore store;

    @BeforeEach
    void open() {
        store = FIXTURE.open(clock);
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Test
    void query_indexedPointAmong100000Objects_examinesOne() {
        fill(100_000);
        await(store.createIndex("Big", IndexKeys.ascending("n")));

        long examined = examinedBy(StoreQuery.all("Big", Filter.parse(BsonDocument.parse("{n: 77777}"))), 1);

        assertThat(examined).isEqualTo(1);
    }

    @Test
    void query_indexedInterval_examinesOnlyWhatLiesWithin() {
        fill(1_000);
        await(store.createIndex("Big", new IndexKeys(List.of(new IndexKeys.Key("n", false)))));

        long examined =
                examinedBy(StoreQuery.all("Big", Filter.parse(BsonDocument.parse("{n: {$gt: 499, $lt: 510}}"))), 10);

        assertThat(examined).isBetween(10L, 12L);
    }

    @Test
    void query_firstPageById_stopsAtItsEnd() {
        fill(1_000);

        assertThat(examinedBy(new StoreQuery("Big", Filter.ALL, SortOrder.BY_ID, 5, 10), 10))
                .isEqualTo(15);
    }

    @Test
    void query_oneId_examinesOne() {
        fill(1_000);

        Filter filter = Filter.parse(BsonDocument.parse("{_id: '/db/Big/k7'}"));
        assertThat(examinedBy(StoreQuery.all("Big", filter), 1)).isEqualTo(1);
    }

    private long examinedBy(StoreQuery query, int expectedMatches) {
        long before = store.statistics().objectsExamined();
        assertThat(await(store.query(query))).hasSize(expectedMatches);
        return store.statistics().objectsExamined() - before;
    }

    private void fill(int count) {
        for (int from = 0; from < count; from += 10_000) {
            awaitAll(IntStream.range(from, Math.min(count, from + 10_000))
                    .mapToObj(i -> store.insert(new ObjectRef("Big", "k" + i), new BsonDocument("n", new BsonInt32(i))))
                    .toList());
        }
    }
}
