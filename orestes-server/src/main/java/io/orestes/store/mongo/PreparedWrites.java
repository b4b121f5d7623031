package io.orestes.store.mongo;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;

/**
 * What a commit does to documents: before it is decided ({@link #write}), and after, when it was committed ({@link #apply}) or aborted
 * ({@link #rollBack}). The latter meet only what the commit has marked, and so may be done by several, again, and at any time later. All that MongoDB could have
 * against a change it says before the decision: {@code apply} puts in place what stood in the same collection already. Used on the store's
 * context only.
 */
final class PreparedWrites {

    private static final int PAGE = 100;
    private static final FindOneAndReplaceOptions UPSERT =
            new FindOneAndReplaceOptions().returnDocument(ReturnDocument.AFTER).upsert(true);

    private final Buckets buckets;
    private final Publishers publishers;
    private final Tombstones tombstones;
    private final Obstacles obstacles;

    PreparedWrites(Buckets buckets, Publishers publishers, Tombstones tombstones, Obstacles obstacles) {
        this.buckets = buckets;
        this.publishers = publishers;
        this.tombstones = tombstones;
        this.obstacles = obstacles;
    }

    /**
     * Marks the objects of a bucket and puts what is new beside them; fails with {@link Overtaken} if a state is not there any more. It is durable
     * then: the decision must not outlive it, whenever MongoDB crashes.
     */
    Future<?> write(ObjectId commit, String bucket, List<Change> all) {
        List<UpdateOneModel<BsonDocument>> marks =
                all.stream().flatMap(change -> mark(commit, change).stream()).toList();
        List<WriteModel<BsonDocument>> models = new ArrayList<>(marks);
        all.forEach(change -> added(commit, change).ifPresent(document -> models.add(new InsertOneModel<>(document))));
        return publishers
                .first(buckets.newest(bucket).bulkWrite(models, new BulkWriteOptions().ordered(true)))
                .map(result -> {
                    if (result.orElseThrow().getMatchedCount() != marks.size()) {
                        throw Overtaken.byAnother();
                    }
                    return result;
                });
    }

    /** The same one after the other, which tells what is wrong with which. */
    Future<?> writeOneByOne(ObjectId commit, List<Change> all) {
        Future<?> written = Future.succeededFuture();
        for (Change change : all) {
            written = written.compose(before -> writeOne(commit, change))
                    .recover(failure -> obstacles.explain(failure, change, commit));
        }
        return written;
    }

    private Future<?> writeOne(ObjectId commit, Change change) {
        MongoCollection<BsonDocument> objects = buckets.newest(change.ref().bucket());
        Future<?> marked = mark(commit, change)
                .<Future<?>>map(mark -> publishers
                        .first(objects.findOneAndUpdate(mark.getFilter(), pipeline(mark)))
                        .map(before -> before.orElseThrow(Overtaken::byAnother)))
                .orElseGet(Future::succeededFuture);
        return marked.compose(done -> added(commit, change)
                .<Future<?>>map(
                        document -> publishers.first(objects.findOneAndReplace(nothing(document), document, UPSERT)))
                .orElseGet(Future::succeededFuture));
    }

    private static List<? extends Bson> pipeline(UpdateOneModel<BsonDocument> mark) {
        return Optional.<List<? extends Bson>>ofNullable(mark.getUpdatePipeline())
                .orElseThrow();
    }

    /** Unlike an insertion a replacement says by which key it failed. */
    private static BsonDocument nothing(BsonDocument document) {
        return new BsonDocument(StoredObject.ID, document.get(StoredObject.ID))
                .append(StoredObject.VERSION, new BsonInt64(0));
    }

    private static Optional<UpdateOneModel<BsonDocument>> mark(ObjectId commit, Change change) {
        if (change instanceof Change.Exchange exchange) {
            List<BsonValue> places = exchange.document().getArray(Buckets.PLACES, new BsonArray());
            return Optional.of(new UpdateOneModel<>(Change.state(exchange.before()), Marks.setting(commit, places)));
        }
        return change instanceof Change.Removal removal
                ? Optional.of(new UpdateOneModel<>(Change.state(removal.last()), Marks.setting(commit, List.of())))
                : Optional.empty();
    }

    private static Optional<BsonDocument> added(ObjectId commit, Change change) {
        if (change instanceof Change.Creation creation) {
            return Optional.of(Marks.first(commit, creation.document()));
        }
        return change instanceof Change.Exchange exchange
                ? Optional.of(Marks.image(commit, exchange.ref(), exchange.document()))
                : Optional.empty();
    }

