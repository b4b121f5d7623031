package io.orestes.store.embedded.task;

import io.orestes.model.ApiException;
import io.orestes.store.BucketFence;
import io.orestes.store.embedded.commit.CompletionBatch;
import io.orestes.store.embedded.commit.IncrementalTask;
import io.orestes.store.embedded.index.EmbeddedIndexCatalog;

/**
 * A task that drops a bucket: first its indexes, then its objects, some at each step. The indexes
 * include those that are being filled. The {@link BucketFence} refuses builds of an index of the
 * bucket from before the first step.
 */
public final class BucketDrop implements IncrementalTask {

    private final EmbeddedIndexCatalog catalog;
    private final String bucket;
    private final Runnable guard;
    private final TruncateTask objects;
    private boolean hasBegun;

    /** @param guard throws the reason if the drop must not continue */
    public BucketDrop(EmbeddedIndexCatalog catalog, String bucket, Runnable guard, TruncateTask objects) {
        this.catalog = catalog;
        this.bucket = bucket;
        this.guard = guard;
        this.objects = objects;
    }

    @Override
    public boolean step(CompletionBatch completionBatch) {
        guard.run();
        if (!hasBegun) {
            hasBegun = true;
            catalog.dropAll(bucket);
        }
        return objects.step(completionBatch);
    }

    @Override
    public void abort(ApiException reason, CompletionBatch completionBatch) {
        objects.abort(reason, completionBatch);
    }
}
