package io.orestes.store.embedded.task;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexSpec;
import io.orestes.store.embedded.codec.StoredDocumentCodec;
import io.orestes.store.embedded.commit.CallerContextPromise;
import io.orestes.store.embedded.commit.CompletionBatch;
import io.orestes.store.embedded.commit.IncrementalTask;
import io.orestes.store.embedded.database.ChangeSet;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.DatabaseSnapshot;
import io.orestes.store.embedded.database.RocksDatabase;
import io.orestes.store.embedded.index.EmbeddedIndexCatalog;
import io.orestes.store.embedded.index.EmbeddedIndexDefinition;
import io.orestes.store.embedded.index.IndexDelta;
import io.orestes.store.embedded.index.UniqueConstraintChecker;
import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that declares an index and fills it in bounded steps, or resumes an interrupted build.
 * Each step reads some objects and adds their entries before any further write can change them.
 * Writes in between maintain the entries themselves. Two builds of one index take turns. A machine
 * that stops loses recent entries only together with the record of progress. So only the last step
 * waits for the disk.
 */
public final class IndexBuild implements IncrementalTask {

    private static final Logger LOG = LoggerFactory.getLogger(IndexBuild.class);

    private static final int OBJECTS_PER_STEP = 200;

    /**
     * Maximum bytes of objects per step: large objects take longer, and all writes wait for the
     * step.
     */
    private static final int BYTES_PER_STEP = 256 * 1024;

    private final RocksDatabase rocksDatabase;
    private final EmbeddedIndexCatalog catalog;
    private final String bucket;
    private final IndexSpec keys;
    private final CallerContextPromise<Void> callerPromise;
    private @Nullable EmbeddedIndexDefinition index;

    public IndexBuild(
            RocksDatabase rocksDatabase,
            EmbeddedIndexCatalog catalog,
            String bucket,
            IndexSpec keys,
            CallerContextPromise<Void> callerPromise) {
        this.rocksDatabase = rocksDatabase;
        this.catalog = catalog;
        this.bucket = bucket;
        this.keys = keys;
        this.callerPromise = callerPromise;
    }

    @Override
    public boolean step(CompletionBatch completionBatch) {
        EmbeddedIndexDefinition current = current();
        if (!current.isReady() && fillSomeOrDrop(current)) {
            return true;
        }
        if (!current.isReady()) {
            catalog.publish(current);
        }
        completionBatch.add(callerPromise, Future.succeededFuture());
        return false;
    }

    @Override
    public void abort(ApiException reason, CompletionBatch completionBatch) {
        completionBatch.add(callerPromise, Future.failedFuture(reason));
    }

    private EmbeddedIndexDefinition current() {
        Optional<EmbeddedIndexDefinition> declared = catalog.find(bucket, keys);
        if (index == null) {
            index = declared.orElseGet(() -> catalog.declare(bucket, keys));
        }
        int number = index.number();
        return declared.or(() -> catalog.find(bucket, keys))
                .filter(known -> known.number() == number)
                .orElseThrow(() -> new ApiException(ErrorCode.UNAVAILABLE, "The index was dropped while it was built"));
    }

    /** Fills some entries. Drops an index that cannot be unique, because it would refuse writes. */
    private boolean fillSomeOrDrop(EmbeddedIndexDefinition index) {
        try {
            return fillSome(index);
        } catch (ApiException e) {
            if (!e.code().isServerFault()) {
                catalog.drop(index);
                LOG.info("The index of {} on {} is impossible: {}", bucket, keys, e.code());
            }
            throw e;
        }
    }

    private boolean fillSome(EmbeddedIndexDefinition index) {
        Filling filling = new Filling(index);
        try (DatabaseSnapshot databaseSnapshot = rocksDatabase.openSnapshot();
                ChangeSet changeSet = rocksDatabase.newChangeSet()) {
            boolean isFull = databaseSnapshot.visit(
                    ColumnFamily.OBJECTS,
                    catalog.remainingObjects(index),
                    (key, encoded) -> filling.add(key, encoded, changeSet));
            filling.apply(changeSet);
            return !isFull;
        }
    }

    /** The entries of one step. */
    private final class Filling {

        private final EmbeddedIndexDefinition index;
        private final UniqueConstraintChecker uniqueConstraintChecker = new UniqueConstraintChecker(rocksDatabase);
        private byte[] last = {};
        private int objects;
        private int bytes;

        private Filling(EmbeddedIndexDefinition index) {
            this.index = index;
        }

        private boolean add(byte[] key, byte[] encoded, ChangeSet changeSet) {
            IndexDelta entries = new IndexDelta();
            StoredObject object = StoredDocumentCodec.object(StoredDocumentCodec.decode(encoded));
            entries.move(index, null, index, object);
            entries.addTo(changeSet, uniqueConstraintChecker, object.ref().id());
            last = key;
            objects++;
            bytes += encoded.length;
            return objects < OBJECTS_PER_STEP && bytes < BYTES_PER_STEP;
        }

        private void apply(ChangeSet changeSet) {
            if (objects > 0) {
                catalog.recordProgress(index, last, changeSet);
                rocksDatabase.commitUnsynced(changeSet);
                catalog.confirmProgress(index, last);
            }
        }
    }
}
