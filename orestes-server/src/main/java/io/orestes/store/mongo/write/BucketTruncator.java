package io.orestes.store.mongo.write;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import io.orestes.async.InFlightOperations;
import io.orestes.async.KeyedMutex;
import io.orestes.async.Loop;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.mongo.document.CurrentObject;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.DocumentMapper;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.driver.TransactionRunner;
import io.orestes.store.mongo.driver.WriteConflictException;
import io.orestes.store.mongo.read.DocumentFinder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * A procedure that deletes all objects of a bucket, some at a time. Writers of these objects wait
 * meanwhile. Used on the store's context only.
 */
public final class BucketTruncator {

    private static final int PAGE_SIZE = 500;

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
    private final DocumentFinder confirming;
    private final PublisherAdapter publisherAdapter;
    private final WriteCommands writeCommands;
    private final WritePlanner writePlanner;
    private final KeyedMutex keyedMutex;
    private final InFlightOperations inFlightOperations;
    private final TransactionRunner transactionRunner;

    /**
     * @param confirming finds the remaining objects, where possible in states that a majority has:
     *     an empty page ends the procedure
     */
    public BucketTruncator(
            Vertx vertx,
            MongoCollections mongoCollections,
            DocumentFinder confirming,
            PublisherAdapter publisherAdapter,
            WriteCommands writeCommands,
            WritePlanner writePlanner,
            KeyedMutex keyedMutex,
            InFlightOperations inFlightOperations,
            TransactionRunner transactionRunner) {
        this.vertx = vertx;
        this.mongoCollections = mongoCollections;
        this.confirming = confirming;
        this.publisherAdapter = publisherAdapter;
        this.writeCommands = writeCommands;
        this.writePlanner = writePlanner;
        this.keyedMutex = keyedMutex;
        this.inFlightOperations = inFlightOperations;
        this.transactionRunner = transactionRunner;
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

    private Future<Boolean> delete(
            String bucket, List<BsonValue> ids, Runnable guard, Function<List<Tombstone>, Future<?>> tell) {
        Set<ObjectRef> refs = ids.stream()
                .flatMap(id -> DocumentIds.ref(bucket, id).stream())
                .collect(Collectors.toUnmodifiableSet());
        return deleteForeignDocuments(bucket, ids)
                .compose(deleted -> refs.isEmpty() ? Future.succeededFuture(true) : delete(bucket, refs, guard, tell));
    }

    /** Deletes documents that represent no object; their deletion is not published. */
    private Future<?> deleteForeignDocuments(String bucket, List<BsonValue> ids) {
        List<BsonValue> strangers =
                ids.stream().filter(id -> DocumentIds.ref(bucket, id).isEmpty()).toList();
        return strangers.isEmpty()
                ? Future.succeededFuture()
                : publisherAdapter.first(
                        mongoCollections.newest(bucket).deleteMany(Filters.in(StoredObject.ID, strangers)));
    }

    private Future<List<BsonValue>> someIds(String bucket) {
        return confirming
                .find(bucket, new BsonDocument(), found -> found.projection(Projections.include(StoredObject.ID))
                        .limit(PAGE_SIZE)
                        .batchSize(PAGE_SIZE))
                .map(page -> page.stream()
                        .map(document -> document.get(StoredObject.ID, BsonNull.VALUE))
                        .toList());
    }

    private Future<Boolean> delete(
            String bucket, Set<ObjectRef> refs, Runnable guard, Function<List<Tombstone>, Future<?>> tell) {
        return keyedMutex
                .runExclusively(refs.stream().map(ObjectRef::id).collect(Collectors.toUnmodifiableSet()), () -> {
                    guard.run();
                    return states(bucket, refs).compose(states -> {
                        // after the read: states read before this check cannot be those of objects
                        // that were inserted after it
                        guard.run();
                        return delete(bucket, states);
                    });
                })
                .compose(gone -> gone.isEmpty() ? Future.succeededFuture() : tell.apply(gone))
                .map(true);
    }

    private Future<List<CurrentObject>> states(String bucket, Collection<ObjectRef> refs) {
        return publisherAdapter
                .all(
                        mongoCollections
                                .newest(bucket)
                                .find(DocumentIds.anyOf(refs))
                                .projection(STATE)
                                .batchSize(PAGE_SIZE),
                        PAGE_SIZE)
                .compose(page -> page.stream().allMatch(DocumentMapper::hasMetadata)
                        ? Future.succeededFuture(page.stream()
                                .flatMap(document ->
                                        DocumentIds.ref(bucket, document.get(StoredObject.ID, BsonNull.VALUE)).stream()
                                                .map(ref -> CurrentObject.in(ref, document)))
                                .toList())
                        : writeCommands.current(bucket, refs).map(found -> List.copyOf(found.values())));
    }

    private Future<List<Tombstone>> delete(String bucket, List<CurrentObject> states) {
        if (states.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        List<ConditionalWrite> removals =
                states.stream().map(writePlanner::removal).toList();
        return deleteAll(bucket, removals);
    }

    /**
     * Deletes objects in one transaction; if others write some of them meanwhile, each in its own.
     */
    private Future<List<Tombstone>> deleteAll(String bucket, List<ConditionalWrite> removals) {
        return transactionRunner
                .run(session -> writeCommands.in(session).executeAll(bucket, removals))
                .map(done -> removals.stream().map(BucketTruncator::tombstone).toList())
                .recover(failure -> failure instanceof WriteConflictException
                        ? deleteAlone(removals)
                        : Future.failedFuture(failure));
    }

    private Future<List<Tombstone>> deleteAlone(List<ConditionalWrite> removals) {
        List<Tombstone> deleted = new ArrayList<>();
        Future<?> done = Future.succeededFuture();
        for (ConditionalWrite removal : removals) {
            done = done.compose(before -> delete(removal.ref(), ATTEMPTS))
                    .onSuccess(made -> made.map(BucketTruncator::tombstone).ifPresent(deleted::add));
        }
        // the deleted objects have to be published; the others are found again
        return done.<List<Tombstone>>map(all -> deleted).recover(failure -> {
            if (failure instanceof WriteConflictException) {
                return vertx.timer(RETRY_DELAY.toMillis()).map(deleted);
            }
            return deleted.isEmpty() ? Future.failedFuture(failure) : Future.succeededFuture(deleted);
        });
    }

    /**
     * Deletes the newest state; empty if another process did so. Fails with {@link
     * WriteConflictException} if another transaction locks the object, which may be one that a
     * killed process left open.
     */
    private Future<Optional<ConditionalWrite>> delete(ObjectRef ref, int attempts) {
        return transactionRunner
                .run(session -> delete(writeCommands.in(session), ref))
                .recover(failure -> failure instanceof WriteConflictException && attempts > 1
                        ? delete(ref, attempts - 1)
                        : Future.failedFuture(failure));
    }

    private Future<Optional<ConditionalWrite>> delete(WriteCommands alone, ObjectRef ref) {
        return alone.current(ref.bucket(), List.of(ref))
                .map(found -> Optional.ofNullable(found.get(ref)).<ConditionalWrite>map(writePlanner::removal))
                .compose(removal -> removal.map(change -> alone.execute(change).map(made -> removal))
                        .orElse(Future.succeededFuture(removal)));
    }

    private static Tombstone tombstone(ConditionalWrite removal) {
        return (Tombstone) removal.outcome();
    }
}
