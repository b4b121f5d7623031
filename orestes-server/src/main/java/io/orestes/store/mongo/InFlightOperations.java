package io.orestes.store.mongo;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A registry of operations in flight for each bucket, with a wait for those that have begun. Used
 * on the store's context only.
 */
final class InFlightOperations {

    private final Map<String, Crowd> inside = new HashMap<>();
    /** The operations whose end a caller waits for. */
    private final Map<String, Future<Void>> leaving = new HashMap<>();

    /** Counts the operation among the changes to the bucket until it ends. */
    <T> Future<T> during(String bucket, Supplier<Future<T>> work) {
        Crowd crowd = inside.computeIfAbsent(bucket, none -> new Crowd());
        crowd.size++;
        return Future.<Void>succeededFuture().compose(now -> work.get()).onComplete(done -> leave(bucket, crowd));
    }

    /** Completes when all current changes to the bucket have ended; later ones may continue. */
    Future<Void> gone(String bucket) {
        Crowd crowd = inside.remove(bucket);
        Future<Void> earlier = leaving.getOrDefault(bucket, Future.succeededFuture());
        Future<Void> gone = crowd == null ? earlier : earlier.compose(left -> crowd.gone.future());
        leaving.put(bucket, gone);
        return gone.onComplete(left -> leaving.remove(bucket, gone));
    }

    private void leave(String bucket, Crowd crowd) {
        crowd.size--;
        if (crowd.size == 0) {
            inside.remove(bucket, crowd);
            crowd.gone.complete();
        }
    }

    private static final class Crowd {
        private final Promise<Void> gone = Promise.promise();
        private int size;
    }
}
