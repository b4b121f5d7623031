package io.orestes.store;

import io.orestes.async.Loop;
import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/**
 * A paged scan of all objects of a class in the order of their ids. Only one page is in memory at a
 * time.
 */
public final class ClassScan {

    private final ObjectStore store;
    private final String bucket;
    private final int pageSize;
    private final Function<List<StoredObject>, Future<?>> action;
    private String last = "";

    private ClassScan(ObjectStore store, String bucket, int pageSize, Function<List<StoredObject>, Future<?>> action) {
        this.store = store;
        this.bucket = bucket;
        this.pageSize = pageSize;
        this.action = action;
    }

    /**
     * Passes every object to {@code action}, one page after the other. The next page is read when
     * the action for the last one has completed; pages are not empty. Objects that are inserted or
     * deleted meanwhile may be included or not.
     */
    public static Future<Void> eachPage(
            ObjectStore store, String bucket, int pageSize, Function<List<StoredObject>, Future<?>> action) {
        ClassScan scan = new ClassScan(store, bucket, pageSize, action);
        return Loop.whileTrue(scan::next);
    }

    private Future<Boolean> next() {
        return store.scan(bucket, last, pageSize)
                .compose(page -> page.isEmpty() ? Future.succeededFuture(false) : handlePage(page));
    }

    private Future<Boolean> handlePage(List<StoredObject> page) {
        last = page.get(page.size() - 1).ref().id();
        return action.apply(page).map(true);
    }
}
