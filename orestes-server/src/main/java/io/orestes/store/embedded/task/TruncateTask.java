package io.orestes.store.embedded.task;

import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.embedded.codec.StoredDocumentCodec;
import io.orestes.store.embedded.commit.CallerContextPromise;
import io.orestes.store.embedded.commit.CommitGroup;
import io.orestes.store.embedded.commit.CompletionBatch;
import io.orestes.store.embedded.commit.IncrementalTask;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.DatabaseSnapshot;
import io.orestes.store.embedded.database.KeyRange;
import io.orestes.store.embedded.database.RocksDatabase;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A task that deletes all objects of a bucket in the order of ids, some at each step. */
public final class TruncateTask implements IncrementalTask {

    private static final int OBJECTS_PER_STEP = 500;

    private final RocksDatabase rocksDatabase;
    private final Supplier<CommitGroup> groups;
    private final Consumer<List<Tombstone>> deleted;
    private final CallerContextPromise<Void> callerPromise;
    private KeyRange rest;

    /**
     * @param deleted receives the objects of each step, on the context of the promise and before
     *     its completion
     */
    public TruncateTask(
            RocksDatabase rocksDatabase,
            Supplier<CommitGroup> groups,
            String bucket,
            Consumer<List<Tombstone>> deleted,
            CallerContextPromise<Void> callerPromise) {
        this.rocksDatabase = rocksDatabase;
        this.groups = groups;
        this.deleted = deleted;
        this.callerPromise = callerPromise;
        this.rest = KeyRange.bucket(bucket);
    }

    @Override
    public boolean step(CompletionBatch completionBatch) {
        List<StoredObject> objects = next();
        try (CommitGroup commitGroup = groups.get()) {
            List<Tombstone> tombstones =
                    objects.stream().map(commitGroup::delete).toList();
            commitGroup.commit();
            completionBatch.add(callerPromise.context(), () -> deleted.accept(tombstones));
        }
        if (objects.size() < OBJECTS_PER_STEP) {
            completionBatch.add(callerPromise, Future.succeededFuture());
            return false;
        }
        return true;
    }

    @Override
    public void abort(ApiException reason, CompletionBatch completionBatch) {
        completionBatch.add(callerPromise, Future.failedFuture(reason));
    }

    private List<StoredObject> next() {
        List<StoredObject> objects = new ArrayList<>();
        try (DatabaseSnapshot databaseSnapshot = rocksDatabase.openSnapshot()) {
            databaseSnapshot.visit(ColumnFamily.OBJECTS, rest, (key, encoded) -> {
                rest = rest.after(key);
                objects.add(StoredDocumentCodec.object(StoredDocumentCodec.decode(encoded)));
                return objects.size() < OBJECTS_PER_STEP;
            });
        }
        return objects;
    }
}
