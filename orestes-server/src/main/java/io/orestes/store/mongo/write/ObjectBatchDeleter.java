package io.orestes.store.mongo.write;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import io.orestes.async.Loop;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.mongo.document.CurrentObject;
import io.orestes.store.mongo.document.DocumentDecoder;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.RetriableWriteException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * The deleter of one page of a bucket's objects. The caller makes other writers of these objects
 * wait. Used on the store's context only.
 */
public final class ObjectBatchDeleter {

    /** Maximum number of objects of a page. */
    static final int PAGE_SIZE = 500;

    /** Number of attempts to delete one object that others write. */
    private static final int ATTEMPTS = 5;

    /** Delay before the next attempt at a page of which another transaction locks an object. */
    private static final Duration RETRY_DELAY = Duration.ofMillis(200);

    private static final Bson STATE = Projections.include(
            StoredObject.VERSION,
            StoredObject.CREATED_AT,
            StoredObject.UPDATED_AT,
            StoredObject.ACL,
            MongoCollections.WRITES);

    private final Vertx vertx;
    private final MongoCollections mongoCollections;
    private final WriteCommands writeCommands;
    private final WritePlanner writePlanner;

    public ObjectBatchDeleter(
            Vertx vertx, MongoCollections mongoCollections, WriteCommands writeCommands, WritePlanner writePlanner) {
        this.vertx = vertx;
        this.mongoCollections = mongoCollections;
        this.writeCommands = writeCommands;
        this.writePlanner = writePlanner;
    }

    /** Deletes documents that represent no object; their deletion is not published. */
    Future<?> deleteForeignDocuments(String bucket, List<BsonValue> ids) {
        List<BsonValue> strangers =
                ids.stream().filter(id -> DocumentIds.ref(bucket, id).isEmpty()).toList();
        return strangers.isEmpty()
                ? Future.succeededFuture()
                : mongoCollections
                        .publishers()
                        .first(mongoCollections.newest(bucket).deleteMany(Filters.in(StoredObject.ID, strangers)));
    }

    /** Reads the newest states of existing objects, without the fields of their class. */
    Future<List<CurrentObject>> states(String bucket, Collection<ObjectRef> refs) {
        return mongoCollections
                .publishers()
                .all(
                        mongoCollections
                                .newest(bucket)
                                .find(DocumentIds.anyOf(refs))
                                .projection(STATE)
                                .batchSize(PAGE_SIZE),
                        PAGE_SIZE)
                .compose(page -> page.stream().allMatch(DocumentDecoder::hasMetadata)
                        ? Future.succeededFuture(page.stream()
                                .flatMap(document ->
                                        DocumentIds.ref(bucket, document.get(StoredObject.ID, BsonNull.VALUE)).stream()
                                                .map(ref -> CurrentObject.in(ref, document)))
                                .toList())
                        : writeCommands.current(bucket, refs).map(found -> List.copyOf(found.values())));
    }

    /**
     * Deletes objects in one transaction; if others write some of them meanwhile, each in its own.
     * Returns the tombstones of those that were deleted.
     */
    Future<List<Tombstone>> deleteAll(String bucket, List<CurrentObject> states) {
        List<ConditionalWrite.ConditionalDelete> removals =
                states.stream().map(writePlanner::removal).toList();
        return removals.isEmpty()
                ? Future.succeededFuture(List.of())
                : writeCommands
                        .inTransaction(commands -> commands.executeAll(bucket, removals)
                                .map(done -> removals.stream()
                                        .map(ConditionalWrite.ConditionalDelete::outcome)
                                        .toList()))
                        .recover(failure -> failure instanceof RetriableWriteException
                                ? deleteEachAlone(removals)
                                : Future.failedFuture(failure));
    }

    private Future<List<Tombstone>> deleteEachAlone(List<ConditionalWrite.ConditionalDelete> removals) {
        List<Tombstone> deleted = new ArrayList<>();
        Future<Void> done = Loop.forEach(
                removals, removal -> delete(removal.ref(), ATTEMPTS).onSuccess(made -> made.ifPresent(deleted::add)));
        // the deleted objects have to be published; the others are found again
        return done.map(all -> deleted).recover(failure -> {
            if (failure instanceof RetriableWriteException) {
                return vertx.timer(RETRY_DELAY.toMillis()).map(deleted);
            }
            return deleted.isEmpty() ? Future.failedFuture(failure) : Future.succeededFuture(deleted);
        });
    }

    /**
     * Deletes the newest state; empty if another process did so. Fails with {@link
     * RetriableWriteException} if another transaction locks the object, which may be one that a
     * killed process left open.
     */
    private Future<Optional<Tombstone>> delete(ObjectRef ref, int attempts) {
        return writeCommands
                .inTransaction(commands -> delete(commands, ref))
                .recover(failure -> failure instanceof RetriableWriteException && attempts > 1
                        ? delete(ref, attempts - 1)
                        : Future.failedFuture(failure));
    }

    private Future<Optional<Tombstone>> delete(WriteCommands commands, ObjectRef ref) {
        return commands.current(ref.bucket(), List.of(ref))
                .map(found -> Optional.ofNullable(found.get(ref)).map(writePlanner::removal))
                .compose(planned -> planned.map(
                                removal -> commands.execute(removal).map(Optional.of(removal.outcome())))
                        .orElseGet(() -> Future.succeededFuture(Optional.empty())));
    }
}
