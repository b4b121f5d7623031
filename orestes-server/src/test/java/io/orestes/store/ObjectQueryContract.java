package io.orestes.store;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.support.Scope;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Contract of every {@link ObjectStore} for queries and indexes. To be extended as
 * {@link ObjectStoreContract} is.
 */
public abstract class ObjectQueryContract {

    protected final ManualClock clock = new ManualClock();

    protected abstract ObjectStore store();

    @Test
    void query_filterSortSkipLimit_areAppliedInThatOrder() {
        IntStream.range(0, 20).forEach(i -> put("k" + i, new BsonDocument("n", new BsonInt32(i))));
        Filter filter = filter("{n: {$gte: 5}}");

        List<StoredObject> page = await(store().query(new StoreQuery("Item", filter, sort("{n: -1}"), 2, 3)));

        assertThat(page).extracting(ObjectQueryContract::number).containsExactly(17, 16, 15);
    }

    /** Data that a store adds to an object is no part of it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$jsonSchema: {maxProperties: 5}}",
                "{$jsonSchema: {additionalProperties: false, properties: {_id: {}, version: {}, createdAt: {},"
                        + " updatedAt: {}, n: {}}}}"
            })
    void query_filterOnAllFields_seesThoseOfTheObjectOnly(String condition) {
        put("a", new BsonDocument("n", new BsonInt32(1)));
        await(store().createIndex("Item", IndexSpec.ascending("n").asUnique()));

        Filter filter = filter(condition);

        assertThat(await(store().query(StoreQuery.all("Item", filter)))).hasSize(1);
        assertThat(await(store().query(new StoreQuery("Item", filter, sort("{n: -1}"), 0, 3))))
                .hasSize(1);
        assertThat(await(store().count("Item", filter))).isEqualTo(1);
    }

    /** This applies to results found by ids, by an order, or by neither. */
    @Test
    void query_boundedOfMoreThanFits_isRefused() {
        BsonString text = new BsonString("x".repeat(1 << 20));
        IntStream.range(0, 40).forEach(i -> put("k" + i, new BsonDocument("n", new BsonInt32(i)).append("t", text)));

        for (StoreQuery query : List.of(
                StoreQuery.all("Item", Filter.ALL),
                new StoreQuery("Item", filter("{n: {$gte: 0}}"), sort("{n: -1}"), 0, 100))) {
            assertThat(failureOf(store().query(query.bounded())).code()).isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);
            assertThat(await(store().query(query))).isNotEmpty();
        }
        assertThat(await(store().query(new StoreQuery("Item", Filter.ALL, sort("{n: -1}"), 0, 5).bounded())))
                .hasSize(5);
    }

    /**
     * Only candidates for the page are retained, for any evaluator and any order of the objects.
     */
    @Test
    void query_boundedForFewOfManyLargeObjects_isAnswered() {
        BsonString text = new BsonString("some words " + "x".repeat(1 << 20));
        IntStream.range(0, 40)
                .forEach(i -> put(
                        "k" + i,
                        new BsonDocument("n", new BsonInt32(i))
                                .append("t", text)
                                .append("p", BsonDocument.parse("{type: 'Point', coordinates: [" + i + ", 1]}"))));
        await(store().createIndex("Item", IndexSpec.geo("p")));
        Filter near = filter("{p: {$nearSphere: {$geometry: {type: 'Point', coordinates: [0, 1]}}}}");
        Filter words = filter("{$text: {$search: 'words'}}");

        for (StoreQuery query : List.of(
                new StoreQuery("Item", near, SortOrder.nearest(near).orElseThrow(), 0, 1),
                new StoreQuery("Item", near, SortOrder.nearest(near).orElseThrow(), 2, 3),
                new StoreQuery("Item", words, sort("{n: 1}"), 0, 1),
                new StoreQuery("Item", words, sort("{n: 1}"), 2, 3))) {
            assertThat(await(store().query(query.bounded())))
                    .as("%s", query)
                    .extracting(ObjectQueryContract::number)
                    .isEqualTo(IntStream.range((int) query.skip(), (int) query.skip() + query.limit())
                            .boxed()
                            .toList());
        }
    }

    /** Objects that were read by an abandoned plan are released. */
    @Test
    void query_boundedAlongAnIndexThatDoesNotHaveTheOrder_countsOnce() {
        BsonString text = new BsonString("x".repeat((int) ResultBudget.ofHeap().maxResultBytes() / 30));
        IntStream.range(0, 20).forEach(i -> put("k" + i, new BsonDocument("n", new BsonInt32(i)).append("t", text)));
        put("last", new BsonDocument("n", BsonArray.parse("[[5]]")));
        await(store().createIndex("Item", IndexSpec.ascending("n")));

        assertThat(await(store().query(new StoreQuery("Item", Filter.ALL, sort("{n: 1}"), 0, 30).bounded())))
                .hasSize(21);
    }

    @Test
    void query_severalOfMoreThanFits_isRefusedThoughEachFits() {
        BsonString text = new BsonString("x".repeat((int) ResultBudget.ofHeap().maxResultBytes() / 30));
        for (int i = 0; i < 20; i++) {
            put("k" + i, new BsonDocument("n", new BsonInt32(i)).append("t", text));
            await(store().insert(
                            new ObjectRef("Other", "k" + i),
                            new BsonDocument("n", new BsonInt32(i)).append("t", text)));
        }
        StoreQuery all = StoreQuery.all("Item", Filter.ALL).bounded();
        StoreQuery others = StoreQuery.all("Other", Filter.ALL).bounded();
        StoreQuery some = new StoreQuery("Other", Filter.ALL, sort("{n: -1}"), 0, 2).bounded();

        assertThat(await(store().query(all))).hasSize(20);
        assertThat(failureOf(store().query(List.of(all, others), Future::succeededFuture))
                        .code())
                .isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);
        List<List<StoredObject>> both = await(store().query(List.of(all, some), Future::succeededFuture));
        assertThat(both).satisfiesExactly(first -> assertThat(first).hasSize(20), second -> assertThat(second)
                .extracting(ObjectQueryContract::number)
                .containsExactly(19, 18));
    }

    @Test
    void query_withoutSort_isOrderedById() {
        List.of("b", "a", "c").forEach(key -> put(key, new BsonDocument()));

        List<StoredObject> all = await(store().query(StoreQuery.all("Item", Filter.ALL)));

        assertThat(all).extracting(object -> object.ref().key()).containsExactly("a", "b", "c");
    }

    @Test
    void query_byIds_findsThoseOfThisBucketOnly() {
        List.of("a", "b", "c").forEach(key -> put(key, new BsonDocument()));
        await(store().insert(new ObjectRef("Other", "a"), new BsonDocument()));
        Filter filter = filter("{_id: {$in: ['/db/Item/c', '/db/Item/a', '/db/Other/a', '/db/Item/zz', 'ä', 7]}}");

        List<StoredObject> found = await(store().query(StoreQuery.all("Item", filter)));

        assertThat(found).extracting(object -> object.ref().key()).containsExactly("a", "c");
    }

    @Test
    void query_noSuchBucket_isEmpty() {
        assertThat(await(store().query(StoreQuery.all("Nothing", Filter.ALL)))).isEmpty();
        assertThat(await(store().count("Nothing", Filter.ALL))).isZero();
    }

    @Test
    void visit_handsOverEachMatchOnce_withAndWithoutIndex() {
        for (int n = 0; n < 10; n++) {
            put("k" + n, new BsonDocument("n", BsonArray.parse("[" + n % 3 + ", 7]")));
        }

        List<String> scanned = visited(filter("{n: {$in: [1, 7]}}"));
        await(store().createIndex("Item", IndexSpec.ascending("n")));

        assertThat(scanned).hasSize(10).doesNotHaveDuplicates();
        assertThat(visited(filter("{n: {$in: [1, 7]}}"))).containsExactlyInAnyOrderElementsOf(scanned);
        assertThat(visited(filter("{n: 2}"))).containsExactlyInAnyOrder("k2", "k5", "k8");
    }

    @Test
    void visit_visitorThrows_failsWithThatAndGoesNoFurther() {
        put("a", new BsonDocument());
        put("b", new BsonDocument());
        List<String> seen = new ArrayList<>();

        Future<Void> visit = store().visit("Item", Filter.ALL, object -> {
            seen.add(object.ref().key());
            throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, "too many");
        });

        assertThat(await(visit.transform(Future::succeededFuture)).cause()).hasMessage("too many");
        assertThat(seen).hasSize(1);
    }

    private List<String> visited(Filter filter) {
        List<String> keys = new CopyOnWriteArrayList<>();
        await(store().visit("Item", filter, object -> keys.add(object.ref().key())));
        return keys;
    }

    @Test
    void query_limitZeroOrSkipBeyondTheEnd_isEmpty() {
        put("a", new BsonDocument());

        assertThat(await(store().query(new StoreQuery("Item", Filter.ALL, SortOrder.BY_ID, 0, 0))))
                .isEmpty();
        assertThat(await(store().query(new StoreQuery(
                        "Item", Filter.ALL, sort("{n: 1}"), Long.MAX_VALUE, StoreQuery.UNLIMITED))))
                .isEmpty();
    }

    @Test
    void createIndex_again_declaresNothingNew() {
        IndexSpec keys =
                new IndexSpec(List.of(new IndexSpec.IndexedField("a", true), new IndexSpec.IndexedField("b", false)));

        await(store().createIndex("Item", keys));
        await(store().createIndex("Item", IndexSpec.ascending("a")));
        await(store().createIndex("Item", keys));

        assertThat(await(store().indexes("Item"))).containsExactly(keys, IndexSpec.ascending("a"));
        assertThat(await(store().indexes("Other"))).isEmpty();
    }

    @Test
    void dropIndex_declaredOrNot_isRemovedAndQueriesStillWork() {
        put("a", new BsonDocument("n", new BsonInt32(1)));
        await(store().createIndex("Item", IndexSpec.ascending("n")));

        await(store().dropIndex("Item", IndexSpec.ascending("n")));
        await(store().dropIndex("Item", IndexSpec.ascending("never")));

        assertThat(await(store().indexes("Item"))).isEmpty();
        assertThat(await(store().count("Item", filter("{n: 1}")))).isEqualTo(1);
    }

    @Test
    void dropIndex_andCreateItAgain_findsWhatChangedInBetween() {
        await(store().createIndex("Item", IndexSpec.ascending("n")));
        put("a", new BsonDocument("n", new BsonInt32(1)));
        await(store().dropIndex("Item", IndexSpec.ascending("n")));
        put("a", new BsonDocument("n", new BsonInt32(2)));

        await(store().createIndex("Item", IndexSpec.ascending("n")));

        assertThat(await(store().count("Item", filter("{n: 1}")))).isZero();
        assertThat(await(store().count("Item", filter("{n: 2}")))).isEqualTo(1);
    }

    @Test
    void truncate_indexedBucket_leavesTheIndexDeclaredAndEmpty() {
        await(store().createIndex("Item", IndexSpec.ascending("n")));
        put("a", new BsonDocument("n", new BsonInt32(1)));

        await(store().truncate("Item", deleted -> {}));

        assertThat(await(store().indexes("Item"))).containsExactly(IndexSpec.ascending("n"));
        assertThat(await(store().count("Item", filter("{n: 1}")))).isZero();
    }

    @Test
    void createIndex_whileObjectsAreWritten_missesNone() {
        int count = 3_000;
        awaitAll(IntStream.range(0, count)
                .mapToObj(i -> replace("k" + i, new BsonDocument("n", new BsonInt32(-1))))
                .toList());

        Future<Void> index = store().createIndex("Item", IndexSpec.ascending("n"));
        List<Future<?>> writes = new ArrayList<>();
        for (int i = 0; i < count; i += 3) {
            writes.add(replace("k" + i, new BsonDocument("n", new BsonInt32(i))));
            writes.add(store().delete(ref("k" + (i + 1)), Precondition.none(), Principal.SERVER));
        }
        awaitAll(writes);
        await(index);

        assertThat(await(store().count("Item", filter("{n: -1}")))).isEqualTo(count / 3);
        assertThat(await(store().count("Item", filter("{n: {$gte: 0}}")))).isEqualTo(count / 3);
        for (int i = 0; i < count; i += 300) {
            assertThat(await(store().count("Item", filter("{n: " + i + "}")))).isEqualTo(1);
        }
    }

    @Test
    void query_moreArrayElementsThanAnIndexHolds_isStillFound() {
        String numbers = IntStream.range(0, 3_000).boxed().toList().toString();
        await(store().createIndex("Item", IndexSpec.ascending("n")));
        put("big", BsonDocument.parse("{n: " + numbers + "}"));
        put("small", BsonDocument.parse("{n: [2999, 3000]}"));

        assertThat(await(store().count("Item", filter("{n: 2999}")))).isEqualTo(2);
        assertThat(await(store().count("Item", filter("{n: {$gt: 2999}}")))).isEqualTo(1);
    }

    /**
     * This applies with and without an index: the name of a field is no reason to refuse an object.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "7",
                "true",
                "''",
                "'klingon'",
                "'french'",
                "'de'",
                "'GERMAN'",
                "'Java 17'",
                "['de']",
                "{de: 1}"
            })
    void createTextIndex_anyLanguage_isFilledAndTakesFurtherObjects(String language) {
        BsonDocument item = BsonDocument.parse("{text: 'many houses', language: " + language + ", part: {language: "
                + language + ", text: 'some cats'}}");
        put("before", item);

        await(store().createIndex("Item", IndexSpec.TEXT));
        put("after", item);
        await(replace("before", item));

        assertThat(await(store().indexes("Item"))).containsExactly(IndexSpec.TEXT);
        for (String search : List.of("houses", "house", "cats", "cat")) {
            for (String asked : List.of("en", "de", "none")) {
                Filter filter = filter("{$text: {$search: '" + search + "', $language: '" + asked + "'}}");
                assertThat(await(store().count("Item", filter)))
                        .as("%s in %s", search, asked)
                        .isEqualTo(filter.matches(item) ? 2 : 0);
            }
        }
    }

    /** The words of its id, of the id of its class and of its readers do not count. */
    @Test
    void query_words_areThoseOfTheObjectItself() {
        await(store().createIndex("Item", IndexSpec.TEXT));
        BsonDocument shared = BsonDocument.parse("{text: 'tea', acl: {read: {'/db/User/coffee': 'allow'}, write: {}}}");
        put("coffee", shared);
        put("a", BsonDocument.parse("{text: 'coffee'}"));
        put("b", BsonDocument.parse("{text: 'coffee and cake', from: '/db/User/allow'}"));

        assertThat(found("coffee")).containsExactly("a", "b");
        assertThat(found("coffee -db")).containsExactly("a");
        assertThat(found("tea -coffee -item -allow")).containsExactly("coffee");
        assertThat(found("db allow")).containsExactly("b");
        assertThat(found("item read write")).isEmpty();
        assertThat(visited(words("coffee"))).containsExactlyInAnyOrder("a", "b");
    }

    /**
     * Most objects that the index finds do not match, so {@code start} and {@code count} refer to
     * the rest.
     */
    @Test
    void query_pageOfWords_isOfMatches() {
        await(store().createIndex("Item", IndexSpec.TEXT));
        awaitAll(IntStream.range(0, 600)
                .mapToObj(i -> store().insert(
                                ref("k" + i),
                                new BsonDocument("n", new BsonInt32(i))
                                        .append("t", new BsonString(i % 5 == 0 ? "the big cake" : "no cake is big"))))
                .toList());
        Filter filter = filter("{$text: {$search: '\"big cake\"'}, n: {$gte: 50}}");

        assertThat(await(store().query(new StoreQuery("Item", filter, sort("{n: -1}"), 3, 4))))
                .extracting(ObjectQueryContract::number)
                .containsExactly(580, 575, 570, 565);
        assertThat(await(store().query(new StoreQuery("Item", filter, sort("{n: 1}"), 100, 30))))
                .extracting(ObjectQueryContract::number)
                .containsExactly(550, 555, 560, 565, 570, 575, 580, 585, 590, 595);
        assertThat(await(store().query(new StoreQuery("Item", filter, SortOrder.BY_ID, 0, StoreQuery.UNLIMITED))))
                .hasSize(110);
        assertThat(await(store().count("Item", filter))).isEqualTo(110);
        assertThat(visited(filter)).hasSize(110);
    }

    @Test
    void query_wordsThatCameAndWent_areThoseThatAreThere() {
        await(store().createIndex("Item", IndexSpec.TEXT));
        put("a", text("coffee"));
        put("b", new BsonDocument("n", new BsonInt32(1)));
        await(replace("a", text("tea")));
        assertThat(found("coffee")).isEmpty();
        assertThat(found("tea")).containsExactly("a");

        await(store().dropIndex("Item", IndexSpec.TEXT));
        await(replace("a", text("water")));
        await(replace("b", text("tea")));
        assertThat(found("tea")).containsExactly("b");

        await(store().createIndex("Item", IndexSpec.TEXT));
        assertThat(found("tea")).containsExactly("b");
        assertThat(found("water")).containsExactly("a");
    }

    /** The words are more than an index has of one object. */
    @Test
    void query_wordsOfLongTexts_areFound() {
        await(store().createIndex("Item", IndexSpec.TEXT));
        String words = IntStream.range(0, 12_000).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
        put("long", text(words));
        put("short", text("w11999"));

        assertThat(found("w11999")).containsExactly("long", "short");
        assertThat(found("w12000")).isEmpty();
    }

    @Test
    void createTextIndex_whileObjectsAreWritten_missesNone() {
        int count = 900;
        awaitAll(IntStream.range(0, count)
                .mapToObj(i -> replace("k" + i, text("old")))
                .toList());

        Future<Void> index = store().createIndex("Item", IndexSpec.TEXT);
        awaitAll(IntStream.range(0, count / 2)
                .mapToObj(i -> replace("k" + 2 * i, text("new w" + i)))
                .toList());
        await(index);

        assertThat(await(store().count("Item", words("old")))).isEqualTo(count / 2);
        assertThat(await(store().count("Item", words("new")))).isEqualTo(count / 2);
        assertThat(found("w7")).containsExactly("k14");
    }

    private List<String> found(String search) {
        return await(store().query(StoreQuery.all("Item", words(search)))).stream()
                .map(object -> object.ref().key())
                .toList();
    }

    private static Filter words(String search) {
        return Filter.parse(new BsonDocument("$text", new BsonDocument("$search", new BsonString(search))));
    }

    private static BsonDocument text(String text) {
        return new BsonDocument("text", new BsonString(text));
    }

    /** Returns fixed seeds; the seed is the test's name. */
    static LongStream seeds() {
        return Scope.seeds(25);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void query_randomDocumentsFiltersAndIndexes_equalsTheOracle(long seed) {
        RandomData data = new RandomData(seed);
        Map<String, BsonDocument> oracle = new HashMap<>();
        await(store().createIndex("Item", data.index()));
        change(data, oracle, 80);
        await(store().createIndex("Item", data.index()));
        change(data, oracle, 60);

        for (int round = 0; round < 150; round++) {
            BsonDocument filter = data.filter();
            BsonDocument sort = data.sort();
            StoreQuery query = new StoreQuery(
                    "Item",
                    Filter.parse(filter),
                    SortOrder.parse(sort),
                    data.upTo(3),
                    round % 2 == 0 ? StoreQuery.UNLIMITED : data.upTo(10));

            assertThat(await(store().query(query)))
                    .as("filter %s sort %s", filter, sort)
                    .extracting(StoredObject::document)
                    .isEqualTo(answer(query, oracle.values()));
            assertThat(await(store().count("Item", query.filter())))
                    .isEqualTo(matches(query, oracle.values()).size());
        }
    }

    private void change(RandomData data, Map<String, BsonDocument> oracle, int times) {
        for (int i = 0; i < times; i++) {
            String key = "k" + data.upTo(40);
            if (data.upTo(5) == 0) {
                var unused = await(store().delete(ref(key), Precondition.none(), Principal.SERVER));
                oracle.remove(key);
            } else {
                oracle.put(key, await(replace(key, data.document())).document());
            }
        }
    }

    private static List<BsonDocument> answer(StoreQuery query, Collection<BsonDocument> documents) {
        return matches(query, documents).stream()
                .sorted(query.sort())
                .skip(query.skip())
                .limit(query.limit())
                .toList();
    }

    private static List<BsonDocument> matches(StoreQuery query, Collection<BsonDocument> documents) {
        return documents.stream().filter(query.filter()::matches).toList();
    }

    private void put(String key, BsonDocument fields) {
        await(replace(key, fields));
    }

    private Future<StoredObject> replace(String key, BsonDocument fields) {
        return store().replace(ref(key), fields, Precondition.none(), Principal.SERVER);
    }

    private static ObjectRef ref(String key) {
        return new ObjectRef("Item", key);
    }

    private static Filter filter(String json) {
        return Filter.parse(BsonDocument.parse(json));
    }

    private static SortOrder sort(String json) {
        return SortOrder.parse(BsonDocument.parse(json));
    }

    private static int number(StoredObject object) {
        return object.document().getInt32("n").getValue();
    }
}
