package io.orestes.read.object;

import io.orestes.model.StoredObject;
import io.orestes.store.ClassScan;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/** A scanner of all objects of a class, one page at a time in the order of ids. */
public final class BucketScanner {

    /** Number of objects in memory at a time. */
    private static final int PAGE_SIZE = 200;

    private final ObjectStore store;

    public BucketScanner(ObjectStore store) {
        this.store = store;
    }

    /**
     * Passes every object of a class to {@code action}, page by page; the next page is read after
     * the action for the last one completes. Pages are not empty.
     */
    public Future<Void> forEachPage(String bucket, Function<List<StoredObject>, Future<?>> action) {
        return ClassScan.eachPage(store, bucket, PAGE_SIZE, action);
    }
}
