package io.orestes.store.mongo.write;

import com.mongodb.client.model.Projections;
import io.orestes.model.StoredObject;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.RetriableWriteException;
import io.orestes.store.mongo.index.DeclaredIndexCatalog;
import io.orestes.store.mongo.read.DocumentFinder;
import io.vertx.core.Future;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The diagnosis of failed writes: a conflict to be retried, or an error for the client. Used on the
 * store's context only.
 */
public final class WriteFailureDiagnosis {

    private final DocumentFinder holders;
    private final DeclaredIndexCatalog catalog;

    /**
     * @param holders finds the documents that own unique keys, where possible in states that no
     *     failover will undo
     */
    public WriteFailureDiagnosis(DocumentFinder holders, DeclaredIndexCatalog catalog) {
        this.holders = holders;
        this.catalog = catalog;
    }

    /**
     * Fails with {@link RetriableWriteException} if the write may be retried, else with an error
     * for the client.
     */
    <T> Future<T> explain(Throwable failure, ConditionalWrite conditionalWrite) {
        return explain(failure, conditionalWrite, List.of(conditionalWrite));
    }

    /**
     * Explains the failure of one write of a transaction, of which two may have the same unique
     * key.
     */
    <T> Future<T> explain(Throwable failure, ConditionalWrite conditionalWrite, List<ConditionalWrite> together) {
        if (MongoErrors.isParallelArraysError(failure)) {
            return Future.failedFuture(RetriableWriteException.byParallelArrays(
                    conditionalWrite.ref().bucket()));
        }
        if (!MongoErrors.isDuplicate(failure)) {
            return Future.failedFuture(failure);
        }
        BsonDocument taken = MongoErrors.duplicate(failure);
        if (taken.containsKey(StoredObject.ID)) {
            return Future.failedFuture(RetriableWriteException.byConcurrentWrite());
        }
        RuntimeException violation = catalog.violation(conditionalWrite.ref(), taken);
        BsonValue place = taken.get(MongoCollections.UNIQUE_KEYS);
        return place == null || isOfSeveral(place, together)
                ? Future.failedFuture(violation)
                : isHeld(conditionalWrite.ref().bucket(), taken)
                        .compose(isHeld ->
                                Future.failedFuture(isHeld ? violation : RetriableWriteException.byConcurrentWrite()));
    }

    private static boolean isOfSeveral(BsonValue place, List<ConditionalWrite> together) {
        return together.stream()
                        .filter(conditionalWrite -> conditionalWrite.occupiesKey(place))
                        .count()
                > 1;
    }

    private Future<Boolean> isHeld(String bucket, BsonDocument place) {
        return holders.find(bucket, place, found -> found.projection(Projections.include(StoredObject.ID))
                        .limit(1))
                .map(found -> !found.isEmpty());
    }
}
