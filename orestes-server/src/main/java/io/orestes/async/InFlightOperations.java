package io.orestes.async;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A registry of operations in flight for each bucket, with a wait for those that have begun. Used
 * on the store's context only.
 */
public final class InFlightOperations {

    private final Map<String, OperationCount> current = new HashMap<>();
    /** The operations whose end a caller waits for. */
    private final Map<String, Future<Void>> draining = new HashMap<>();

    /** Counts the operation among the changes to the bucket until it ends. */
    public <T> Future<T> track(String bucket, Supplier<Future<T>> work) {
        OperationCount crowd = current.computeIfAbsent(bucket, none -> new OperationCount());
        crowd.size++;
        return Future.<Void>succeededFuture().compose(now -> work.get()).onComplete(done -> untrack(bucket, crowd));
    }

    /** Completes when all current changes to the bucket have ended; later ones may continue. */
    public Future<Void> awaitCurrent(String bucket) {
        OperationCount crowd = current.remove(bucket);
        Future<Void> earlier = draining.getOrDefault(bucket, Future.succeededFuture());
        Future<Void> gone = crowd == null ? earlier : earlier.compose(left -> crowd.gone.future());
        draining.put(bucket, gone);
        return gone.onComplete(left -> draining.remove(bucket, gone));
    }

    private void untrack(String bucket, OperationCount crowd) {
        crowd.size--;
        if (crowd.size == 0) {
            current.remove(bucket, crowd);
            crowd.gone.complete();
        }
    }

    private static final class OperationCount {
        private final Promise<Void> gone = Promise.promise();
        private int size;
    }
}
