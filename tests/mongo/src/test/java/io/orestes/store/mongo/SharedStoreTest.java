package io.orestes.store.mongo;

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
import io.orestes.store.IndexSpec;
import io.orestes.store.StoreQuery;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.store.mongo.index.MongoIndexDefinition;
import io.orestes.support.process.Waiting;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two processes on the same objects, each of which receives the changes that it cannot see. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class SharedStoreTest {

    private static final IndexSpec PLAIN = IndexSpec.ascending("n");
    private static final IndexSpec UNIQUE = PLAIN.asUnique();
    private static final ObjectRef REF = new ObjectRef("Item", "a");

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private MongoObjectStore one;
    private MongoObjectStore other;

    @BeforeEach
    void open() {
        MongoConfig config = MongoConfig.at(FIXTURE.mongod().address());
        one = FIXTURE.openBesideOthers(config, InstantSource.system());
        other = FIXTURE.openBesideOthers(config, InstantSource.system());
        one.join(other::reloadIndexes);
        other.join(one::reloadIndexes);
    }

    @Test
    void createIndex_unique_appliesToWritesOfTheOtherProcess() {
        await(one.insert(REF, n(1)));
        await(one.createIndex("Item", UNIQUE));

        assertThat(failureOf(other.insert(new ObjectRef("Item", "b"), n(1))).code())
                .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(await(other.indexes("Item"))).containsExactly(UNIQUE);
    }

    /**
     * Writers that began before the declaration are waited for, so no value is missed while the
     * index is filled.
     */
    @Test
    void createIndex_unique_otherProcessWritesMeanwhile_leavesNoDuplicates() {
        List<Future<StoredObject>> writes = IntStream.range(0, 400)
                .mapToObj(i -> (i % 2 == 0 ? one : other).insert(new ObjectRef("Item", "r" + i), n(i / 2)))
                .toList();
        Future<Void> created = one.createIndex("Item", UNIQUE);
        List<Future<StoredObject>> later = IntStream.range(0, 400)
                .mapToObj(i -> (i % 2 == 0 ? one : other).insert(new ObjectRef("Item", "s" + i), n(1_000 + i / 2)))
                .toList();
        awaitAll(writes);
        awaitAll(later);

        assertThat(failureOf(created).code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(await(one.indexes("Item"))).isEmpty();
        assertThat(await(other.unfinishedIndexes("Item"))).isEmpty();
        assertThat(await(other.insert(new ObjectRef("Item", "free"), n(0))).version())
                .isEqualTo(1);
    }

    /**
     * Writers that know the declaration store unique values at once, before MongoDB has an index
     * that guards them.
     */
    @Test
    void createIndex_unique_duplicatesBeforeMongoGuardsIt_isRefusedAndDropped() {
        await(one.insert(REF, new BsonDocument()));
        declareOnly();
        await(one.reloadIndexes("Item"));
        await(one.insert(new ObjectRef("Item", "b"), n(1)));
        await(one.insert(new ObjectRef("Item", "c"), n(1)));

        ApiException refused = failureOf(one.createIndex("Item", UNIQUE));

        assertThat(refused.code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(refused).hasMessageMatching("Unique index violation on n by the object /db/Item/[bc]");
        assertThat(await(one.unfinishedIndexes("Item"))).isEmpty();
        assertThat(await(one.insert(new ObjectRef("Item", "d"), n(1))).version())
                .isEqualTo(1);
    }

    /** The process that declared it has ended. */
    @Test
    void resumeIndexBuilds_indexWasNotFilled_isFilledHere() {
        await(one.insert(REF, n(1)));
        declareOnly();
        assertThat(await(other.indexes("Item"))).isEmpty();

        other.resumeIndexBuilds();

        Waiting.until("the index is ready", () -> await(other.indexes("Item")).equals(List.of(UNIQUE)));
        assertThat(failureOf(one.insert(new ObjectRef("Item", "b"), n(1))).code())
                .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    /** It is unknown whether another process is filling it. */
    @Test
    void resumeIndexBuilds_indexIsBeingFilledByAnother_bothHaveOneIndex() {
        awaitAll(IntStream.range(0, 1_500)
                .mapToObj(i -> one.insert(new ObjectRef("Item", "k" + i), n(i)))
                .toList());
        Future<Void> created = one.createIndex("Item", UNIQUE);
        other.resumeIndexBuilds();

        await(created);

        Waiting.until("the index is ready", () -> await(other.indexes("Item")).equals(List.of(UNIQUE)));
        assertThat(failureOf(other.insert(REF, n(7))).code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(await(one.unfinishedIndexes("Item"))).isEmpty();
    }

    /** Declares an index like a process that dies right after. */
    private void declareOnly() {
        MongoIndexDefinition declared = new MongoIndexDefinition(new ObjectId(), "Item", UNIQUE, false, false);
        var unused = FIXTURE.mongod()
                .database()
                .getCollection("orestes-indexes", BsonDocument.class)
                .insertOne(declared.encode());
    }

    @Test
    void dropIndex_otherProcessDropsItToo() {
        await(one.createIndex("Item", UNIQUE));
        await(one.insert(REF, n(1)));

        await(other.dropIndex("Item", UNIQUE));

        assertThat(await(one.insert(new ObjectRef("Item", "b"), n(1))).version())
                .isEqualTo(1);
    }

    /** The drop is decided before the declaration, and reaches MongoDB after it. */
    @Test
    void dropIndex_otherProcessDeclaresItAgainMeanwhile_mongoHasIt() {
        await(one.insert(REF, n(1)));
        await(one.createIndex("Item", PLAIN));
        FIXTURE.mongod()
                .failCommands(
                        "{times: 1}", "{failCommands: ['dropIndexes'], blockConnection: true, blockTimeMS: 3000}");
        Future<Void> dropped = one.dropIndex("Item", PLAIN);
        Waiting.until("the index is dropped", () -> await(other.indexes("Item")).isEmpty());

        await(other.createIndex("Item", PLAIN));
        await(dropped);

        assertThat(await(one.indexes("Item"))).containsExactly(PLAIN);
        assertThat(patternsInMongo()).contains(new BsonDocument("n", new BsonInt32(1)).append("_id", new BsonInt32(1)));
    }

    private static List<BsonDocument> patternsInMongo() {
        List<BsonDocument> patterns = new ArrayList<>();
        FIXTURE.mongod()
                .database()
                .getCollection("Item")
                .listIndexes(BsonDocument.class)
                .forEach(index -> patterns.add(index.getDocument("key")));
        return patterns;
    }

    @Test
    void pause_writesUnderWay_areWaitedForAndLaterOnesRefused() {
        List<Future<StoredObject>> before = IntStream.range(0, 200)
                .mapToObj(i -> one.insert(new ObjectRef("Item", "k" + i), n(i)))
                .toList();

        await(one.pause(Set.of("Item")));

        List<StoredObject> written = await(other.query(all()));
        assertThat(failureOf(one.insert(REF, n(0))).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(await(one.insert(new ObjectRef("Other", "a"), n(0))).version())
                .isEqualTo(1);
        List<StoredObject> inserted = before.stream()
                .flatMap(insertion -> await(insertion.map(Optional::of).otherwise(Optional.empty())).stream())
                .toList();
        assertThat(inserted.stream().map(StoredObject::ref))
                .containsExactlyInAnyOrderElementsOf(
                        written.stream().map(StoredObject::ref).toList());
    }

    @Test
    void resume_earlierWrite_isRefused() {
        await(one.insert(REF, n(1)));
        long schemaEpoch = one.schemaEpoch("Item");
        await(one.pause(Set.of("Item")));
        Future<?> read = one.find(REF);

        await(one.resume(Set.of("Item"), Set.of()));

        assertThat(failureOf(one.replace(REF, n(2), schemaEpoch, Precondition.none(), Principal.SERVER))
                        .code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(await(read)).isNotNull();
        assertThat(await(one.replace(REF, n(2), Precondition.none(), Principal.SERVER))
                        .version())
                .isEqualTo(2);
    }

    @Test
    void resume_bucketIsDropped_earlierWriteFindsNoClass() {
        long schemaEpoch = one.schemaEpoch("Item");
        await(one.pause(Set.of("Item")));

        await(one.resume(Set.of("Item"), Set.of("Item")));

        assertThat(failureOf(one.insert(REF, n(1), schemaEpoch)).code()).isEqualTo(ErrorCode.BUCKET_NOT_FOUND);
    }

    private static StoreQuery all() {
        return new StoreQuery("Item", Filter.ALL, SortOrder.BY_ID, 0, 1_000);
    }

    private static BsonDocument n(int number) {
        return new BsonDocument("n", new BsonInt32(number));
    }
}
