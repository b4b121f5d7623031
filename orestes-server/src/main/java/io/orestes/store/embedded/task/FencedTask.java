package io.orestes.store.embedded.task;

import io.orestes.model.ApiException;
import io.orestes.store.BucketFence;
import io.orestes.store.embedded.commit.CompletionBatch;
import io.orestes.store.embedded.commit.IncrementalTask;

/**
 * A task that is aborted when its bucket is rewritten or dropped meanwhile. After a rewrite it
 * would meet objects and indexes in two forms. After a drop it would change objects that it is not
 * meant for.
 */
public final class FencedTask implements IncrementalTask {

    private final BucketFence bucketFence;
    private final String bucket;
    private final long schemaEpoch;
    private final IncrementalTask incrementalTask;

    public FencedTask(BucketFence bucketFence, String bucket, long schemaEpoch, IncrementalTask incrementalTask) {
        this.bucketFence = bucketFence;
        this.bucket = bucket;
        this.schemaEpoch = schemaEpoch;
        this.incrementalTask = incrementalTask;
    }

    @Override
    public boolean step(CompletionBatch completionBatch) {
        bucketFence.requireOpen(bucket, schemaEpoch);
        return incrementalTask.step(completionBatch);
    }

    @Override
    public void abort(ApiException reason, CompletionBatch completionBatch) {
        incrementalTask.abort(reason, completionBatch);
    }
}
