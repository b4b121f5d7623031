package io.orestes.store.mongo.write;

import io.orestes.model.Principal;
import io.orestes.store.Batch;
import io.orestes.store.BucketFence;
import io.orestes.store.WriteGuard;

/** The guards of writes, which check the fence and the schema epoch of the bucket, too. */
public final class WriteGuards {

    private final BucketFence bucketFence;

    public WriteGuards(BucketFence bucketFence) {
        this.bucketFence = bucketFence;
    }

    /** Returns the guard of a write that is made alone. */
    public WriteGuard alone(Batch.StoreOperation write, Principal writer) {
        return fenced(write, guard(write, writer));
    }

    /** Returns the guard of a write in a batch. */
    WriteGuard inBatch(Batch.StoreOperation write, Principal writer) {
        return fenced(write, guardInBatch(write, writer));
    }

    private static WriteGuard guardInBatch(Batch.StoreOperation write, Principal writer) {
        return write instanceof Batch.UpdateOperation revision
                ? WriteGuard.permittedInBatch(revision, writer)
                : guard(write, writer);
    }

    private static WriteGuard guard(Batch.StoreOperation write, Principal writer) {
        if (write instanceof Batch.InsertOperation) {
            return WriteGuard.absent();
        }
        if (write instanceof Batch.ReplaceOperation replacement) {
            return WriteGuard.permitted(replacement.precondition(), writer);
        }
        return write instanceof Batch.UpdateOperation revision
                ? WriteGuard.permittedExisting(revision.precondition(), writer)
                : WriteGuard.permitted(((Batch.DeleteOperation) write).precondition(), writer);
    }

    private WriteGuard fenced(Batch.StoreOperation write, WriteGuard guard) {
        if (write instanceof Batch.InsertOperation insertion) {
            return bucketFence.guardEpoch(guard, insertion.schemaEpoch());
        }
        if (write instanceof Batch.ReplaceOperation replacement) {
            return bucketFence.guardEpoch(guard, replacement.schemaEpoch());
        }
        return write instanceof Batch.UpdateOperation revision
                ? bucketFence.guardEpoch(guard, revision.schemaEpoch())
                : bucketFence.guardDrop(guard, ((Batch.DeleteOperation) write).schemaEpoch());
    }
}
