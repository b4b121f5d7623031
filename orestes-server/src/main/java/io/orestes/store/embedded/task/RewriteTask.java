package io.orestes.store.embedded.task;

import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.orestes.store.BucketFence;
import io.orestes.store.DocumentRewrite;
import io.orestes.store.embedded.codec.PreEncodedObject;
import io.orestes.store.embedded.codec.StoredDocumentCodec;
import io.orestes.store.embedded.commit.CallerContextPromise;
import io.orestes.store.embedded.commit.CompletionBatch;
import io.orestes.store.embedded.commit.IncrementalTask;
import io.orestes.store.embedded.database.ChangeSet;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.DatabaseSnapshot;
import io.orestes.store.embedded.database.KeyRange;
import io.orestes.store.embedded.database.RocksDatabase;
import io.orestes.store.embedded.index.EmbeddedIndexCatalog;
import io.orestes.store.embedded.index.IndexDelta;
import io.orestes.store.embedded.index.IndexRewrite;
import io.orestes.store.embedded.index.UniqueConstraintChecker;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.bson.BsonDocument;

/**
 * A task that transforms the objects of some buckets to a new schema, together with their index
 * entries. Each step transforms some objects, in the order of their ids. The definitions of indexes
 * follow when all objects of their bucket have changed. The {@link BucketFence} of the buckets
 * stays closed all the while, so nothing else changes them. A bucket is made durable as a whole,
 * because waiting for the disk after each step took most of the time. What is lost when the machine
 * stops is rewritten again.
 */
public final class RewriteTask implements IncrementalTask {

    private static final int OBJECTS_PER_STEP = 200;

    private final RocksDatabase rocksDatabase;
    private final EmbeddedIndexCatalog catalog;
    private final InstantSource clock;
    private final CallerContextPromise<Void> callerPromise;
    private final Queue<BucketProgress> buckets = new ArrayDeque<>();

    public RewriteTask(
            RocksDatabase rocksDatabase,
            EmbeddedIndexCatalog catalog,
            InstantSource clock,
            Map<String, DocumentRewrite> rewrites,
            CallerContextPromise<Void> callerPromise) {
        this.rocksDatabase = rocksDatabase;
        this.catalog = catalog;
        this.clock = clock;
        this.callerPromise = callerPromise;
        rewrites.forEach((bucket, documentRewrite) -> buckets.add(new BucketProgress(bucket, documentRewrite)));
    }

    @Override
    public boolean step(CompletionBatch completionBatch) {
        BucketProgress bucket = buckets.peek();
        if (bucket != null && !bucket.rewriteSome()) {
            buckets.remove();
        }
        if (buckets.isEmpty()) {
            completionBatch.add(callerPromise, Future.succeededFuture());
        }
        return !buckets.isEmpty();
    }

    @Override
    public void abort(ApiException reason, CompletionBatch completionBatch) {
        completionBatch.add(callerPromise, Future.failedFuture(reason));
    }

    /** One bucket and the progress of its rewrite. */
    private final class BucketProgress {

        private final String name;
        private final DocumentRewrite documentRewrite;
        private final List<IndexRewrite> indexes = new ArrayList<>();
        private KeyRange rest;
        private boolean hasBegun;

        private BucketProgress(String name, DocumentRewrite documentRewrite) {
            this.name = name;
            this.documentRewrite = documentRewrite;
            this.rest = KeyRange.bucket(name);
        }

        private boolean rewriteSome() {
            begin();
            Step step = new Step(this);
            try (DatabaseSnapshot databaseSnapshot = rocksDatabase.openSnapshot();
                    ChangeSet changeSet = rocksDatabase.newChangeSet()) {
                boolean isFull = databaseSnapshot.visit(
                        ColumnFamily.OBJECTS, rest, (key, encoded) -> step.rewrite(key, encoded, changeSet));
                rocksDatabase.commitUnsynced(changeSet);
                if (isFull) {
                    rocksDatabase.sync();
                    catalog.replace(indexes);
                }
                return !isFull;
            }
        }

        /**
         * Drops indexes that are not ready, because part of their entries would be for the old
         * paths. Their builds fail because the index was dropped.
         */
        private void begin() {
            if (!hasBegun) {
                hasBegun = true;
                catalog.dropUnready(name);
                catalog.ready(name)
                        .forEach(index -> indexes.add(new IndexRewrite(index, index.withPaths(documentRewrite::path))));
            }
        }
    }

    /** The objects of one step. */
    private final class Step {

        private final BucketProgress bucket;
        private final UniqueConstraintChecker uniqueConstraintChecker = new UniqueConstraintChecker(rocksDatabase);
        private int objects;

        private Step(BucketProgress bucket) {
            this.bucket = bucket;
        }

        private boolean rewrite(byte[] key, byte[] encoded, ChangeSet changeSet) {
            BsonDocument stored = StoredDocumentCodec.decode(encoded);
            BsonDocument fields = bucket.documentRewrite.fields(stored);
            if (!fields.equals(stored)) {
                put(key, StoredDocumentCodec.object(stored), fields, changeSet);
            }
            bucket.rest = bucket.rest.after(key);
            objects++;
            return objects < OBJECTS_PER_STEP;
        }

        private void put(byte[] key, StoredObject before, BsonDocument fields, ChangeSet changeSet) {
            PreEncodedObject preEncodedObject = new PreEncodedObject(before.ref(), fields);
            long now = Math.max(clock.millis(), before.updatedAt() + 1);
            StoredObject after = preEncodedObject.complete(before.version() + 1, before.createdAt(), now);
            IndexDelta entries = new IndexDelta();
            bucket.indexes.forEach(index -> index.add(before, after, entries));
            entries.addTo(changeSet, uniqueConstraintChecker, before.ref().id());
            changeSet.put(ColumnFamily.OBJECTS, key, preEncodedObject.encoded());
        }
    }
}
