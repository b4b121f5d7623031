package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.mongodb.client.MongoCollection;
import io.invalidb.query.filter.Filter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexSpec;
import io.orestes.store.StoreQuery;
import io.orestes.support.process.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Documents of other programs are normal objects once they have been read. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@EachDeployment
final class ForeignDocumentNormalizerTest {

    private static final ObjectRef A = new ObjectRef("Item", "a");
    private static final ObjectId ID = new ObjectId("507f1f77bcf86cd799439011");
    private static final ObjectRef FOREIGN = new ObjectRef("Item", ID.toHexString());

    @RegisterExtension
    final MongoFixture server;

    private MongoObjectStore store;
    private MongoCollection<BsonDocument> items;

    ForeignDocumentNormalizerTest(Deployment deployment) {
        server = MongoFixture.shared(deployment);
    }

    @BeforeEach
    void open() {
        store = server.open();
        items = server.mongod().database().getCollection("Item", BsonDocument.class);
    }

    @Test
    void find_documentWithoutMetadata_isGivenThem() {
        insert("{_id: '/db/Item/a', n: 1}");

        StoredObject found = await(store.find(A)).orElseThrow();

        assertThat(found.version()).isEqualTo(1);
        assertThat(found.updatedAt()).isEqualTo(found.createdAt()).isPositive();
        assertThat(found.document().getInt32("n").getValue()).isEqualTo(1);
        assertThat(await(store.find(A))).contains(found);
        assertThat(stored("/db/Item/a").getInt64("version").getValue()).isEqualTo(1);
    }

    @Test
    void find_idOfMongo_isTheObjectWithThatKey() {
        items.insertOne(BsonDocument.parse("{n: 1}").append("_id", new BsonObjectId(ID)));

        StoredObject found = await(store.find(FOREIGN)).orElseThrow();

        assertThat(found.document().getString("_id").getValue()).isEqualTo("/db/Item/" + ID.toHexString());
        assertThat(found.version()).isEqualTo(1);
    }

    @Test
    void writes_idOfMongo_retainItAndCountVersions() {
        items.insertOne(BsonDocument.parse("{n: 1}").append("_id", new BsonObjectId(ID)));

        assertThat(replace(FOREIGN, 2).version()).isEqualTo(2);
        assertThat(replace(FOREIGN, 3).version()).isEqualTo(3);
        assertThat(failure(() -> await(store.insert(FOREIGN, n(4))))).isEqualTo(ErrorCode.OBJECT_EXISTS);
        assertThat(items.countDocuments()).isEqualTo(1);
        assertThat(items.countDocuments(BsonDocument.parse("{_id: {$type: 'objectId'}}")))
                .isEqualTo(1);

        assertThat(await(store.delete(FOREIGN, Precondition.none(), Principal.SERVER)))
                .isPresent();
        assertThat(items.countDocuments()).isZero();
    }

    /** No trace of its version remains, so it counts as deleted and inserted again. */
    @Test
    void find_anotherProgramReplacedTheDocumentWithoutMetadata_isAnotherLife() {
        StoredObject first = await(store.insert(A, n(1)));
        Waiting.until("the clock has moved on", () -> System.currentTimeMillis() > first.updatedAt());
        items.replaceOne(BsonDocument.parse("{_id: '/db/Item/a'}"), BsonDocument.parse("{n: 2}"));

        StoredObject found = await(store.find(A)).orElseThrow();

        assertThat(found.version()).isEqualTo(1);
        assertThat(found.createdAt()).isGreaterThan(first.createdAt());
        Precondition lastLife = new Precondition.ExactState(1, first.updatedAt());
        assertThat(failure(() -> await(store.replace(A, n(3), lastLife, Principal.SERVER))))
                .isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
    }

    @Test
    void update_documentWithoutMetadata_changesIt() {
        insert("{_id: '/db/Item/a', n: 1, other: 'kept'}");

        StoredObject updated = await(store.update(
                A, (state, time) -> with(state, 2), store.schemaEpoch("Item"), Precondition.none(), Principal.SERVER));

        assertThat(updated.version()).isEqualTo(2);
        assertThat(updated.document().getString("other").getValue()).isEqualTo("kept");
    }

    @Test
    void query_documentsOfAllKinds_hasThoseThatCanBeObjects() {
        await(store.insert(A, n(1)));
        insert("{_id: '/db/Item/b', n: 2, version: 'three'}");
        items.insertOne(BsonDocument.parse("{n: 3}").append("_id", new BsonObjectId(ID)));
        insert("{_id: {a: 1}, n: 4}");
        insert("{_id: 'plain', n: 5}");
        insert("{_id: '/db/Other/c', n: 6}");
        insert("{_id: '/db/Item/d', n: 7, acl: 'nonsense'}");

        List<StoredObject> found = await(store.query(all()));

        assertThat(found)
                .extracting(object -> object.document().getInt32("n").getValue())
                .containsExactlyInAnyOrder(1, 2, 3, 7);
        assertThat(found).allSatisfy(object -> assertThat(object.version()).isEqualTo(1));
        assertThat(store.skippedCount()).isEqualTo(3);
        assertThat(await(store.query(all()))).containsExactlyInAnyOrderElementsOf(found);
        List<StoredObject> visited = new ArrayList<>();
        await(store.visit("Item", Filter.ALL, visited::add));
        assertThat(visited).hasSize(4);
    }

