package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.mongodb.client.model.CreateCollectionOptions;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.Batch;
import io.orestes.store.IndexSpec;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Reads and insertions that arrive together share requests, and each write has the outcome that it
 * would have alone.
 */
final class RequestBatchingTest {

    private static final int MANY = 400;

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private MongoObjectStore store;
    /** A store of another process. */
    private MongoObjectStore other;

    @BeforeEach
    void open() {
        store = FIXTURE.open();
        other = FIXTURE.open();
    }

    @Test
    void insertions_areFewRequests() {
        long before = FIXTURE.mongod().commands("insert", "findAndModify", "find");

        List<StoredObject> inserted = inOneGo(i -> store.insert(ref(i), n(i)));

        assertThat(FIXTURE.mongod().commands("insert", "findAndModify", "find") - before)
                .isLessThan(MANY / 4);
        assertThat(await(store.scan("Item", "", MANY))).containsExactlyInAnyOrderElementsOf(inserted);
    }

    /** They cost the others a few additional transactions, not one each. */
    @Test
    void insertions_fewExistAlready_areFewTransactions() {
        Stream.of(3, 100, 200, 399).forEach(i -> await(other.insert(ref(i), n(-1))));
        long before = FIXTURE.mongod().commands("commitTransaction", "abortTransaction");

        List<Future<StoredObject>> writes = begin(i -> store.insert(ref(i), n(i)));
        awaitAll(writes);

        assertThat(FIXTURE.mongod().commands("commitTransaction", "abortTransaction") - before)
                .isLessThan(MANY / 4);
        assertThat(writes.stream().filter(Future::failed)).hasSize(4);
    }

