package io.orestes.store.mongo;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** The commands that writers send, each on its own or all in one transaction. */
final class Commands {

    private static final int PAGE = 500;

    private static final FindOneAndReplaceOptions AFTER =
            new FindOneAndReplaceOptions().returnDocument(ReturnDocument.AFTER);
    private static final FindOneAndReplaceOptions UPSERT =
            new FindOneAndReplaceOptions().returnDocument(ReturnDocument.AFTER).upsert(true);

    private final Buckets buckets;
    private final Publishers publishers;
    private final Tombstones tombstones;
    private final Adoption adoption;
    private final @Nullable ClientSession session;

    /** Commands each on its own. */
    Commands(Buckets buckets, Publishers publishers, Tombstones tombstones, Adoption adoption) {
        this(buckets, publishers, tombstones, adoption, null);
    }

    private Commands(
            Buckets buckets,
            Publishers publishers,
            Tombstones tombstones,
            Adoption adoption,
            @Nullable ClientSession session) {
        this.buckets = buckets;
        this.publishers = publishers;
        this.tombstones = tombstones;
        this.adoption = adoption;
        this.session = session;
    }

    /** The same commands in the transaction of a session, which takes one at a time. */
    Commands in(ClientSession transaction) {
        return new Commands(buckets, publishers, tombstones, adoption.in(transaction), transaction);
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

    /** The newest states of objects of one bucket that are there. */
    Future<Map<ObjectRef, Found>> current(String bucket, Collection<ObjectRef> refs) {
        return documents(bucket, refs).compose(documents -> adoption.found(bucket, documents));
    }

    private Future<List<BsonDocument>> documents(String bucket, Collection<ObjectRef> refs) {
        MongoCollection<BsonDocument> objects = buckets.newest(bucket);
        BsonDocument ids = Ids.anyOf(refs);
        return publishers.all((session == null ? objects.find(ids) : objects.find(session, ids)).batchSize(PAGE), PAGE);
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
        if (change instanceof Change.Creation creation) {
            return session == null
                    ? create(creation)
                    : requireEnded(List.of(creation)).compose(ended -> create(creation));
        }
        return change instanceof Change.Exchange exchange
                ? replace(
                        change.ref(),
                        Change.state(exchange.before()),
                        Ids.replacement(change.ref(), exchange.document()),
                        AFTER)
                : remove((Change.Removal) change);
    }

    /** Creates the collection of a bucket unless it exists, since two transactions that create it conflict. */
    Future<?> create(String bucket) {
        return buckets.create(bucket, publishers);
    }

    /** Makes insertions of one bucket, all or none, in a transaction; fails as {@link #make} does. */
    Future<?> insertAll(String bucket, List<Change.Creation> creations) {
        return requireEnded(creations).compose(ended -> bulk(bucket, creations, false));
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
    private Future<Outcome> create(Change.Creation creation) {
        return replace(creation.ref(), creation.nothing(), creation.document(), UPSERT);
    }

    /**
     * Makes all of these changes of one bucket in their order; fails with {@link Overtaken} if a state is not there any more.
     * Some are made then: to be used in a transaction.
     */
    Future<?> makeAll(String bucket, List<Change> changes) {
        return bulk(bucket, changes, true).map(result -> {
            if (made(result) != changes.size()) {
                throw Overtaken.byAnother();
            }
            return result;
        });
    }

    /** How many changes were made. */
    private static int made(BulkWriteResult result) {
        return result.getInsertedCount()
                + result.getMatchedCount()
                + result.getDeletedCount()
                + result.getUpserts().size();
    }

    private Future<BulkWriteResult> bulk(String bucket, List<? extends Change> changes, boolean isOrdered) {
        MongoCollection<BsonDocument> objects = buckets.newest(bucket);
        BulkWriteOptions options = new BulkWriteOptions().ordered(isOrdered);
        var models = changes.stream().map(Change::model).toList();
        return noteEnds(changes)
                .compose(noted -> publishers.first(objects.bulkWrite(transaction(), models, options)))
                .map(Optional::orElseThrow);
    }

    private Future<Outcome> remove(Change.Removal removal) {
        MongoCollection<BsonDocument> objects = buckets.newest(removal.ref().bucket());
        BsonDocument state = Change.state(removal.last());
        return noteEnds(List.of(removal))
                .compose(noted -> publishers.first(objects.findOneAndDelete(transaction(), state)))
                .map(deleted -> deleted.map(last -> removal.outcome()).orElseThrow(Overtaken::byAnother));
    }

    private Future<?> noteEnds(List<? extends Change> changes) {
        List<Tombstones.End> ending = changes.stream()
                .filter(Change.Removal.class::isInstance)
                .map(change -> ((Change.Removal) change).end())
                .toList();
        return ending.isEmpty() ? Future.succeededFuture() : tombstones.note(ending, transaction());
    }

    /** The session of the transaction that deletions, and changes made together, always have. */
    private ClientSession transaction() {
        return Objects.requireNonNull(session);
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
