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
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;

/**
 * Contract of every {@link ObjectStore} for the rewriting of objects. To be extended as
 * {@link ObjectStoreContract} is.
 */
public abstract class DocumentRewriteContract {

    protected static final Map<String, DocumentRewrite> RENAMED = Map.of("Item", new Renaming("old", "new"));

    private static final Principal ALICE = new Principal(Set.of("/db/User/alice"), false);

    protected abstract ObjectStore store();

    @Test
    void rewrite_objectsOfTheBucket_haveTheNewFormAndANewVersion() {
        StoredObject before = await(insert("a", "{old: 1, other: 2}"));
        StoredObject untouched = await(insert("b", "{other: 2}"));

        await(store().rewrite(RENAMED, () -> {}));

        StoredObject after = await(store().find(ref("a"))).orElseThrow();
        assertThat(after.document().getInt32("new").getValue()).isEqualTo(1);
        assertThat(after.document().containsKey("old")).isFalse();
        assertThat(after.version()).isEqualTo(before.version() + 1);
        assertThat(after.createdAt()).isEqualTo(before.createdAt());
        assertThat(after.updatedAt()).isGreaterThan(before.updatedAt());
        assertThat(await(store().find(ref("b")))).contains(untouched);
    }

    @Test
    void rewrite_otherBuckets_stay() {
        ObjectRef other = new ObjectRef("Other", "a");
        StoredObject before = await(store().insert(other, BsonDocument.parse("{old: 1}")));

        await(store().rewrite(RENAMED, () -> {}));

        assertThat(await(store().find(other))).contains(before);
    }

    @Test
    void rewrite_objectWithAcl_keepsItsReadersAndWriters() {
        await(insert("a", "{old: 1, acl: {read: {'/db/User/alice': 'allow'}, write: {'/db/User/alice': 'allow'}}}"));

        await(store().rewrite(RENAMED, () -> {}));

        StoredObject after = await(store().find(ref("a"))).orElseThrow();
        assertThat(after.acl().read().permits(ALICE)).isTrue();
        assertThat(after.acl().write().permits(Principal.ANONYMOUS)).isFalse();
        assertThat(await(store().count("Item", Filter.parse(BsonDocument.parse("{_readAllowed: '/db/User/alice'}")))))
                .isEqualTo(1);
    }

    @Test
    void rewrite_again_changesNothing() {
        await(insert("a", "{old: 1}"));
        await(store().rewrite(RENAMED, () -> {}));
        StoredObject once = await(store().find(ref("a"))).orElseThrow();

        await(store().rewrite(RENAMED, () -> {}));

        assertThat(await(store().find(ref("a")))).contains(once);
    }

    @Test
    void rewrite_indexedField_isFoundByTheIndexUnderItsNewName() {
        await(store().createIndex("Item", IndexSpec.ascending("old")));
        IntStream.range(0, 1_000).forEach(i -> await(insert("k" + i, "{old: " + i + "}")));

        await(store().rewrite(RENAMED, () -> {}));

        assertThat(await(store().indexes("Item"))).containsExactly(IndexSpec.ascending("new"));
        assertThat(await(store().count("Item", number("new", 7)))).isEqualTo(1);
        assertThat(await(store().count("Item", number("old", 7)))).isZero();
        await(store().replace(ref("k7"), BsonDocument.parse("{new: 5000}"), Precondition.none(), Principal.SERVER));
        assertThat(await(store().count("Item", number("new", 7)))).isZero();
        assertThat(await(store().count("Item", number("new", 5000)))).isEqualTo(1);
    }