    @Test
    void find_permissionsAreNonsense_isForAdminsOnly() {
        insert("{_id: '/db/Item/a', acl: {read: 'everybody'}}");

        StoredObject found = await(store.find(A)).orElseThrow();

        assertThat(found.acl().read().allowed()).containsExactly(Principal.ADMIN_ROLE);
        assertThat(found.document().getArray("_readAllowed")).containsExactly(new BsonString(Principal.ADMIN_ROLE));
    }

    @Test
    void find_objectHadALifeBefore_nextLifeIsLater() {
        long last = await(store.insert(A, n(1))).updatedAt();
        await(store.delete(A, Precondition.none(), Principal.SERVER));
        insert("{_id: '/db/Item/a', n: 2}");

        assertThat(await(store.find(A)).orElseThrow().createdAt()).isGreaterThan(last);
    }

    @Test
    void find_manyReadersAtOnce_agree() {
        MongoObjectStore other = server.open();
        for (int i = 0; i < 20; i++) {
            ObjectRef ref = new ObjectRef("Item", "k" + i);
            insert("{_id: '" + ref.id() + "', n: 1}");

            var reads = IntStream.range(0, 8)
                    .mapToObj(reader -> (reader % 2 == 0 ? store : other).find(ref))
                    .toList();
            awaitAll(reads);

            assertThat(reads.stream().map(read -> read.result().orElseThrow()).distinct())
                    .hasSize(1);
        }
    }

    @Test
    void find_valueIsTakenInAUniqueIndex_isReadNevertheless() {
        await(store.createIndex("Item", IndexSpec.ascending("n").asUnique()));
        await(store.insert(A, n(1)));
        insert("{_id: '/db/Item/b', n: 1}");
        insert("{_id: '/db/Item/c', n: 2}");

        assertThat(await(store.query(all()))).hasSize(3);
        assertThat(failure(() -> await(store.insert(new ObjectRef("Item", "d"), n(2)))))
                .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    @Test
    void scan_idsOfBothKinds_pagesAreInTheOrderOfIds() {
        Set<String> keys = Set.of("0", "4", "50", "5f", "9", "A", "a", "f", "g", "~", "ffffffffffffffffffffffffff");
        keys.forEach(key -> await(store.insert(new ObjectRef("Item", key), n(1))));
        List.of(
                        "000000000000000000000001",
                        "400000000000000000000000",
                        "5f0000000000000000000000",
                        "a00000000000000000000000",
                        "ffffffffffffffffffffffff")
                .forEach(id -> items.insertOne(
                        BsonDocument.parse("{n: 2}").append("_id", new BsonObjectId(new ObjectId(id)))));

        for (int limit = 1; limit < 5; limit++) {
            List<String> ids = new ArrayList<>();
            List<StoredObject> page = await(store.scan("Item", "", limit));
            while (!page.isEmpty()) {
                page.forEach(object -> ids.add(object.ref().id()));
                page = await(store.scan("Item", ids.get(ids.size() - 1), limit));
            }
            assertThat(ids).as("pages of " + limit).hasSize(16).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void truncate_documentsOfAllKinds_leavesNone() {
        await(store.insert(A, n(1)));
        insert("{_id: '/db/Item/b', n: 2}");
        insert("{_id: {a: 1}, n: 4}");
        items.insertOne(BsonDocument.parse("{n: 3}").append("_id", new BsonObjectId(ID)));
        List<String> gone = new ArrayList<>();

        await(store.truncate(
                "Item",
                deleted -> deleted.forEach(tombstone -> gone.add(tombstone.ref().key()))));

        assertThat(items.countDocuments()).isZero();
        assertThat(gone).containsExactlyInAnyOrder("a", "b", ID.toHexString());
    }

    @CanIgnoreReturnValue
    private StoredObject replace(ObjectRef ref, int number) {
        return await(store.replace(ref, n(number), Precondition.none(), Principal.SERVER));
    }

    private void insert(String json) {
        items.insertOne(BsonDocument.parse(json));
    }

    private BsonDocument stored(String id) {
        return Objects.requireNonNull(
                items.find(new BsonDocument("_id", new BsonString(id))).first());
    }

    private static ErrorCode failure(Runnable action) {
        try {
            action.run();
            throw new AssertionError("It succeeded");
        } catch (ApiException refused) {
            return refused.code();
        }
    }

    private static StoreQuery all() {
        return StoreQuery.all("Item", Filter.ALL);
    }

    private static BsonDocument with(BsonDocument state, int number) {
        BsonDocument copy = new BsonDocument();
        copy.putAll(state);
        return copy.append("n", new BsonInt32(number));
    }

    private static BsonDocument n(int number) {
        return new BsonDocument("n", new BsonInt32(number));
    }
}