    /** MongoDB writes these collections in no transaction, and deletes no single document there. */
    @Test
    void insertions_intoACappedCollection_areMadeAndDeletionsRefused() {
        FIXTURE.mongod()
                .database()
                .createCollection(
                        "Item", new CreateCollectionOptions().capped(true).sizeInBytes(1 << 20));

        List<StoredObject> inserted = inOneGo(i -> store.insert(ref(i), n(i)));
        Future<?> deletion = store.delete(ref(0), Precondition.none(), Principal.SERVER);
        awaitAll(List.of(deletion));

        assertThat(await(other.scan("Item", "", MANY))).containsExactlyInAnyOrderElementsOf(inserted);
        assertThat(code(deletion)).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void insertions_oneIsTooLarge_isRefusedAndNoOther() {
        BsonDocument large = new BsonDocument("text", new BsonString("x".repeat(16 << 20)));

        List<Future<StoredObject>> writes = begin(i -> store.insert(ref(i), i == 7 ? large : n(i)));
        awaitAll(writes);

        assertThat(writes.stream().filter(Future::failed)).containsExactly(writes.get(7));
        assertThat(code(writes.get(7))).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
        assertThat(await(other.scan("Item", "", MANY))).hasSize(MANY - 1);
    }

    @Test
    void replacements_ofWhatWasJustWritten_areOneCommandEachAndReadNothing() {
        inOneGo(i -> store.insert(ref(i), n(i)));
        long writes = FIXTURE.mongod().commands("update", "findAndModify");
        long reads = FIXTURE.mongod().reads();

        List<StoredObject> replaced = inOneGo(i -> replace(store, i, -i));

        assertThat(FIXTURE.mongod().commands("update", "findAndModify") - writes)
                .isEqualTo(MANY);
        assertThat(FIXTURE.mongod().reads() - reads).isZero();
        assertThat(replaced).allSatisfy(object -> assertThat(object.version()).isEqualTo(2));
        assertThat(await(store.scan("Item", "", MANY))).containsExactlyInAnyOrderElementsOf(replaced);
    }

    @Test
    void deletions_areMadeOnceEach() {
        inOneGo(i -> store.insert(ref(i), n(i)));

        List<Optional<Tombstone>> deleted = inOneGo(i -> store.delete(ref(i), Precondition.none(), Principal.SERVER));

        assertThat(deleted)
                .allSatisfy(tombstone ->
                        assertThat(tombstone.orElseThrow().stamp().version()).isEqualTo(2));
        assertThat(await(store.scan("Item", "", MANY))).isEmpty();
    }

    @Test
    void insertions_ambiguousAtTheNumberOfAnIndex_areRefusedAndNoOthers() {
        await(store.createIndex("Item", IndexSpec.ascending("list.0")));
        BsonDocument ambiguous = BsonDocument.parse("{list: [{'0': 1}]}");

        List<Future<StoredObject>> inserted = IntStream.range(0, MANY)
                .mapToObj(i -> store.insert(ref(i), i % 10 == 0 ? ambiguous : n(i)))
                .toList();
        awaitAll(inserted);

        for (int i = 0; i < MANY; i++) {
            Future<StoredObject> one = inserted.get(i);
            if (i % 10 == 0) {
                assertThat(((ApiException) one.cause()).code()).isEqualTo(ErrorCode.BAD_REQUEST);
            } else {
                assertThat(one.succeeded()).isTrue();
            }
        }
        assertThat(await(store.scan("Item", "", MANY))).hasSize(MANY * 9 / 10);
    }

    @Test
    void reads_areFewRequests() {
        List<StoredObject> inserted = inOneGo(i -> store.insert(ref(i), n(i)));
        long before = FIXTURE.mongod().commands("find");

        List<Optional<StoredObject>> found = inOneGo(i -> store.find(ref(2 * i)));

        assertThat(FIXTURE.mongod().commands("find") - before).isLessThan(MANY / 4);
        assertThat(found.subList(0, MANY / 2))
                .allSatisfy(object -> assertThat(inserted).contains(object.orElseThrow()));
        assertThat(found.subList(MANY / 2, MANY))
                .allSatisfy(object -> assertThat(object).isEmpty());
    }

    @Test
    void findAll_ofOneClass_isOneRequest() {
        List<StoredObject> inserted = inOneGo(i -> store.insert(ref(i), n(i))).subList(100, 300);
        List<ObjectRef> refs = inserted.stream().map(StoredObject::ref).toList();
        long reads = FIXTURE.mongod().reads();

        Map<ObjectRef, StoredObject> found = await(store.findAll(refs));

        assertThat(found.values()).containsExactlyInAnyOrderElementsOf(inserted);
        assertThat(FIXTURE.mongod().reads() - reads).isEqualTo(1);
    }

    @Test
    void insertions_someExistAlready_onlyThoseFail() {
        List<ObjectRef> there =
                Stream.of(3, 50, 99).map(RequestBatchingTest::ref).toList();
        there.forEach(ref -> await(other.insert(ref, n(-1))));

        List<Future<StoredObject>> writes = begin(i -> store.insert(ref(i), n(i)));
        awaitAll(writes);

        for (int i = 0; i < MANY; i++) {
            if (there.contains(ref(i))) {
                assertThat(code(writes.get(i))).isEqualTo(ErrorCode.OBJECT_EXISTS);
                assertThat(await(store.find(ref(i)))
                                .orElseThrow()
                                .document()
                                .getInt32("n")
                                .getValue())
                        .isEqualTo(-1);
            } else {
                assertThat(await(store.find(ref(i)))).contains(writes.get(i).result());
            }
        }
    }

    @Test
    void insertions_oneIsTooLarge_onlyThatFails() {
        BsonDocument large = n(0).append("text", new BsonString("x".repeat(17 << 20)));

        List<Future<StoredObject>> writes = begin(i -> store.insert(ref(i), i == 9 ? large : n(i)));
        awaitAll(writes);

        assertThat(writes.stream().filter(Future::failed)).containsExactly(writes.get(9));
        assertThat(code(writes.get(9))).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
        assertThat(await(store.scan("Item", "", MANY))).hasSize(MANY - 1);
    }

    @Test
    void insertions_twoHaveOneUniqueValue_oneFailsAndIsNamed() {
        await(store.createIndex("Item", IndexSpec.ascending("n").asUnique()));

        List<Future<StoredObject>> writes = begin(i -> store.insert(ref(i), n(i == 7 ? 8 : i)));
        awaitAll(writes);

        List<Future<StoredObject>> failed =
                writes.stream().filter(Future::failed).toList();
        assertThat(failed).hasSize(1);
        assertThat(code(failed.get(0))).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(failed.get(0).cause()).message().matches(".*\\bn\\b.*/db/Item/000[78]");
        assertThat(await(store.scan("Item", "", MANY))).hasSize(MANY - 1);
    }

    @Test
    void replacements_someWereWrittenByAnotherProcess_followThose() {
        inOneGo(i -> store.insert(ref(i), n(i)));
        await(replace(other, 5, 500));
        await(other.delete(ref(6), Precondition.none(), Principal.SERVER));
        StoredObject reborn = await(other.insert(ref(6), n(600)));
        await(replace(other, 7, 700));
        await(replace(other, 7, 701));
        await(other.delete(ref(8), Precondition.none(), Principal.SERVER));

        List<StoredObject> replaced = inOneGo(i -> replace(store, i, -i));

        assertThat(replaced.get(4).version()).isEqualTo(2);
        assertThat(replaced.get(5).version()).isEqualTo(3);
        assertThat(replaced.get(6).version()).isEqualTo(2);
        assertThat(replaced.get(6).createdAt()).isEqualTo(reborn.createdAt());
        assertThat(replaced.get(7).version()).isEqualTo(4);
        assertThat(replaced.get(8).version()).isEqualTo(1);
        assertThat(await(store.scan("Item", "", MANY))).containsExactlyInAnyOrderElementsOf(replaced);
    }

    @Test
    void replace_anotherProcessWroteSince_isComparedWithWhatIsThere() {
        await(store.insert(ref(1), n(1)));
        await(replace(other, 1, 2));

        Future<StoredObject> current = store.replace(ref(1), n(3), new Precondition.ExactVersion(2), Principal.SERVER);
        awaitAll(List.of(current));
        await(replace(other, 1, 4));
        Future<StoredObject> outdated = store.replace(ref(1), n(5), new Precondition.ExactVersion(3), Principal.SERVER);
        awaitAll(List.of(outdated));

        assertThat(current.result().version()).isEqualTo(3);
        assertThat(code(outdated)).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
    }

    @Test
    void replace_anotherProcessDeletedSince_insertsIntoALaterLife() {
        StoredObject first = await(store.insert(ref(1), n(1)));
        await(other.delete(ref(1), Precondition.none(), Principal.SERVER));

        StoredObject second = await(replace(store, 1, 2));

        assertThat(second.version()).isEqualTo(1);
        assertThat(second.createdAt()).isGreaterThan(first.updatedAt());
    }

    @Test
    void commit_manyWrites_areFewRequests() {
        inOneGo(i -> store.insert(ref(i), n(i)));
        long schemaEpoch = store.schemaEpoch("Item");
        Batch batch = new Batch(
                List.of(),
                IntStream.range(0, 2 * MANY)
                        .<Batch.StoreOperation>mapToObj(i -> i % 5 == 0
                                ? new Batch.DeleteOperation(ref(i), schemaEpoch, Precondition.none())
                                : new Batch.ReplaceOperation(ref(i), n(-i), schemaEpoch, Precondition.none()))
                        .toList(),
                Principal.SERVER);
        long before = FIXTURE.mongod().commands("insert", "update", "delete", "findAndModify", "find");

        assertThat(await(store.commit(batch))).hasSize(2 * MANY - MANY / 5);

        assertThat(FIXTURE.mongod().commands("insert", "update", "delete", "findAndModify", "find") - before)
                .isLessThan(MANY);
        assertThat(await(store.scan("Item", "", 2 * MANY))).hasSize(2 * MANY * 4 / 5);
    }

    private static Future<StoredObject> replace(MongoObjectStore store, int i, int number) {
        return store.replace(ref(i), n(number), Precondition.none(), Principal.SERVER);
    }

    private interface Call<T> {
        Future<T> of(int number);
    }

    private static <T> List<Future<T>> begin(Call<T> call) {
        return IntStream.range(0, MANY).mapToObj(call::of).toList();
    }

    @CanIgnoreReturnValue
    private static <T> List<T> inOneGo(Call<T> call) {
        return await(Future.all(begin(call))).list();
    }

    private static ErrorCode code(Future<?> failed) {
        return ((ApiException) failed.cause()).code();
    }

    private static ObjectRef ref(int number) {
        return new ObjectRef("Item", "%04d".formatted(number));
    }

    private static BsonDocument n(int number) {
        return new BsonDocument("n", new BsonInt32(number));
    }
}
