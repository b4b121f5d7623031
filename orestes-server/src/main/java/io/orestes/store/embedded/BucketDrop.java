package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.orestes.store.Gates;

/**
 * Ends a bucket: first its indexes go, also those that are being filled, then its objects, some at each step. Whoever fills
 * an index of the bucket is refused by the {@link Gates} from before the first step.
 */
final class BucketDrop implements Chore {

    private final IndexCatalog catalog;
    private final String bucket;
    private final Runnable guard;
    private final Truncation objects;
    private boolean hasBegun;

    /** @param guard throws the reason why it must not go on */
    BucketDrop(IndexCatalog catalog, String bucket, Runnable guard, Truncation objects) {
        this.catalog = catalog;
        this.bucket = bucket;
        this.guard = guard;
        this.objects = objects;
    }

    @Override
    public boolean step(Replies replies) {
        guard.run();
        if (!hasBegun) {
            hasBegun = true;
            catalog.dropAll(bucket);
        }
        return objects.step(replies);
    }

    @Override
    public void abort(ApiException reason, Replies replies) {
        objects.abort(reason, replies);
    }
}
