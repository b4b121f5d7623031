package io.orestes.schema;

import io.orestes.store.ObjectStore;
import io.vertx.core.Future;

/**
 * The handler of what a schema change entails for the objects of classes and their cached copies.
 * Its implementation knows who has copies of the objects.
 */
public interface ClassDataHandler {

    /**
     * Drops the indexes and objects of a class that was removed, with everything that deletions
     * entail.
     *
     * @param guard runs before each part; what it throws ends the drop
     */
    Future<?> drop(String bucket, Runnable guard);

    /**
     * All objects of a class may have a new version: completes when nobody is given an older one
     * any more.
     */
    Future<?> rewritten(String bucket);

    /** Objects changed at the start, before anybody could be told. */
    void resumed();

    /** For a store that nobody has copies of. */
    static ClassDataHandler unannounced(ObjectStore store) {
        return new ClassDataHandler() {
            @Override
            public Future<?> drop(String bucket, Runnable guard) {
                return store.drop(bucket, guard, deleted -> {});
            }

            @Override
            public Future<?> rewritten(String bucket) {
                return Future.succeededFuture();
            }

            @Override
            public void resumed() {}
        };
    }
}
