package io.orestes.store.mongo;

import com.mongodb.client.model.Projections;
import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Why changes could not be made, as clients or the next attempts have to know it. Used on the store's context only. */
final class Obstacles {

    private final Finder holders;
    private final IndexCatalog catalog;

    /** @param holders finds the documents that hold places, where it can those that no failover will undo */
    Obstacles(Finder holders, IndexCatalog catalog) {
        this.holders = holders;
        this.catalog = catalog;
    }

    /** Fails, with {@link Overtaken} if the change may be tried again. */
    <T> Future<T> explain(Throwable failure, Change change) {
        return explain(failure, change, List.of(change));
    }

    /** Fails so for one of the changes of a transaction, of which two may come to one place. */
    <T> Future<T> explain(Throwable failure, Change change, List<Change> together) {
        if (Refusals.isOfParallelArrays(failure)) {
            return Future.failedFuture(Overtaken.byParallelArrays(change.ref().bucket()));
        }
        if (!Refusals.isDuplicate(failure)) {
            return Future.failedFuture(failure);
        }
        BsonDocument taken = Refusals.duplicate(failure);
        if (taken.containsKey(StoredObject.ID)) {
            return Future.failedFuture(Overtaken.byAnother());
        }
        RuntimeException violation = catalog.violation(change.ref(), taken);
        BsonValue place = taken.get(Buckets.PLACES);
        return place == null || isOfSeveral(place, together)
                ? Future.failedFuture(violation)
                : isHeld(change.ref().bucket(), taken)
                        .compose(isHeld -> Future.failedFuture(isHeld ? violation : Overtaken.byAnother()));
    }

    private static boolean isOfSeveral(BsonValue place, List<Change> together) {
        return together.stream().filter(change -> change.holds(place)).count() > 1;
    }

    private Future<Boolean> isHeld(String bucket, BsonDocument place) {
        return holders.find(bucket, place, found -> found.projection(Projections.include(StoredObject.ID))
                        .limit(1))
                .map(found -> !found.isEmpty());
    }
}
