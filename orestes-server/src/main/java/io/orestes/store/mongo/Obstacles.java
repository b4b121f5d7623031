package io.orestes.store.mongo;

import com.mongodb.client.model.Projections;
import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.types.ObjectId;

/**
 * Why changes could not be made, as clients or the next attempts have to know it. A place in a unique index that is held for a commit of somebody else
 * may be given back, so the change is to be tried again when that is over. Used on the store's context only.
 */
final class Obstacles {

    private final Buckets buckets;
    private final Publishers publishers;
    private final IndexCatalog catalog;
    private final boolean mayBeMarked;

    /** @param mayBeMarked whether commits hold places before they are decided */
    Obstacles(Buckets buckets, Publishers publishers, IndexCatalog catalog, boolean mayBeMarked) {
        this.buckets = buckets;
        this.publishers = publishers;
        this.catalog = catalog;
        this.mayBeMarked = mayBeMarked;
    }

    /** Fails, with {@link Overtaken} if the change may be tried again. */
    <T> Future<T> explain(Throwable failure, Change change) {
        return explain(failure, change, Optional.empty());
    }

    /** The same for a change that is prepared for a commit. */
    <T> Future<T> explain(Throwable failure, Change change, ObjectId commit) {
        return explain(failure, change, Optional.of(commit));
    }

    private <T> Future<T> explain(Throwable failure, Change change, Optional<ObjectId> commit) {
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
        return mayBeMarked && taken.containsKey(Buckets.PLACES)
                ? holder(change.ref().bucket(), taken)
                        .compose(found -> Future.failedFuture(
                                found.map(holder -> judge(change.ref().bucket(), holder, commit, violation))
                                        .orElseGet(Overtaken::byAnother)))
                : Future.failedFuture(violation);
    }

    private Future<Optional<BsonDocument>> holder(String bucket, BsonDocument place) {
        return publishers.first(buckets.newest(bucket)
                .find(place)
                .projection(Projections.include(Marks.FIELD))
                .first());
    }

    private static RuntimeException judge(
            String bucket, BsonDocument holder, Optional<ObjectId> commit, RuntimeException violation) {
        Optional<ObjectId> other = Marks.commit(holder).filter(id -> !commit.equals(Optional.of(id)));
        return other.flatMap(id -> Ids.ref(bucket, holder.get(StoredObject.ID, BsonNull.VALUE)))
                .<RuntimeException>map(Overtaken::byCommitOf)
                .orElse(violation);
    }
}
