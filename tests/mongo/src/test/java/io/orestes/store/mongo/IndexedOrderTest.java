package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ObjectRef;
import io.orestes.store.IndexSpec;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The cost of a page in the order of an index depends on the page, not on the objects behind it.
 */
final class IndexedOrderTest {

    private static final int OBJECTS = 300;
    private static final int PAGE_SIZE = 10;

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private MongoObjectStore store;

    @BeforeEach
    void open() {
        store = FIXTURE.open();
        await(Future.all(IntStream.range(0, OBJECTS)
                .mapToObj(i -> store.insert(
                        new ObjectRef("Item", "i" + i),
                        BsonDocument.parse("{shelf: %d, price: %d}".formatted(i % 2, i % 3))))
                .toList()));
    }

    @Test
    void page_ofEqualsInOrderOfIds_examinesThePage() {
        await(store.createIndex("Item", IndexSpec.ascending("shelf")));

        assertThat(examined("{shelf: 1}", "{}")).isEqualTo(PAGE_SIZE);
    }

    @Test
    void page_ofAllInOrderOfAField_examinesThePage() {
        await(store.createIndex("Item", IndexSpec.ascending("price")));

        assertThat(examined("{}", "{price: 1}")).isEqualTo(PAGE_SIZE);
    }

    @Test
    void page_ofAllInDescendingOrderOfAField_examinesThePageIfTheIndexDescends() {
        await(store.createIndex(
                "Item",
                new IndexSpec(List.of(new IndexSpec.IndexedField("price", IndexSpec.IndexKind.DESCENDING)), false)));

        assertThat(examined("{}", "{price: -1}")).isEqualTo(PAGE_SIZE);
    }

    @Test
    void page_withoutAnIndex_examinesAll() {
        assertThat(examined("{}", "{price: 1}")).isEqualTo(OBJECTS);
    }

    /**
     * Returns the number of objects that MongoDB examines for the first page, by its own
     * statistics.
     */
    private long examined(String filter, String order) {
        FIXTURE.mongod().database().runCommand(BsonDocument.parse("{profile: 2}"));
        await(store.query(new StoreQuery(
                "Item",
                Filter.parse(BsonDocument.parse(filter)),
                SortOrder.parse(BsonDocument.parse(order)),
                0,
                PAGE_SIZE)));
        FIXTURE.mongod().database().runCommand(BsonDocument.parse("{profile: 0}"));
        List<BsonDocument> found = FIXTURE.mongod()
                .database()
                .getCollection("system.profile", BsonDocument.class)
                .find(BsonDocument.parse("{op: 'query', ns: /Item$/}"))
                .into(new ArrayList<>());
        assertThat(found).hasSize(1);
        return found.get(0).getNumber("docsExamined").longValue();
    }
}
