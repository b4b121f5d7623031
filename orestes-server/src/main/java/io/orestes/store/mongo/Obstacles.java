package io.orestes.store.mongo;

import com.mongodb.client.model.Projections;
import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * Why changes could not be made, as clients or the next attempts have to know it. A place in a unique index that is held for a commit of somebody else
 * may be given back, so the change is to be tried again when that is over. Used on the store's context only.
 */
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
        return explain(failure, change, List.of(change), Optional.empty());
    }

    /** Fails so for one of the changes of a transaction, of which two may come to one place. */
    <T> Future<T> explain(Throwable failure, Change change, List<Change> together) {
        return explain(failure, change, together, Optional.empty());
    }

    /** Fails so for a change that is prepared for a commit. */
    <T> Future<T> explain(Throwable failure, Change change, ObjectId commit) {
        return explain(failure, change, List.of(change), Optional.of(commit));
    }

    private <T> Future<T> explain(Throwable failure, Change change, List<Change> together, Optional<ObjectId> commit) {
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
                : holder(change.ref().bucket(), taken)
                        .compose(found -> Future.failedFuture(
                                found.map(holder -> judge(change.ref().bucket(), holder, commit, violation))
                                        .orElseGet(Overtaken::byAnother)));
    }

    private static boolean isOfSeveral(BsonValue place, List<Change> together) {
        return together.stream().filter(change -> change.holds(place)).count() > 1;
    }

    private Future<Optional<BsonDocument>> holder(String bucket, BsonDocument place) {
        return holders.find(bucket, place, found -> found.projection(Projections.include(Marks.FIELD))
                        .limit(1))
                .map(found -> found.stream().findFirst());
    }

    private static RuntimeException judge(
            String bucket, BsonDocument holder, Optional<ObjectId> commit, RuntimeException violation) {
        Optional<ObjectId> other = Marks.commit(holder).filter(id -> !commit.equals(Optional.of(id)));
        return other.flatMap(id -> Ids.ref(bucket, holder.get(StoredObject.ID, BsonNull.VALUE)))
                .<RuntimeException>map(Overtaken::byCommitOf)
                .orElse(violation);
    }
}
