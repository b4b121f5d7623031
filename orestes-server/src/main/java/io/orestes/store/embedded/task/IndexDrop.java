package io.orestes.store.embedded.task;

import io.orestes.model.ApiException;
import io.orestes.store.IndexSpec;
import io.orestes.store.embedded.commit.CallerContextPromise;
import io.orestes.store.embedded.commit.CompletionBatch;
import io.orestes.store.embedded.commit.IncrementalTask;
import io.orestes.store.embedded.index.EmbeddedIndexCatalog;
import io.vertx.core.Future;

/** A task that removes an index with all its entries in one step, whatever its size. */
public final class IndexDrop implements IncrementalTask {

    private final EmbeddedIndexCatalog catalog;
    private final String bucket;
    private final IndexSpec keys;
    private final CallerContextPromise<Void> callerPromise;

    public IndexDrop(
            EmbeddedIndexCatalog catalog, String bucket, IndexSpec keys, CallerContextPromise<Void> callerPromise) {
        this.catalog = catalog;
        this.bucket = bucket;
        this.keys = keys;
        this.callerPromise = callerPromise;
    }

    @Override
    public boolean step(CompletionBatch completionBatch) {
        catalog.find(bucket, keys).ifPresent(catalog::drop);
        completionBatch.add(callerPromise, Future.succeededFuture());
        return false;
    }

    @Override
    public void abort(ApiException reason, CompletionBatch completionBatch) {
        completionBatch.add(callerPromise, Future.failedFuture(reason));
    }
}
