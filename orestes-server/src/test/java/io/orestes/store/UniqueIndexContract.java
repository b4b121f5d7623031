package io.orestes.store;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.support.Scope;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Contract of every {@link ObjectStore} for unique indexes. To be extended as
 * {@link ObjectStoreContract} is.
 */
public abstract class UniqueIndexContract {

    private static final IndexSpec NAME = IndexSpec.ascending("name").asUnique();
    private static final IndexSpec NAME_AND_AGE = new IndexSpec(
            List.of(new IndexSpec.IndexedField("name", true), new IndexSpec.IndexedField("age", false)), true);

    protected abstract ObjectStore store();

    @Test
    void insert_valueOfAnotherObject_isRefusedAndChangesNothing() {
        await(store().createIndex("Item", NAME));
        await(insert("a", "{name: 'x'}"));

        ApiException failure = failureOf(insert("b", "{name: 'x'}"));

        assertThat(failure.code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(failure.message()).startsWith("Unique index violation").endsWith("/db/Item/b");
        assertThat(await(store().find(ref("b")))).isEmpty();
        assertThat(await(store().count("Item", filter("{name: 'x'}")))).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{name: null}", "{name: []}", "{name: [null]}"})
    void insert_unsetValues_neverCollide(String fields) {
        await(store().createIndex("Item", NAME));

        await(insert("a", fields));
        await(insert("b", fields));

        assertThat(await(store().count("Item", Filter.ALL))).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 | 1.0",
                "0 | -0.0",
                "1 | {$numberDecimal: '1.00'}",
                "[1, 2] | 2",
                "[[1]] | [[1.0], 7]",
                "{x: 1, y: [2]} | {x: 1.0, y: [2]}"
            })
    void insert_valuesThatQueriesCallEqual_collide(String pair) {
        await(store().createIndex("Item", NAME));
        String[] values = pair.split(" \\| ", 2);
        await(insert("a", "{name: " + values[0] + "}"));

        assertThat(failureOf(insert("b", "{name: " + values[1] + "}")).code())
                .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 | '1'",
                "9007199254740992 | 9007199254740993",
                "{x: 1, y: 2} | {y: 2, x: 1}",
                "[1, 2] | [3, 4]",
                "[[1]] | 1",
                "'a' | 'A'"
            })
    void insert_valuesThatQueriesDistinguish_doNotCollide(String pair) {
        await(store().createIndex("Item", NAME));
        String[] values = pair.split(" \\| ", 2);

        await(insert("a", "{name: " + values[0] + "}"));
        await(insert("b", "{name: " + values[1] + "}"));

        assertThat(await(store().count("Item", Filter.ALL))).isEqualTo(2);
    }

