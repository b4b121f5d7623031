package io.orestes.schema.change;

import io.orestes.store.ObjectStore;
import io.vertx.core.Future;

/**
 * The handler of what a schema change entails for the objects of classes and their cached copies.
 * Its implementation reaches all copies of the objects.
 */
public interface ClassDataHandler {

    /**
     * Drops the indexes and objects of a class that was removed, with all consequences of
     * deletions.
     *
     * @param guard runs before each part; what it throws ends the drop
     */
    Future<?> drop(String bucket, Runnable guard);

    /**
     * Invalidates the copies of all objects of a class, which may have new versions; completes when
     * no client receives an older one.
     */
    Future<?> invalidate(String bucket);

    /** Called after objects changed at the start, before any copy could be invalidated. */
    void onRecovered();

    /** Returns a handler for a store whose objects have no copies. */
    static ClassDataHandler withoutCaches(ObjectStore store) {
        return new ClassDataHandler() {
            @Override
            public Future<?> drop(String bucket, Runnable guard) {
                return store.drop(bucket, guard, deleted -> {});
            }

            @Override
            public Future<?> invalidate(String bucket) {
                return Future.succeededFuture();
            }

            @Override
            public void onRecovered() {}
        };
    }
}
