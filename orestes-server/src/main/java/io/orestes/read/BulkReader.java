package io.orestes.read;

import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/** Goes through whole classes, a page at a time, in the order of ids. */
public final class BulkReader {

    /** Objects held in memory at a time. */
    private static final int PAGE = 200;

    private final ObjectStore store;

    public BulkReader(ObjectStore store) {
        this.store = store;
    }

    /** Hands every object of a class to {@code action}, the next page when the last is dealt with; pages are not empty. */
    public Future<Void> eachPage(String bucket, Function<List<StoredObject>, Future<Void>> action) {
        return eachPage(bucket, "", action);
    }

    private Future<Void> eachPage(String bucket, String after, Function<List<StoredObject>, Future<Void>> action) {
        return store.scan(bucket, after, PAGE)
                .compose(page -> page.isEmpty()
                        ? Future.succeededFuture()
                        : action.apply(page).compose(done -> eachPage(bucket, last(page), action)));
    }

    private static String last(List<StoredObject> page) {
        return page.get(page.size() - 1).ref().id();
    }
}
