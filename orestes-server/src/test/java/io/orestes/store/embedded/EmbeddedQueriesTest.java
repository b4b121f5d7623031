package io.orestes.store.embedded;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.store.IndexSpec;
import io.orestes.store.ObjectQueryContract;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.orestes.support.Scope;
import io.vertx.core.Future;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@link ObjectQueryContract} for the embedded store, and the number of objects that it examines.
 */
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
    void query_indexedPointAmongManyObjects_examinesOne() {
        fill(Scope.rounds(100_000));
        await(store.createIndex("Big", IndexSpec.ascending("n")));

        long examined = examinedBy(StoreQuery.all("Big", Filter.parse(BsonDocument.parse("{n: 7777}"))), 1);

        assertThat(examined).isEqualTo(1);
    }

    @Test
    void query_indexedInterval_examinesOnlyWhatLiesWithin() {
        fill(1_000);
        await(store.createIndex("Big", new IndexSpec(List.of(new IndexSpec.IndexedField("n", false)))));

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

    @Test
    void query_sortedPageOfAnIndexedOrder_examinesLittleMoreThanThePage() {
        fill(5_000);
        await(store.createIndex("Big", IndexSpec.ascending("n")));

        assertThat(examinedBy(page("{}", "{n: -1}"), 10)).isLessThan(15);
        assertThat(examinedBy(page("{n: {$gte: 100}}", "{n: 1}"), 10)).isLessThan(15);
        assertThat(examinedBy(page("{n: {$type: 'int'}}", "{n: 1, _id: -1}"), 10))
                .isLessThan(15);
    }

    @Test
    void query_equalityAndOrderOfOneIndex_examinesLittleMoreThanThePage() {
        fill(5_000);
        await(store.createIndex(
                "Big",
                new IndexSpec(List.of(new IndexSpec.IndexedField("m", true), new IndexSpec.IndexedField("n", false)))));

        assertThat(examinedBy(page("{m: 3}", "{n: -1}"), 10)).isLessThan(15);
        assertThat(examinedBy(page("{m: 3}", "{n: 1}"), 10)).isLessThan(15);
        assertThat(examinedBy(page("{}", "{m: 1, n: -1}"), 10)).isLessThan(15);
    }

    @Test
    void query_orderedByAnIndexThatFewMatchesAreIn_givesUpForAScan() {
        fill(5_000);
        await(store.createIndex("Big", IndexSpec.ascending("n")));

        assertThat(examinedBy(page("{m: {$mod: [997, 996]}}", "{n: 1}"), 0)).isLessThan(7_000);
    }

    @Test
    void query_branchesThatEachHaveAnIndex_examinesOnlyWhatTheyFind() {
        fill(5_000);
        await(store.createIndex("Big", IndexSpec.ascending("n")));

        assertThat(examinedBy(StoreQuery.all("Big", filter("{$or: [{n: 5}, {_id: '/db/Big/k77'}, {n: {$lt: 2}}]}")), 4))
                .isBetween(4L, 5L);
    }

    @Test
    void query_nearestWithAGeoIndex_examinesThoseAround_andIsRefusedWithout() {
        awaitAll(IntStream.range(0, 5_000)
                .mapToObj(i -> store.insert(
                        new ObjectRef("Big", "k" + i),
                        BsonDocument.parse("{place: {longitude: %s, latitude: %s}}"
                                .formatted(i % 100 / 100.0, Math.floorDiv(i, 100) / 100.0))))
                .toList());
        Filter near = filter("{place: {$nearSphere: {$geometry: {type: 'Point', coordinates: [0.5, 0.25]}}}}");
        StoreQuery nearest = new StoreQuery("Big", near, SortOrder.nearest(near).orElseThrow(), 0, 5);

        ErrorCode refusal = codeOf(store.query(nearest));
        await(store.createIndex("Big", IndexSpec.geo("place")));

        assertThat(refusal).isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);
        assertThat(examinedBy(nearest, 5)).isLessThan(100);
        assertThat(await(store.query(nearest)).get(0).ref().key()).isEqualTo("k2550");
        assertThat(codeOf(store.count("Big", filter("{other: {$near: [0, 0]}}"))))
                .isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);
    }

    @Test
    void query_wordsWithATextIndex_examinesThoseThatHaveOne() {
        awaitAll(IntStream.range(0, 2_000)
                .mapToObj(i -> store.insert(
                        new ObjectRef("Big", "k" + i),
                        BsonDocument.parse("{title: 'Houses of number n%d', sub: {language: 'german', t: 'Häuser n%d'}}"
                                .formatted(i, i % 7))))
                .toList());
        await(store.createIndex("Big", IndexSpec.TEXT));

        assertThat(examinedBy(StoreQuery.all("Big", filter("{$text: {$search: 'n1234'}}")), 1))
                .isEqualTo(1);
        assertThat(examinedBy(StoreQuery.all("Big", filter("{$text: {$search: 'n1234 n1235 -n3'}}")), 1))
                .isEqualTo(2);
        assertThat(examinedBy(StoreQuery.all("Big", filter("{$text: {$search: 'the of'}}")), 0))
                .isZero();
        assertThat(await(store.count("Big", filter("{$text: {$search: 'house'}}"))))
                .isEqualTo(2_000);
    }

    /** The objects before a page are retained, too, if the index does not supply the order. */
    @Test
    void query_boundedPageBehindManyLargeObjects_isRefused() {
        BsonString text = new BsonString("some words " + "x".repeat(1 << 20));
        awaitAll(IntStream.range(0, 40)
                .mapToObj(i -> store.insert(
                        new ObjectRef("Big", "k" + i), new BsonDocument("n", new BsonInt32(i)).append("t", text)))
                .toList());
        StoreQuery query = new StoreQuery(
                "Big", filter("{$text: {$search: 'words'}}"), SortOrder.parse(BsonDocument.parse("{n: -1}")), 35, 2);

        assertThat(codeOf(store.query(query.bounded()))).isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);
    }

    /** The document is larger than MongoDB accepts. */
    @Test
    void query_sortValueTakesTooLongToFind_isNotSupported() {
        BsonArray innermost = new BsonArray(Collections.nCopies(200, new BsonInt32(1)));
        BsonArray inner = new BsonArray(Collections.nCopies(200, new BsonDocument("c", innermost)));
        BsonArray outer = new BsonArray(Collections.nCopies(200, new BsonDocument("b", inner)));
        await(store.insert(new ObjectRef("Big", "k"), new BsonDocument("a", outer)));

        assertThat(codeOf(store.query(page("{}", "{'a.0.b.0.c': 1}")))).isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);
    }

    private static StoreQuery page(String filter, String sort) {
        return new StoreQuery("Big", filter(filter), SortOrder.parse(BsonDocument.parse(sort)), 0, 10);
    }

    private static Filter filter(String json) {
        return Filter.parse(BsonDocument.parse(json));
    }

    private static ErrorCode codeOf(Future<?> failing) {
        return failureOf(failing).code();
    }

    private long examinedBy(StoreQuery query, int expectedMatches) {
        long before = store.statistics().objectsExamined();
        assertThat(await(store.query(query))).hasSize(expectedMatches);
        return store.statistics().objectsExamined() - before;
    }

    private void fill(int count) {
        for (int from = 0; from < count; from += 10_000) {
            awaitAll(IntStream.range(from, Math.min(count, from + 10_000))
                    .mapToObj(i -> store.insert(
                            new ObjectRef("Big", "k" + i),
                            new BsonDocument("n", new BsonInt32(i)).append("m", new BsonInt32(i % 7))))
                    .toList());
        }
    }
}
