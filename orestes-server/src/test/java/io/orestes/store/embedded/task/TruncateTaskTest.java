package io.orestes.store.embedded.task;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.WriteGuard;
import io.orestes.store.embedded.codec.PreEncodedObject;
import io.orestes.store.embedded.codec.StoredDocumentCodec;
import io.orestes.store.embedded.commit.CallerContextPromise;
import io.orestes.store.embedded.commit.CommitGroup;
import io.orestes.store.embedded.commit.CompletionBatch;
import io.orestes.store.embedded.commit.PutMutation;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.DatabaseSnapshot;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.orestes.store.embedded.database.KeyRange;
import io.orestes.store.embedded.database.RocksDatabase;
import io.orestes.store.embedded.index.EmbeddedIndexCatalog;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** A truncation whose second step fails, step by step as by the committer. */
final class TruncateTaskTest {

    private static final int OBJECTS = 700;

    private final Vertx vertx = Vertx.vertx();
    private final RocksDatabase rocksDatabase;
    private final EmbeddedIndexCatalog catalog;
    private int steps;

    TruncateTaskTest(@TempDir Path folder) throws RocksDBException {
        rocksDatabase = RocksDatabase.open(folder, EmbeddedStoreConfig.at(folder), true);
        catalog = EmbeddedIndexCatalog.load(rocksDatabase);
        try (CommitGroup commitGroup = group()) {
            IntStream.range(0, OBJECTS).forEach(i -> put(commitGroup, "k" + i));
            commitGroup.commit();
        }
    }

    @AfterEach
    void tearDown() {
        rocksDatabase.close();
        await(vertx.close());
    }

    @Test
    void step_laterOneFails_reportsExactlyTheDeletedObjectsAndThenTheFailure() {
        List<Tombstone> deleted = new ArrayList<>();
        CallerContextPromise<Void> callerPromise = CallerContextPromise.forCurrentContext(vertx);
        TruncateTask truncateTask =
                new TruncateTask(rocksDatabase, this::firstGroupOnly, "Todo", deleted::addAll, callerPromise);

        run(truncateTask);

        assertThat(failureOf(callerPromise.future()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(deleted).isNotEmpty().hasSizeLessThan(OBJECTS);
        assertThat(Stream.concat(deleted.stream().map(Tombstone::ref), remaining().stream()))
                .hasSize(OBJECTS)
                .doesNotHaveDuplicates();
    }

    private static void run(TruncateTask truncateTask) {
        CompletionBatch completionBatch = new CompletionBatch();
        try {
            boolean hasMore = true;
            while (hasMore) {
                hasMore = truncateTask.step(completionBatch);
            }
        } catch (ApiException failure) {
            truncateTask.abort(failure, completionBatch);
        }
        completionBatch.deliver();
    }

    private CommitGroup firstGroupOnly() {
        if (steps++ > 0) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "The disk is full");
        }
        return group();
    }

    private CommitGroup group() {
        return new CommitGroup(rocksDatabase, catalog, InstantSource.system());
    }

    private void put(CommitGroup commitGroup, String key) {
        CallerContextPromise<StoredObject> callerPromise = CallerContextPromise.forCurrentContext(vertx);
        PreEncodedObject preEncodedObject = new PreEncodedObject(new ObjectRef("Todo", key), new BsonDocument());
        assertThat(new PutMutation(preEncodedObject, WriteGuard.absent(), callerPromise)
                        .apply(commitGroup)
                        .version())
                .isEqualTo(1);
    }

    private List<ObjectRef> remaining() {
        List<ObjectRef> refs = new ArrayList<>();
        try (DatabaseSnapshot databaseSnapshot = rocksDatabase.openSnapshot()) {
            boolean all = databaseSnapshot.visit(ColumnFamily.OBJECTS, KeyRange.bucket("Todo"), (key, encoded) -> {
                refs.add(StoredDocumentCodec.object(StoredDocumentCodec.decode(encoded))
                        .ref());
                return true;
            });
            assertThat(all).isTrue();
        }
        return refs;
    }
}
