package io.orestes.store.mongo.write;

import io.orestes.model.Principal;
import io.orestes.store.Batch;
import io.orestes.store.BucketFence;
import io.orestes.store.WriteGuard;

/**
 * The factory of guards that check the fence and the schema epoch of a bucket before the write's
 * own guard.
 */
public final class BucketFenceGuards {

    private final BucketFence bucketFence;

    public BucketFenceGuards(BucketFence bucketFence) {
        this.bucketFence = bucketFence;
    }

    /** Returns the guard of a write that is made alone. */
    public WriteGuard alone(Batch.StoreOperation write, Principal writer) {
        return write.fenced(bucketFence, write.guard(writer));
    }

    /** Returns the guard of a write in a batch. */
    WriteGuard inBatch(Batch.StoreOperation write, Principal writer) {
        return write.fenced(bucketFence, write.guardInBatch(writer));
    }
}