    /** Does what is left to be done in a bucket for a commit that was committed; it is durable then. */
    Future<?> apply(CommitRecord record, String bucket) {
        ObjectId id = record.id();
        List<ObjectRef> next = refs(record.of(bucket, CommitRecord.Kind.NEXT));
        return ifAny(
                        refs(record.of(bucket, CommitRecord.Kind.FIRST)),
                        first -> publishers.first(buckets.newest(bucket)
                                .updateMany(Marks.markedBy(id, Ids.anyOf(first)), Marks.clearing())))
                .compose(there -> ifAny(next, refs -> replace(id, bucket, refs)))
                .compose(replaced -> ifAny(record.of(bucket, CommitRecord.Kind.END), ends -> end(id, bucket, ends)))
                .compose(ended ->
                        ifAny(next, refs -> publishers.first(quick(bucket).deleteMany(images(id, refs)))));
    }

    private Future<?> replace(ObjectId id, String bucket, List<ObjectRef> refs) {
        return publishers.each(buckets.newest(bucket).find(images(id, refs)).batchSize(PAGE), PAGE, page -> publishers
                .first(buckets.newest(bucket)
                        .bulkWrite(
                                page.stream()
                                        .map(image -> replacement(id, image))
                                        .toList(),
                                new BulkWriteOptions().ordered(false)))
                .map(true));
    }

    private static ReplaceOneModel<BsonDocument> replacement(ObjectId id, BsonDocument image) {
        ObjectRef ref = Marks.ref(image);
        return new ReplaceOneModel<>(Marks.markedBy(id, Ids.only(ref)), Ids.replacement(ref, Marks.state(image)));
    }

    private Future<?> end(ObjectId id, String bucket, List<CommitRecord.Entry> ends) {
        return tombstones
                .note(ends.stream().map(CommitRecord.Entry::end).toList())
                .compose(noted ->
                        publishers.first(buckets.newest(bucket).deleteMany(Marks.markedBy(id, Ids.anyOf(refs(ends))))));
    }

    /** Removes what is left in a bucket of a commit that was aborted. */
    Future<?> rollBack(CommitRecord record, String bucket) {
        ObjectId id = record.id();
        List<ObjectRef> next = refs(record.of(bucket, CommitRecord.Kind.NEXT));
        List<ObjectRef> old = Stream.concat(next.stream(), refs(record.of(bucket, CommitRecord.Kind.END)).stream())
                .toList();
        return ifAny(
                        refs(record.of(bucket, CommitRecord.Kind.FIRST)),
                        first -> publishers.first(quick(bucket).deleteMany(Marks.markedBy(id, Ids.anyOf(first)))))
                .compose(gone ->
                        ifAny(next, refs -> publishers.first(quick(bucket).deleteMany(images(id, refs)))))
                .compose(gone -> ifAny(old, refs -> unmark(id, bucket, Ids.anyOf(refs))));
    }

    /** Does the same to some documents of which the commit is known no more. */
    Future<?> rollBack(ObjectId id, String bucket, List<BsonValue> ids) {
        List<BsonValue> images = ids.stream()
                .flatMap(old -> Ids.ref(bucket, old).stream())
                .<BsonValue>map(ref -> Marks.imageId(id, ref))
                .toList();
        return publishers
                .first(quick(bucket)
                        .deleteMany(Marks.newMarkedBy(
                                id,
                                anyOf(Stream.concat(ids.stream(), images.stream())
                                        .toList()))))
                .compose(gone -> unmark(id, bucket, anyOf(ids)));
    }

    private Future<?> unmark(ObjectId id, String bucket, BsonDocument condition) {
        return publishers.first(quick(bucket).updateMany(Marks.oldMarkedBy(id, condition), Marks.unsetting()));
    }

    private static BsonDocument images(ObjectId id, List<ObjectRef> refs) {
        return anyOf(refs.stream().<BsonValue>map(ref -> Marks.imageId(id, ref)).toList());
    }

    private static BsonDocument anyOf(List<BsonValue> ids) {
        return new BsonDocument(StoredObject.ID, new BsonDocument("$in", new BsonArray(ids)));
    }

    private static List<ObjectRef> refs(List<CommitRecord.Entry> entries) {
        return entries.stream().map(CommitRecord.Entry::ref).toList();
    }

    private static <T> Future<?> ifAny(List<T> items, Function<List<T>, Future<?>> action) {
        return items.isEmpty() ? Future.succeededFuture() : action.apply(items);
    }

    /** Its writes need not outlive a crash of MongoDB, as they can be done again. */
    private MongoCollection<BsonDocument> quick(String bucket) {
        return buckets.newest(bucket).withWriteConcern(WriteConcern.W1);
    }
}
