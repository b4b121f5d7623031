package io.orestes.store.mongo;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** The commands that writers send, each on its own or all in one transaction. */
final class Commands {

    private static final int PAGE = 500;

    private static final FindOneAndReplaceOptions AFTER =
            new FindOneAndReplaceOptions().returnDocument(ReturnDocument.AFTER);
    private static final FindOneAndReplaceOptions UPSERT =
            new FindOneAndReplaceOptions().returnDocument(ReturnDocument.AFTER).upsert(true);
    private static final FindOneAndUpdateOptions CREATED =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER).upsert(true);

    private final Buckets buckets;
    private final Publishers publishers;
    private final Tombstones tombstones;
    private final Adoption adoption;
    private final Settlement settlement;
    private final Fence fence;
    private final Duration longest;
    private final @Nullable ClientSession session;

    /**
     * Commands each on its own.
     *
     * @param fence what keeps out those that come late
     * @param longest time after which nothing is read again
     */
    Commands(
            Buckets buckets,
            Publishers publishers,
            Tombstones tombstones,
            Adoption adoption,
            Settlement settlement,
            Fence fence,
            Duration longest) {
        this(buckets, publishers, tombstones, adoption, settlement, fence, longest, null);
    }

    private Commands(
            Buckets buckets,
            Publishers publishers,
            Tombstones tombstones,
            Adoption adoption,
            Settlement settlement,
            Fence fence,
            Duration longest,
            @Nullable ClientSession session) {
        this.buckets = buckets;
        this.publishers = publishers;
        this.tombstones = tombstones;
        this.adoption = adoption;
        this.settlement = settlement;
        this.fence = fence;
        this.longest = longest;
        this.session = session;
    }

    /** The same commands in the transaction of a session, which takes one at a time. */
    Commands in(ClientSession transaction) {
        return new Commands(
                buckets, publishers, tombstones, adoption.in(transaction), settlement, fence, longest, transaction);
    }

    /** The newest states of those that are there, by one request for each bucket. */
    Future<Map<ObjectRef, Found>> current(Collection<ObjectRef> refs) {
        Map<ObjectRef, Found> found = new HashMap<>();
        Map<String, List<ObjectRef>> byBucket = refs.stream().collect(Collectors.groupingBy(ObjectRef::bucket));
        Future<?> read = Future.succeededFuture();
        for (Map.Entry<String, List<ObjectRef>> bucket : byBucket.entrySet()) {
            read = read.compose(before -> current(bucket.getKey(), bucket.getValue()))
                    .onSuccess(found::putAll);
        }
        return read.map(all -> found);
    }

    /** The same for objects of one bucket; waits for commits that are about to change them. */
    Future<Map<ObjectRef, Found>> current(String bucket, Collection<ObjectRef> refs) {
        return current(bucket, refs, System.nanoTime() + longest.toNanos());
    }

    private Future<Map<ObjectRef, Found>> current(String bucket, Collection<ObjectRef> refs, long end) {
        return documents(bucket, refs).compose(documents -> settlement
                .over(bucket, documents)
                .compose(areOthers -> !areOthers
                        ? adoption.found(bucket, documents)
                        : System.nanoTime() - end > 0
                                ? Future.failedFuture(Refusals.unavailable("Too many others write the same"))
                                : current(bucket, refs, end)));
    }

    private Future<List<BsonDocument>> documents(String bucket, Collection<ObjectRef> refs) {
        MongoCollection<BsonDocument> objects = buckets.newest(bucket);
        BsonDocument ids = Ids.anyOf(refs);
        return publishers.all((session == null ? objects.find(ids) : objects.find(session, ids)).batchSize(PAGE), PAGE);
    }

    /** Fails with {@link Overtaken} if some of these objects are not in these states, or absent, or about to be changed by a commit. */
    Future<?> requireStill(Map<ObjectRef, Found> states, Collection<ObjectRef> refs) {
        Map<String, List<ObjectRef>> byBucket = refs.stream().collect(Collectors.groupingBy(ObjectRef::bucket));
        return Future.all(byBucket.entrySet().stream()
                .map(bucket -> documents(bucket.getKey(), bucket.getValue()).map(documents -> {
                    if (!areStill(states, bucket.getValue(), bucket.getKey(), documents)) {
                        throw Overtaken.byAnother();
                    }
                    return documents;
                }))
                .toList());
    }

    private static boolean areStill(
            Map<ObjectRef, Found> states, List<ObjectRef> refs, String bucket, List<BsonDocument> documents) {
        Map<ObjectRef, BsonDocument> now = new HashMap<>();
        for (BsonDocument document : documents) {
            if (Marks.commit(document).isPresent() || !Documents.isWhole(document)) {
                return false;
            }
            Ids.ref(bucket, document.get(StoredObject.ID, BsonNull.VALUE))
                    .ifPresent(ref -> now.putIfAbsent(ref, Change.state(Documents.object(ref, document))));
        }
        return refs.stream().allMatch(ref -> Optional.ofNullable(states.get(ref))
                .map(found -> Change.state(found.object()))
                .equals(Optional.ofNullable(now.get(ref))));
    }

    /** When the last lives of these objects ended, as {@link Tombstones#endsOfLastLives} tells. */
    Future<Map<ObjectRef, Long>> endsOfLastLives(Collection<ObjectRef> refs) {
        return session == null ? tombstones.endsOfLastLives(refs) : tombstones.endsOfLastLives(refs, session);
    }

    /**
     * Makes a change by a command of its own, whose answer is about nothing else. Fails with {@link
     * Overtaken} if the state is not there any more. In a transaction an insertion fails so, too, if
     * the last life of the object ended after the insertion was planned, be it that of an earlier
     * attempt: one snapshot shows the object absent and when its last life ended. Without a
     * transaction it fails with {@link InDoubt} if the change may have been made.
     */
    Future<Outcome> make(Change change) {
        Future<Outcome> made = send(change);
        return session == null ? made.recover(failure -> Future.failedFuture(InDoubt.unlessRefused(failure))) : made;
    }

    private Future<Outcome> send(Change change) {
        Optional<BsonDocument> inTime = fence.inTime(change.ref().bucket());
        if (change instanceof Change.Creation creation) {
            return session == null
                    ? create(creation, inTime)
                    : requireEnded(List.of(creation)).compose(ended -> create(creation, inTime));
        }
        return change instanceof Change.Exchange exchange
                ? replace(
                        change.ref(),
                        Fence.when(Change.state(exchange.before()), inTime),
                        Ids.replacement(change.ref(), exchange.document()),
                        AFTER)
                : remove((Change.Removal) change, inTime);
    }

    /** Creates the collection of a bucket unless it exists, since two transactions that create it conflict. */
    Future<?> create(String bucket) {
        return buckets.create(bucket, publishers);
    }

    /** Makes insertions of one bucket, all or none, in a transaction; fails as {@link #make} does. */
    Future<?> insertAll(String bucket, List<Change.Creation> creations) {
        return requireEnded(creations).compose(ended -> insertTogether(bucket, creations));
    }

    private Future<?> requireEnded(List<Change.Creation> creations) {
        List<ObjectRef> refs = creations.stream().map(Change.Creation::ref).toList();
        return endsOfLastLives(refs).map(ends -> {
            if (creations.stream().anyMatch(creation -> creation.born() <= ends.getOrDefault(creation.ref(), 0L))) {
                throw Overtaken.byAnother();
            }
            return ends;
        });
    }

    /** Unlike an insert it says by which key it failed. */
    private Future<Outcome> create(Change.Creation creation, Optional<BsonDocument> inTime) {
        return inTime.map(time -> create(creation, time))
                .orElseGet(() -> replace(creation.ref(), creation.nothing(), creation.document(), UPSERT));
    }

    private Future<Outcome> create(Change.Creation creation, BsonDocument inTime) {
        MongoCollection<BsonDocument> objects = buckets.newest(creation.ref().bucket());
        BsonDocument nothing = creation.nothing();
        List<BsonDocument> update = Fence.creation(creation.document(), inTime);
        return stored(
                        creation.ref(),
                        publishers.first(
                                session == null
                                        ? objects.findOneAndUpdate(nothing, update, CREATED)
                                        : objects.findOneAndUpdate(session, nothing, update, CREATED)))
                .recover(Commands::orOvertaken);
    }

    /** Who comes too late begins again, if there is time. */
    private static <T> Future<T> orOvertaken(Throwable failure) {
        return Future.failedFuture(Refusals.isLate(failure) ? Overtaken.byAnother() : failure);
    }

    /**
     * Makes all of these changes of one bucket in their order; fails with {@link Overtaken} if a state is not there any more.
     * Some are made then: to be used in a transaction.
     */
    Future<?> makeAll(String bucket, List<Change> changes) {
        return bulk(bucket, changes, true).recover(Commands::orOvertaken).map(result -> {
            if (made(result) != changes.size()) {
                throw Overtaken.byAnother();
            }
            return result;
        });
    }

    /** Makes insertions of one bucket by one unordered command, which reports the errors of each. */
    Future<BulkWriteResult> insertTogether(String bucket, List<Change.Creation> creations) {
        return bulk(bucket, creations, false);
    }

    /**
     * Makes deletions of one bucket, each of which is made or not. Fails with {@link InDoubt} if some
     * may have been made.
     */
    Future<BulkWriteResult> deleteTogether(String bucket, List<Change> removals) {
        return bulk(bucket, removals, false).recover(failure -> Future.failedFuture(InDoubt.unlessRefused(failure)));
    }

    /** How many changes were made. */
    static int made(BulkWriteResult result) {
        return result.getInsertedCount()
                + result.getMatchedCount()
                + result.getDeletedCount()
                + result.getUpserts().size();
    }

    private Future<BulkWriteResult> bulk(String bucket, List<? extends Change> changes, boolean isOrdered) {
        MongoCollection<BsonDocument> objects = buckets.newest(bucket);
        BulkWriteOptions options = new BulkWriteOptions().ordered(isOrdered);
        Optional<BsonDocument> inTime = fence.inTime(bucket);
        var models = changes.stream().map(change -> change.model(inTime)).toList();
        return noteEnds(changes)
                .compose(noted -> publishers.first(
                        session == null
                                ? objects.bulkWrite(models, options)
                                : objects.bulkWrite(session, models, options)))
                .map(Optional::orElseThrow);
    }

    private Future<Outcome> remove(Change.Removal removal, Optional<BsonDocument> inTime) {
        MongoCollection<BsonDocument> objects = buckets.newest(removal.ref().bucket());
        Bson state = Fence.when(Change.state(removal.last()), inTime);
        return noteEnds(List.of(removal))
                .compose(noted -> publishers.first(
                        session == null ? objects.findOneAndDelete(state) : objects.findOneAndDelete(session, state)))
                .map(deleted -> deleted.map(last -> removal.outcome()).orElseThrow(Overtaken::byAnother));
    }

    private Future<?> noteEnds(List<? extends Change> changes) {
        List<Tombstones.End> ending = changes.stream()
                .filter(Change.Removal.class::isInstance)
                .map(change -> ((Change.Removal) change).end())
                .toList();
        if (ending.isEmpty()) {
            return Future.succeededFuture();
        }
        return session == null ? tombstones.note(ending) : tombstones.note(ending, session);
    }

    private Future<Outcome> replace(
            ObjectRef ref, BsonDocument state, BsonDocument document, FindOneAndReplaceOptions options) {
        MongoCollection<BsonDocument> objects = buckets.newest(ref.bucket());
        return stored(
                ref,
                publishers.first(
                        session == null
                                ? objects.findOneAndReplace(state, document, options)
                                : objects.findOneAndReplace(session, state, document, options)));
    }

    private static Future<Outcome> stored(ObjectRef ref, Future<Optional<BsonDocument>> written) {
        return written.map(
                after -> after.map(stored -> Documents.object(ref, stored)).orElseThrow(Overtaken::byAnother));
    }
}