    @Test
    void insert_longTextsThatDifferAtTheEnd_doNotCollide() {
        await(store().createIndex("Item", NAME));

        await(insert("a", "{name: '" + "x".repeat(5_000) + "a'}"));
        await(insert("b", "{name: '" + "x".repeat(5_000) + "b'}"));

        assertThat(failureOf(insert("c", "{name: '" + "x".repeat(5_000) + "b'}"))
                        .code())
                .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    @Test
    void insert_elementsOfAnArray_countOneByOneButNotWithinTheirObject() {
        await(store().createIndex("Item", IndexSpec.ascending("tags.name").asUnique()));
        await(insert("a", "{tags: [{name: 'x'}, {name: 'x'}, {name: 'y'}]}"));

        assertThat(failureOf(insert("b", "{tags: {name: 'y'}}")).code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(await(insert("c", "{tags: [{name: 'z'}]}")).version()).isEqualTo(1);
    }

    @Test
    void insert_compoundIndex_collidesOnlyWhereAllValuesAreSetAndEqual() {
        await(store().createIndex("Item", NAME_AND_AGE));
        await(insert("a", "{name: 'x', age: 1}"));
        await(insert("b", "{name: 'x', age: 2}"));
        await(insert("c", "{name: 'x'}"));
        await(insert("d", "{name: 'x'}"));

        assertThat(failureOf(insert("e", "{name: 'x', age: 2}")).code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    @Test
    void replace_sameValue_isNoCollisionWithItself() {
        await(store().createIndex("Item", NAME));
        await(insert("a", "{name: 'x'}"));

        assertThat(await(replace("a", "{name: 'x', age: 2}")).version()).isEqualTo(2);
    }

    @Test
    void replace_otherValue_freesTheOldOneAndTakesTheNewOne() {
        await(store().createIndex("Item", NAME));
        await(insert("a", "{name: 'x'}"));
        await(replace("a", "{name: 'y'}"));

        await(insert("b", "{name: 'x'}"));

        assertThat(failureOf(replace("b", "{name: 'y'}")).code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(await(store().find(ref("b"))).orElseThrow().version()).isEqualTo(1);
    }

    @Test
    void deleteAndTruncate_freeTheirValues() {
        await(store().createIndex("Item", NAME));
        await(insert("a", "{name: 'x'}"));
        await(delete("a"));
        await(insert("b", "{name: 'x'}"));
        await(store().truncate("Item", deleted -> {}));

        assertThat(await(insert("c", "{name: 'x'}")).version()).isEqualTo(1);
    }

    @Test
    void insert_manyOfOneValueAtOnce_oneSucceeds() {
        await(store().createIndex("Item", NAME));

        List<Future<StoredObject>> inserts = IntStream.range(0, 50)
                .mapToObj(i -> insert("k" + i, "{name: 'x'}"))
                .toList();
        awaitAll(inserts);

        assertThat(inserts.stream().filter(Future::succeeded)).hasSize(1);
        assertThat(await(store().count("Item", Filter.ALL))).isEqualTo(1);
    }

    @Test
    void deleteAndInsert_underWayTogether_handTheValueOver() {
        await(store().createIndex("Item", NAME));
        await(insert("a", "{name: 'x'}"));

        Future<?> gone = delete("a");
        Future<StoredObject> next = gone.compose(done -> insert("b", "{name: 'x'}"));

        assertThat(await(next).version()).isEqualTo(1);
    }

    @Test
    void createIndex_overDuplicates_failsAndLeavesNothing() {
        IntStream.range(0, 500).forEach(i -> await(insert("k" + i, "{name: " + i + "}")));
        await(insert("twin", "{name: 499}"));

        ApiException failure = failureOf(store().createIndex("Item", NAME));

        assertThat(failure.code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(await(store().indexes("Item"))).isEmpty();
        assertThat(await(insert("triplet", "{name: 499}")).version()).isEqualTo(1);
        assertThat(await(store().count("Item", filter("{name: 499}")))).isEqualTo(3);
    }

    @Test
    void createIndex_overDistinctValues_holdsForThemAfterwards() {
        IntStream.range(0, 500).forEach(i -> await(insert("k" + i, "{name: " + i + "}")));
        await(store().createIndex("Item", NAME));

        assertThat(failureOf(insert("twin", "{name: 499}")).code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(await(store().indexes("Item"))).containsExactly(NAME);
    }

    @Test
    void createIndex_besideAPlainOneWithTheSameKeys_bothAreThere() {
        await(store().createIndex("Item", NAME.asPlain()));
        await(store().createIndex("Item", NAME));

        assertThat(await(store().indexes("Item"))).containsExactly(NAME.asPlain(), NAME);
    }

    @Test
    void dropIndex_unique_allowsDuplicatesAgain() {
        await(store().createIndex("Item", NAME));
        await(insert("a", "{name: 'x'}"));

        await(store().dropIndex("Item", NAME));

        assertThat(await(insert("b", "{name: 'x'}")).version()).isEqualTo(1);
    }

    /** Returns fixed seeds; the seed is the test's name. */
    static LongStream seeds() {
        return Scope.seeds(30);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void randomWrites_oneAfterTheOther_equalTheModel(long seed) {
        Random random = new Random(seed);
        Map<String, BsonDocument> model = new HashMap<>();
        await(store().createIndex("Item", NAME_AND_AGE));

        for (int i = 0; i < 120; i++) {
            String key = "k" + random.nextInt(8);
            if (random.nextInt(4) == 0) {
                await(delete(key));
                model.remove(key);
            } else {
                BsonDocument fields = fields(random);
                boolean collides = model.entrySet().stream()
                        .anyMatch(other -> !other.getKey().equals(key) && collide(other.getValue(), fields));
                Future<StoredObject> write = replace(key, fields.toJson());
                awaitAll(List.of(write));
                assertThat(write.failed()).as("%s %s", key, fields).isEqualTo(collides);
                model.compute(key, (same, before) -> collides ? before : fields);
            }
        }
        assertThat(await(store().count("Item", Filter.ALL))).isEqualTo(model.size());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void randomWrites_allAtOnce_leaveNoTwoObjectsThatCollide(long seed) {
        Random random = new Random(seed);
        await(store().createIndex("Item", NAME_AND_AGE));

        List<Future<?>> writes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String key = "k" + random.nextInt(12);
            writes.add(
                    random.nextInt(4) == 0
                            ? delete(key)
                            : replace(key, fields(random).toJson()));
        }
        awaitAll(writes);

        List<StoredObject> left = await(store().query(StoreQuery.all("Item", Filter.ALL)));
        assertThat(left).allSatisfy(one -> assertThat(left)
                .filteredOn(other -> !other.ref().equals(one.ref()))
                .noneMatch(other -> collide(one.document(), other.document())));
        left.forEach(object -> await(replace(object.ref().key(), "{}")));
        left.forEach(
                object -> await(replace(object.ref().key(), object.document().toJson())));
    }

    /** Returns fields with so few values that collisions are frequent. */
    private static BsonDocument fields(Random random) {
        List<String> names = List.of("'x'", "'y'", "1", "1.0", "null", "['x', 'z']", "[]");
        List<String> ages = List.of("1", "1.0", "2", "null");
        return BsonDocument.parse("{name: " + names.get(random.nextInt(names.size())) + ", age: "
                + ages.get(random.nextInt(ages.size())) + "}");
    }

    private static boolean collide(BsonDocument one, BsonDocument other) {
        return places(one).anyMatch(place -> places(other).anyMatch(place::equals));
    }

    private static Stream<String> places(BsonDocument document) {
        return values(document.get("name", BsonNull.VALUE))
                .flatMap(name -> values(document.get("age", BsonNull.VALUE)).map(age -> name + "/" + age));
    }

    private static Stream<String> values(BsonValue value) {
        if (value.isArray()) {
            return value.asArray().stream().flatMap(UniqueIndexContract::values);
        }
        if (value.isNull()) {
            return Stream.empty();
        }
        return Stream.of(value.isNumber() ? "" + value.asNumber().doubleValue() : value.toString());
    }

    private Future<StoredObject> insert(String key, String fields) {
        return store().insert(ref(key), BsonDocument.parse(fields));
    }

    private Future<StoredObject> replace(String key, String fields) {
        return store().replace(ref(key), BsonDocument.parse(fields), Precondition.none(), Principal.SERVER);
    }

    private Future<?> delete(String key) {
        return store().delete(ref(key), Precondition.none(), Principal.SERVER);
    }

    private static ObjectRef ref(String key) {
        return new ObjectRef("Item", key);
    }

    private static Filter filter(String json) {
        return Filter.parse(BsonDocument.parse(json));
    }
}
