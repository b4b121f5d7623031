package io.orestes.store.mongo.write;

import com.mongodb.client.model.Projections;
import io.orestes.async.InFlightOperations;
import io.orestes.async.KeyedMutex;
import io.orestes.async.Loop;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.read.DocumentFinder;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * A procedure that deletes all objects of a bucket, some at a time. Writers of these objects wait
 * meanwhile. Used on the store's context only.
 */
public final class BucketTruncator {

    private final DocumentFinder confirming;
    private final ObjectBatchDeleter objectBatchDeleter;
    private final KeyedMutex keyedMutex;
    private final InFlightOperations inFlightOperations;

    /**
     * @param confirming finds the remaining objects, where possible in states that a majority has:
     *     an empty page ends the procedure
     */
    public BucketTruncator(
            DocumentFinder confirming,
            ObjectBatchDeleter objectBatchDeleter,
            KeyedMutex keyedMutex,
            InFlightOperations inFlightOperations) {
        this.confirming = confirming;
        this.objectBatchDeleter = objectBatchDeleter;
        this.keyedMutex = keyedMutex;
        this.inFlightOperations = inFlightOperations;
    }

    /**
     * Deletes until no object is left.
     *
     * @param guard throws the reason if the procedure must not continue
     * @param publisher publishes deleted objects; the procedure continues when its future completes
     */
    public Future<Void> truncate(String bucket, Runnable guard, Function<List<Tombstone>, Future<?>> publisher) {
        return Loop.whileTrue(() -> inFlightOperations.track(bucket, () -> {
            guard.run();
            return someIds(bucket)
                    .compose(ids ->
                            ids.isEmpty() ? Future.succeededFuture(false) : delete(bucket, ids, guard, publisher));
        }));
    }

    private Future<List<BsonValue>> someIds(String bucket) {
        return confirming
                .find(bucket, new BsonDocument(), found -> found.projection(Projections.include(StoredObject.ID))
                        .limit(ObjectBatchDeleter.PAGE_SIZE)
                        .batchSize(ObjectBatchDeleter.PAGE_SIZE))
                .map(page -> page.stream()
                        .map(document -> document.get(StoredObject.ID, BsonNull.VALUE))
                        .toList());
    }

    private Future<Boolean> delete(
            String bucket, List<BsonValue> ids, Runnable guard, Function<List<Tombstone>, Future<?>> publisher) {
        Set<ObjectRef> refs = ids.stream()
                .flatMap(id -> DocumentIds.ref(bucket, id).stream())
                .collect(Collectors.toUnmodifiableSet());
        return objectBatchDeleter
                .deleteForeignDocuments(bucket, ids)
                .compose(deleted ->
                        refs.isEmpty() ? Future.succeededFuture(List.<Tombstone>of()) : delete(bucket, refs, guard))
                .compose(deleted -> deleted.isEmpty() ? Future.succeededFuture() : publisher.apply(deleted))
                .map(true);
    }

    private Future<List<Tombstone>> delete(String bucket, Set<ObjectRef> refs, Runnable guard) {
        Set<String> keys = refs.stream().map(ObjectRef::id).collect(Collectors.toUnmodifiableSet());
        return keyedMutex.runExclusively(keys, () -> {
            guard.run();
            return objectBatchDeleter.states(bucket, refs).compose(states -> {
                // after the read: states read before this check cannot be those of objects that
                // were inserted after it
                guard.run();
                return objectBatchDeleter.deleteAll(bucket, states);
            });
        });
    }
}
