package io.orestes.store.embedded;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexSpec;
import io.orestes.store.RandomQueries;
import io.orestes.store.StoreQuery;
import io.orestes.support.Scope;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every query has the same result with and without indexes: on up to 10,000 objects with arrays,
 * nulls, values of all types, places and texts, with indexes of all kinds, of which some are made
 * before the objects and some after.
 */
final class IndexedQueriesTest {

    private static final int OBJECTS = Scope.rounds(10_000);
    private static final int QUERIES = 120;

    @RegisterExtension
    static final StoreFixture FIXTURE = new StoreFixture();

    @Test
    void query_anyFilterSortAndPage_isTheSameWithIndexes() {
        EmbeddedObjectStore store = FIXTURE.open(Duration.ofMinutes(1));
        RandomQueries data = new RandomQueries(7);
        List<IndexSpec> indexes = RandomQueries.indexes();
        indexes.stream().limit(indexes.size() / 2).forEach(index -> await(store.createIndex("Item", index)));
        List<BsonDocument> all = fill(store, data);
        indexes.forEach(index -> await(store.createIndex("Item", index)));

        for (int i = 0; i < QUERIES; i++) {
            Filter filter = Filter.parse(data.filter());
            BsonDocument wanted = data.sort();
            SortOrder sort =
                    wanted.isEmpty() ? SortOrder.nearest(filter).orElse(SortOrder.BY_ID) : SortOrder.parse(wanted);
            StoreQuery query = new StoreQuery("Item", filter, sort, data.upTo(20), data.limit());

            List<StoredObject> found = await(store.query(query));

            assertThat(found)
                    .as("%s sorted by %s", filter, sort)
                    .extracting(StoredObject::document)
                    .isEqualTo(all.stream()
                            .filter(filter::matches)
                            .sorted(sort)
                            .skip(query.skip())
                            .limit(query.limit())
                            .toList());
        }
    }

    private static List<BsonDocument> fill(EmbeddedObjectStore store, RandomQueries data) {
        List<BsonDocument> stored = new ArrayList<>(OBJECTS);
        for (int i = 0; i < OBJECTS; i += 1_000) {
            List<Future<StoredObject>> inserts = data.documents(i, 1_000)
                    .map(document -> store.insert(
                            new ObjectRef("Item", document.getString("u").getValue()), document))
                    .toList();
            awaitAll(inserts);
            inserts.forEach(insert -> stored.add(insert.result().document()));
        }
        return stored;
    }
}
