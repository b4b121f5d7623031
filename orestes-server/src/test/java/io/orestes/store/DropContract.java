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
import io.orestes.model.Tombstone;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;

/**
 * Contract of every {@link ObjectStore} for the removal of a bucket. To be extended as
 * {@link ObjectStoreContract} is.
 */
public abstract class DropContract {

    private static final ObjectRef REF = ref("a");
    private static final BsonDocument FIELDS = BsonDocument.parse("{n: 1}");

    protected abstract ObjectStore store();

    @Test
    void drop_bucket_deletesItsObjectsWithTheirIndexesAndNothingElse() {
        awaitAll(insertMany(1_200));
        ObjectRef other = new ObjectRef("Items", "a");
        StoredObject kept = await(store().insert(other, FIELDS));
        await(store().createIndex("Item", IndexSpec.ascending("n").asUnique()));
        await(store().createIndex("Items", IndexSpec.ascending("n")));
        List<Tombstone> tombstones = new ArrayList<>();

        await(store().drop("Item", tombstones::addAll));

        assertThat(tombstones).hasSize(1_200).extracting(Tombstone::ref).doesNotHaveDuplicates();
        assertThat(await(store().count("Item", Filter.ALL))).isZero();
        assertThat(await(store().indexes("Item"))).isEmpty();
        assertThat(await(store().find(other))).contains(kept);
        assertThat(await(store().indexes("Items"))).hasSize(1);
    }

    /** The caller may have lost the right to drop; the rest may be another one's. */
    @Test
    void drop_guardThrowsInTheMiddle_leavesTheRest() {
        awaitAll(insertMany(3_000));
        await(store().createIndex("Item", IndexSpec.ascending("n")));
        List<Tombstone> tombstones = new CopyOnWriteArrayList<>();
        AtomicInteger asked = new AtomicInteger();

        Future<Void> drop = store().drop(
                        "Item",
                        () -> {
                            // MongoDB calls the guard once for the index, three times per part
                            if (asked.incrementAndGet() == 5) {
                                throw new ApiException(ErrorCode.UNAVAILABLE, "Another server has the lock");
                            }
                        },
                        tombstones::addAll);

        assertThat(failureOf(drop).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(tombstones).hasSizeBetween(500, 2_500);
        assertThat(await(store().count("Item", Filter.ALL))).isEqualTo(3_000 - tombstones.size());
    }

    @Test
    void drop_guardThrowsAtOnce_leavesAll() {
        awaitAll(insertMany(3));
        await(store().createIndex("Item", IndexSpec.ascending("n")));

        Future<Void> drop = store().drop(
                        "Item",
                        () -> {
                            throw new ApiException(ErrorCode.UNAVAILABLE, "Another server has the lock");
                        },
                        deleted -> {});

        assertThat(failureOf(drop).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(await(store().count("Item", Filter.ALL))).isEqualTo(3);
        assertThat(await(store().indexes("Item"))).hasSize(1);
    }

    @Test
    void write_decidedBeforeTheDrop_isRefusedAsOfAnUnknownBucket() {
        await(store().insert(REF, FIELDS));
        long old = store().schemaEpoch("Item");
        await(store().drop("Item", deleted -> {}));
        StoredObject reborn = await(store().insert(REF, FIELDS, store().schemaEpoch("Item")));

        assertUnknown(store().insert(ref("b"), FIELDS, old));
        assertUnknown(store().replace(REF, FIELDS, old, Precondition.none(), Principal.SERVER));
        assertUnknown(store().delete(REF, old, Precondition.none(), Principal.SERVER));
        assertUnknown(store().truncate("Item", old, deleted -> {}));
        assertUnknown(store().createIndex("Item", IndexSpec.ascending("n"), old));
        assertThat(await(store().scan("Item", "", 10))).containsExactly(reborn);
        assertThat(await(store().indexes("Item"))).isEmpty();
    }

    @Test
    void delete_decidedBeforeARewriting_isDone() {
        await(store().insert(REF, FIELDS));
        long old = store().schemaEpoch("Item");
        await(store().rewrite(Map.of("Item", new IdentityRewrite()), () -> {}));

        assertThat(await(store().delete(REF, old, Precondition.none(), Principal.SERVER)))
                .isPresent();
    }

    @Test
    void write_decidedBeforeARewritingAndADrop_isRefusedAsOfAnUnknownBucket() {
        long old = store().schemaEpoch("Item");
        await(store().rewrite(Map.of("Item", new IdentityRewrite()), () -> {}));
        await(store().drop("Item", deleted -> {}));
        long reborn = store().schemaEpoch("Item");
        await(store().rewrite(Map.of("Item", new IdentityRewrite()), () -> {}));

        assertUnknown(store().insert(REF, FIELDS, old));
        assertThat(failureOf(store().insert(REF, FIELDS, reborn)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void drop_writesMeanwhile_leavesNothingOfThem() {
        long old = store().schemaEpoch("Item");
        List<Future<StoredObject>> before = insertMany(2_000);
        Future<Void> drop = store().drop("Item", deleted -> {});
        List<Future<StoredObject>> late = IntStream.range(0, 2_000)
                .mapToObj(i -> store().insert(ref("late" + i), FIELDS, old))
                .toList();

        awaitAll(before);
        awaitAll(late);
        await(drop);

        assertThat(late).allSatisfy(DropContract::assertUnknown);
        assertThat(await(store().count("Item", Filter.ALL))).isZero();
    }

    @Test
    void drop_whileAnIndexIsFilledAndTheBucketTruncated_givesBothUp() {
        awaitAll(insertMany(3_000));
        Future<Void> index = store().createIndex("Item", IndexSpec.ascending("n"));
        Future<Void> truncation = store().truncate("Item", deleted -> {});

        await(store().drop("Item", deleted -> {}));

        assertUnknown(index);
        assertUnknown(truncation);
        assertThat(await(store().indexes("Item"))).isEmpty();
        await(store().insert(REF, FIELDS));
        await(store().createIndex("Item", IndexSpec.ascending("n")));
        assertThat(await(store().count("Item", Filter.parse(FIELDS)))).isEqualTo(1);
    }

    @Test
    void drop_uniqueIndexThatIsBeingFilled_refusesNoWriteAfterwards() {
        awaitAll(insertMany(3_000));
        Future<Void> index =
                store().createIndex("Item", IndexSpec.ascending("n").asUnique());

        await(store().drop("Item", deleted -> {}));

        assertUnknown(index);
        await(store().insert(ref("b"), FIELDS));
        assertThat(await(store().insert(REF, FIELDS)).version()).isEqualTo(1);
    }

    private List<Future<StoredObject>> insertMany(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> store().insert(ref("k" + i), new BsonDocument("n", new BsonInt32(i))))
                .toList();
    }

    private static void assertUnknown(Future<?> late) {
        assertThat(failureOf(late).code()).isEqualTo(ErrorCode.BUCKET_NOT_FOUND);
    }

    private static ObjectRef ref(String key) {
        return new ObjectRef("Item", key);
    }

    /** A rewrite after which objects equal those before. */
    private record IdentityRewrite() implements DocumentRewrite {

        @Override
        public BsonDocument fields(BsonDocument stored) {
            return stored;
        }

        @Override
        public String path(String indexed) {
            return indexed;
        }
    }
}