    @Test
    void rewrite_uniqueIndex_holdsUnderTheNewName() {
        await(store().createIndex("Item", IndexSpec.ascending("old").asUnique()));
        await(insert("a", "{old: 1}"));

        await(store().rewrite(RENAMED, () -> {}));

        assertThat(failureOf(insert("b", "{new: 1}")).code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        await(store().delete(ref("a"), Precondition.none(), Principal.SERVER));
        assertThat(await(insert("b", "{new: 1}")).version()).isEqualTo(1);
    }

    @Test
    void rewrite_readsMeanwhile_seeAllObjectsInTheNewFormAfterDone() {
        IntStream.range(0, 2_000).forEach(i -> await(insert("k" + i, "{old: 1}")));
        AtomicBoolean done = new AtomicBoolean();

        Future<Void> rewriting = store().rewrite(RENAMED, () -> done.set(true));
        Future<Long> inNewForm = store().count("Item", number("new", 1));
        Future<Boolean> found = store().find(ref("k1999")).map(object -> done.get());

        assertThat(await(inNewForm)).isEqualTo(2_000);
        assertThat(await(found)).isTrue();
        await(rewriting);
    }

    @Test
    void whenOpen_whileRewritten_writesAfterwardsInTheNewForm() {
        awaitAll(IntStream.range(0, 2_000)
                .mapToObj(i -> insert("k" + i, "{old: 0}"))
                .toList());
        AtomicBoolean done = new AtomicBoolean();

        Future<Void> rewriting = store().rewrite(RENAMED, () -> done.set(true));
        Future<StoredObject> written = store().runFenced(Set.of("Item"), () -> {
            String field = done.get() ? "new" : "old";
            return store().replace(
                            ref("k7"),
                            BsonDocument.parse("{" + field + ": 7}"),
                            store().schemaEpoch("Item"),
                            Precondition.none(),
                            Principal.SERVER);
        });

        assertThat(await(written).document().getInt32("new").getValue()).isEqualTo(7);
        await(rewriting);
        assertThat(await(store().count("Item", number("new", 7)))).isEqualTo(1);
    }

    /**
     * No write is lost: each was either committed before, so that its value is moved, or is refused
     * and can be repeated.
     */
    @Test
    void rewrite_writesMeanwhile_areRefusedOrMoveAlong() {
        awaitAll(IntStream.range(0, 3_000)
                .mapToObj(i -> insert("k" + i, "{old: 0}"))
                .toList());
        Map<String, Integer> newest = new HashMap<>();

        long old = store().schemaEpoch("Item");
        Future<Void> rewriting = store().rewrite(RENAMED, () -> {});
        for (int i = 1; !rewriting.isComplete() || i < 1_000; i++) {
            String key = "k" + i % 50;
            Future<StoredObject> write = store().replace(
                            ref(key),
                            BsonDocument.parse("{old: " + i + "}"),
                            old,
                            Precondition.none(),
                            Principal.SERVER);
            awaitAll(List.of(write));
            if (write.succeeded()) {
                newest.put(key, i);
            }
        }
        await(rewriting);

        newest.forEach((key, value) -> assertThat(
                        await(store().find(ref(key))).orElseThrow().document().get("new"))
                .as(key)
                .isEqualTo(new BsonInt32(value)));
        assertThat(await(store().count("Item", Filter.parse(BsonDocument.parse("{new: {$gte: 0}}")))))
                .isEqualTo(3_000);
    }

    @Test
    void rewrite_afterOneThatFailedInTheMiddle_completesItAndOpensTheBucket() {
        IntStream.range(0, 1_000).forEach(i -> await(insert("k" + i, "{old: 1}")));
        AtomicInteger left = new AtomicInteger(700);
        DocumentRewrite breaking = new FailingRewrite(new Renaming("old", "new"), left);

        assertThat(failureOf(store().rewrite(Map.of("Item", breaking), () -> {})))
                .isNotNull();
        assertThat(failureOf(store().find(ref("k1")))).isNotNull();
        await(store().rewrite(RENAMED, () -> {}));

        assertThat(await(store().count("Item", number("new", 1)))).isEqualTo(1_000);
        assertThat(await(insert("a", "{new: 1}")).version()).isEqualTo(1);
    }

    @Test
    void replace_madeForTheOldFormButLate_isRefused() {
        long old = store().schemaEpoch("Item");
        await(store().rewrite(RENAMED, () -> {}));
        BsonDocument fields = BsonDocument.parse("{other: 1}");

        assertThat(failureOf(store().insert(ref("a"), fields, old)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failureOf(store().replace(ref("a"), fields, old, Precondition.none(), Principal.SERVER))
                        .code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(await(store().find(ref("a")))).isEmpty();
    }

    /** This allows immediate writes to a class that is created again with the old names. */
    @Test
    void insert_madeForTheNewFormWithOldNames_isTaken() {
        await(store().rewrite(RENAMED, () -> {}));

        StoredObject inserted =
                await(store().insert(ref("a"), BsonDocument.parse("{old: 1}"), store().schemaEpoch("Item")));

        assertThat(inserted.version()).isEqualTo(1);
    }

    /**
     * The schema is published by then. A writer with the new schema and the old epoch is refused,
     * never the other way round.
     */
    @Test
    void schemaEpoch_whileRewritingIsDone_isStillTheOldOne() {
        long old = store().schemaEpoch("Item");
        AtomicLong atTheEnd = new AtomicLong(-1);

        await(store().rewrite(RENAMED, () -> atTheEnd.set(store().schemaEpoch("Item"))));

        assertThat(atTheEnd).hasValue(old);
        assertThat(store().schemaEpoch("Item")).isNotEqualTo(old);
        assertThat(store().schemaEpoch("Other")).isEqualTo(store().schemaEpoch("Another"));
    }

    private Future<StoredObject> insert(String key, String fields) {
        return store().insert(ref(key), BsonDocument.parse(fields));
    }

    private static ObjectRef ref(String key) {
        return new ObjectRef("Item", key);
    }

    private static Filter number(String path, int value) {
        return Filter.parse(new BsonDocument(path, new BsonInt32(value)));
    }

    /** A rewrite that fails after this number of objects. */
    private record FailingRewrite(DocumentRewrite target, AtomicInteger left) implements DocumentRewrite {

        @Override
        public BsonDocument fields(BsonDocument stored) {
            if (left.getAndDecrement() == 0) {
                throw new ApiException(ErrorCode.UNAVAILABLE, "The disk is full");
            }
            return target.fields(stored);
        }

        @Override
        public String path(String indexed) {
            return target.path(indexed);
        }
    }

    /** A rewrite that renames one field. */
    protected record Renaming(String from, String to) implements DocumentRewrite {

        @Override
        public BsonDocument fields(BsonDocument stored) {
            if (!stored.containsKey(from)) {
                return stored;
            }
            BsonDocument renamed = stored.clone();
            renamed.put(to, Objects.requireNonNull(renamed.remove(from)));
            return renamed;
        }

        @Override
        public String path(String indexed) {
            return indexed.equals(from) ? to : indexed;
        }
    }
}
