package io.orestes.store.embedded.task;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexSpec;
import io.orestes.store.WriteGuard;
import io.orestes.store.embedded.codec.PreEncodedObject;
import io.orestes.store.embedded.commit.CallerContextPromise;
import io.orestes.store.embedded.commit.CommitGroup;
import io.orestes.store.embedded.commit.CompletionBatch;
import io.orestes.store.embedded.commit.DeleteMutation;
import io.orestes.store.embedded.commit.PutMutation;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.DatabaseSnapshot;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.orestes.store.embedded.database.KeyRange;
import io.orestes.store.embedded.database.RocksDatabase;
import io.orestes.store.embedded.index.EmbeddedIndexCatalog;
import io.orestes.store.embedded.index.EmbeddedIndexDefinition;
import io.orestes.store.embedded.index.IndexEntries;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** A unique index that is filled while objects change, step by step as by the committer. */
final class IndexBuildTest {

    private static final int OBJECTS = 700;
    private static final IndexSpec NUMBER = IndexSpec.ascending("n").asUnique();

    private final Vertx vertx = Vertx.vertx();
    private final RocksDatabase rocksDatabase;
    private final EmbeddedIndexCatalog catalog;

    IndexBuildTest(@TempDir Path folder) throws RocksDBException {
        rocksDatabase = RocksDatabase.open(folder, EmbeddedStoreConfig.at(folder), true);
        catalog = EmbeddedIndexCatalog.load(rocksDatabase);
    }

    @BeforeEach
    void fill() {
        IntStream.range(0, OBJECTS).forEach(i -> put(key(i), i));
    }

    @AfterEach
    void tearDown() {
        rocksDatabase.close();
        await(vertx.close());
    }

    @Test
    void step_objectAheadGivesUpTheValueOfOneBehind_itStaysClaimed() {
        put(key(OBJECTS - 1), 0);
        IndexBuild build = begun();

        put(key(OBJECTS - 1), -1);
        finish(build);

        assertThat(refusal("other", 0)).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    @Test
    void step_objectAheadIsDeletedThatHasTheValueOfOneBehind_itStaysClaimed() {
        put(key(OBJECTS - 1), 0);
        IndexBuild build = begun();

        delete(key(OBJECTS - 1));
        finish(build);

        assertThat(refusal("other", 0)).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    @Test
    void step_objectBehindGivesItsValueToOneAhead_thatHoldsIt() {
        IndexBuild build = begun();

        put(key(0), -1);
        put(key(OBJECTS - 1), 0);
        finish(build);

        assertThat(refusal("other", 0)).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(refusal("other", -1)).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        put("other", OBJECTS - 1);
    }

    @Test
    void load_processEndedDuringTheBuild_theNextGoesOnWhereItWas() {
        IndexBuild cutShort = begun();
        put(key(0), -1);

        EmbeddedIndexCatalog next = EmbeddedIndexCatalog.load(rocksDatabase);
        EmbeddedIndexDefinition index = next.unready().get(0);
        double progress = next.progress(index);
        IndexBuild build =
                new IndexBuild(rocksDatabase, next, "Item", NUMBER, CallerContextPromise.forCurrentContext(vertx));
        int steps = 1;
        while (build.step(new CompletionBatch())) {
            steps++;
        }

        assertThat(cutShort.step(new CompletionBatch())).isTrue();
        assertThat(progress).isBetween(0.01, 0.99);
        assertThat(steps).isEqualTo(3);
        assertThat(next.unready()).isEmpty();
        assertThat(EmbeddedIndexCatalog.load(rocksDatabase).ready("Item"))
                .extracting(EmbeddedIndexDefinition::spec)
                .containsExactly(NUMBER);
        assertThat(entries()).isEqualTo(OBJECTS);
    }

    /** Returns the number of entries of the index, without claims. */
    private int entries() {
        List<byte[]> found = new ArrayList<>();
        try (DatabaseSnapshot databaseSnapshot = rocksDatabase.openSnapshot()) {
            KeyRange sole = KeyRange.prefix(new byte[] {0, 0, 0, 1, IndexEntries.SINGLE_ENTRY});
            databaseSnapshot.visit(ColumnFamily.INDEXES, sole, (key, value) -> found.add(key));
        }
        return found.size();
    }

    private IndexBuild begun() {
        IndexBuild build =
                new IndexBuild(rocksDatabase, catalog, "Item", NUMBER, CallerContextPromise.forCurrentContext(vertx));
        assertThat(build.step(new CompletionBatch())).isTrue();
        return build;
    }

    private static void finish(IndexBuild build) {
        boolean hasMore = true;
        while (hasMore) {
            hasMore = build.step(new CompletionBatch());
        }
    }

    private ErrorCode refusal(String key, int n) {
        return catchThrowableOfType(ApiException.class, () -> put(key, n)).code();
    }

    private void put(String key, int n) {
        PreEncodedObject preEncodedObject = new PreEncodedObject(ref(key), new BsonDocument("n", new BsonInt32(n)));
        WriteGuard guard = WriteGuard.permitted(Precondition.none(), Principal.SERVER);
        try (CommitGroup commitGroup = group()) {
            StoredObject stored = new PutMutation(
                            preEncodedObject, guard, CallerContextPromise.forCurrentContext(vertx))
                    .apply(commitGroup);
            commitGroup.commit();
            assertThat(stored.ref()).isEqualTo(ref(key));
        }
    }

    private void delete(String key) {
        WriteGuard guard = WriteGuard.permitted(Precondition.none(), Principal.SERVER);
        try (CommitGroup commitGroup = group()) {
            assertThat(new DeleteMutation(ref(key), guard, CallerContextPromise.forCurrentContext(vertx))
                            .apply(commitGroup))
                    .isPresent();
            commitGroup.commit();
        }
    }

    private CommitGroup group() {
        return new CommitGroup(rocksDatabase, catalog, InstantSource.system());
    }

    /** Returns a key that sorts as its number. */
    private static String key(int number) {
        return "k" + (1_000 + number);
    }

    private static ObjectRef ref(String key) {
        return new ObjectRef("Item", key);
    }
}
