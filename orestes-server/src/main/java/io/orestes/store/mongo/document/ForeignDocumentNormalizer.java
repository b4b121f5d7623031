package io.orestes.store.mongo.document;

import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.invalidb.model.VersionStamp;
import io.orestes.async.Loop;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A normalizer of documents that other programs stored, which adds missing metadata by
 * compare-and-set. It turns documents into objects, and writes the metadata to MongoDB, too. It
 * writes only metadata, so nothing is lost that others write meanwhile. Used on the store's context
 * only.
 */
public final class ForeignDocumentNormalizer {

    private static final Logger LOG = LoggerFactory.getLogger(ForeignDocumentNormalizer.class);

    private static final int BATCH_SIZE = 500;
    private static final int ATTEMPTS = 10;

    private static final FindOneAndUpdateOptions AFTER =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);

    private final MongoCollections mongoCollections;
    private final PublisherAdapter publisherAdapter;
    private final TombstoneCollection tombstoneCollection;
    private final IndexHiddenFields indexHiddenFields;
    private final DocumentDecoder documentDecoder;
    private final InstantSource clock;
    private final @Nullable ClientSession session;

    public ForeignDocumentNormalizer(
            MongoCollections mongoCollections,
            TombstoneCollection tombstoneCollection,
            IndexHiddenFields indexHiddenFields,
            DocumentDecoder documentDecoder,
            InstantSource clock) {
        this.mongoCollections = mongoCollections;
        this.publisherAdapter = mongoCollections.publishers();
        this.tombstoneCollection = tombstoneCollection;
        this.indexHiddenFields = indexHiddenFields;
        this.documentDecoder = documentDecoder;
        this.clock = clock;
        this.session = null;
    }

    private ForeignDocumentNormalizer(ForeignDocumentNormalizer outside, ClientSession session) {
        this.mongoCollections = outside.mongoCollections;
        this.publisherAdapter = outside.publisherAdapter;
        this.tombstoneCollection = outside.tombstoneCollection;
        this.indexHiddenFields = outside.indexHiddenFields;
        this.documentDecoder = outside.documentDecoder;
        this.clock = outside.clock;
        this.session = session;
    }

    /**
     * Returns a normalizer within the transaction of a session, which takes one command at a time.
     */
    public ForeignDocumentNormalizer in(ClientSession transaction) {
        return new ForeignDocumentNormalizer(this, transaction);
    }

    /**
     * Returns the objects of documents, in their order, without documents that represent none and
     * objects that were deleted meanwhile.
     */
    public Future<List<StoredObject>> objects(String bucket, List<BsonDocument> found) {
        return normalize(bucket, found).map(stored -> toObjects(bucket, stored));
    }

    /**
     * Returns the objects of documents with their completion records, by object. Of two documents
     * of one object the first counts.
     */
    public Future<Map<ObjectRef, CurrentObject>> currentObjects(String bucket, List<BsonDocument> found) {
        return normalize(bucket, found).map(stored -> {
            Map<ObjectRef, CurrentObject> byRef = new LinkedHashMap<>();
            stored.forEach(document -> documentDecoder
                    .ref(bucket, document)
                    .ifPresent(ref -> byRef.computeIfAbsent(ref, first -> CurrentObject.in(first, document))));
            return byRef;
        });
    }

    /** Returns the documents as they are stored once none lacks metadata. */
    private Future<List<BsonDocument>> normalize(String bucket, List<BsonDocument> found) {
        boolean areOurs = true;
        for (BsonDocument document : found) {
            areOurs &= DocumentDecoder.hasMetadata(document);
        }
        return areOurs ? Future.succeededFuture(found) : normalizeMixed(bucket, found);
    }

    /**
     * Returns the object of a document for a caller that must not wait; see {@link
     * DocumentDecoder#provisional}.
     */
    public Optional<StoredObject> provisional(String bucket, BsonDocument document) {
        return documentDecoder.provisional(bucket, document);
    }

    /**
     * Gives an object its next version; see {@link io.orestes.store.ChangeFeed#incrementVersion}.
     */
    public Future<Optional<StoredObject>> incrementVersion(ObjectRef ref, @Nullable VersionStamp known) {
        return incrementVersion(ref, known, ATTEMPTS)
                .map(renewed -> renewed.map(document -> DocumentDecoder.object(ref, document)));
    }

    /**
     * Returns whether the hidden fields with the readers of a document agree with its permissions;
     * see {@link io.orestes.store.ChangeFeed.ObservedState}.
     */
    public static boolean hasCurrentReaders(ObjectRef ref, BsonDocument document) {
        return MissingMetadataUpdate.hasCurrentReaders(ref, document);
    }

    private Future<Optional<BsonDocument>> incrementVersion(ObjectRef ref, @Nullable VersionStamp known, int attempts) {
        return newest(ref)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : tombstoneCollection
                                .endsOfLastLives(List.of(ref), session)
                                .compose(ends -> update(
                                        ref.bucket(), metadata(ref, found.get(), known, ends.getOrDefault(ref, 0L))))
                                .compose(after -> after.isPresent()
                                        ? Future.succeededFuture(after)
                                        : attempts > 1
                                                ? incrementVersion(ref, known, attempts - 1)
                                                : Future.failedFuture(MongoErrors.unavailable(
                                                        "Too many concurrent writes of " + ref.id()))));
    }

    /**
     * Records the deletion of an object by another program; see {@link
     * io.orestes.store.ChangeFeed#recordDeletion}. An insertion in flight may have read the end of
     * the last life before. Its change event then reports the new life, whatever this tombstone
     * contains.
     */
    public Future<Tombstone> recordDeletion(ObjectRef ref, @Nullable VersionStamp known) {
        long now = clock.millis();
        VersionStamp end = known == null
                ? new VersionStamp(now, Long.MAX_VALUE)
                : new VersionStamp(known.incarnation(), known.version() + 1);
        TombstoneCollection.TombstoneRecord tombstoneRecord =
                new TombstoneCollection.TombstoneRecord(ref, Math.max(now, end.incarnation()), CompletionRecords.NONE);
        return tombstoneCollection.recordAll(List.of(tombstoneRecord)).map(recorded -> new Tombstone(ref, end));
    }

    private Future<Optional<BsonDocument>> newest(ObjectRef ref) {
        return publisherAdapter
                .all(
                        mongoCollections
                                .newest(ref.bucket())
                                .find(DocumentIds.only(ref))
                                .batchSize(2),
                        2)
                .map(found -> found.stream().findFirst());
    }

    private List<StoredObject> toObjects(String bucket, List<BsonDocument> stored) {
        List<StoredObject> objects = new ArrayList<>(stored.size());
        stored.forEach(document -> documentDecoder
                .ref(bucket, document)
                .ifPresent(ref -> objects.add(DocumentDecoder.object(ref, document))));
        return objects;
    }

    /** Normalizes documents in batches, as a class may contain many of them. */
    private Future<List<BsonDocument>> normalizeMixed(String bucket, List<BsonDocument> stored) {
        Map<ObjectRef, BsonDocument> byRef = new LinkedHashMap<>();
        stored.forEach(document -> documentDecoder.ref(bucket, document).ifPresent(ref -> byRef.put(ref, document)));
        List<ObjectRef> lacking = byRef.keySet().stream()
                .filter(ref -> !DocumentDecoder.hasMetadata(Objects.requireNonNull(byRef.get(ref))))
                .toList();
        return addAllMetadata(bucket, lacking, byRef).map(done -> List.copyOf(byRef.values()));
    }

    private Future<Void> addAllMetadata(String bucket, List<ObjectRef> lacking, Map<ObjectRef, BsonDocument> byRef) {
        if (lacking.isEmpty()) {
            return Future.succeededFuture();
        }
        int[] next = {0};
        return Loop.whileTrue(() -> {
            List<ObjectRef> some = lacking.subList(next[0], Math.min(next[0] + BATCH_SIZE, lacking.size()));
            next[0] += some.size();
            return addMetadata(bucket, some, byRef).map(done -> next[0] < lacking.size());
        });
    }

    /** Replaces documents without metadata by those with metadata. */
    private Future<?> addMetadata(String bucket, List<ObjectRef> refs, Map<ObjectRef, BsonDocument> byRef) {
        return tombstoneCollection.endsOfLastLives(refs, session).compose(ends -> {
            List<UpdateOneModel<BsonDocument>> updates = new ArrayList<>();
            Map<ObjectRef, BsonDocument> adopted = new LinkedHashMap<>();
            refs.forEach(ref -> {
                BsonDocument document = Objects.requireNonNull(byRef.get(ref));
                MissingMetadataUpdate given = metadata(ref, document, null, ends.getOrDefault(ref, 0L));
                updates.add(new UpdateOneModel<>(given.filter(), given.update()));
                adopted.put(ref, given.applied(document));
            });
            return bulk(bucket, updates)
                    .recover(failure -> MongoErrors.isDuplicate(failure)
                            ? Future.succeededFuture(false)
                            : Future.failedFuture(failure))
                    .compose(all -> {
                        byRef.putAll(adopted);
                        return all ? Future.succeededFuture() : oneByOne(refs, byRef);
                    });
        });
    }

    /** Normalizes objects one by one, because other writers were faster, or unique keys collide. */
    private Future<?> oneByOne(List<ObjectRef> refs, Map<ObjectRef, BsonDocument> byRef) {
        int[] next = {0};
        return Loop.whileTrue(() -> {
            ObjectRef ref = refs.get(next[0]);
            next[0]++;
            return newest(ref)
                    .compose(found -> found.filter(DocumentDecoder::hasMetadata).isPresent() || found.isEmpty()
                            ? Future.succeededFuture(found)
                            : incrementVersion(ref, null, ATTEMPTS))
                    .map(found -> {
                        found.ifPresentOrElse(document -> byRef.put(ref, document), () -> byRef.remove(ref));
                        return next[0] < refs.size();
                    });
        });
    }

    private MissingMetadataUpdate metadata(
            ObjectRef ref, BsonDocument stored, @Nullable VersionStamp known, long endOfLastLife) {
        long now = clock.millis();
        VersionStamp next = MissingMetadataUpdate.nextStamp(stored, known, endOfLastLife, now);
        return MissingMetadataUpdate.to(next, ref, stored, now, indexHiddenFields);
    }

    private Future<Optional<BsonDocument>> update(String bucket, MissingMetadataUpdate given) {
        return updateOnce(bucket, given)
                .recover(failure ->
                        MongoErrors.isDuplicate(failure) ? withoutPlaces(bucket, given) : Future.failedFuture(failure));
    }

    private Future<Optional<BsonDocument>> withoutPlaces(String bucket, MissingMetadataUpdate given) {
        LOG.warn(
                "Another program broke a unique index of {} with the object {}",
                bucket,
                given.filter().get(StoredObject.ID));
        return updateOnce(bucket, given.withoutPlaces());
    }

    private Future<Optional<BsonDocument>> updateOnce(String bucket, MissingMetadataUpdate given) {
        MongoCollection<BsonDocument> objects = mongoCollections.newest(bucket);
        return publisherAdapter.first(
                session == null
                        ? objects.findOneAndUpdate(given.filter(), given.update(), AFTER)
                        : objects.findOneAndUpdate(session, given.filter(), given.update(), AFTER));
    }

    /** Returns whether all updates matched. */
    private Future<Boolean> bulk(String bucket, List<UpdateOneModel<BsonDocument>> updates) {
        MongoCollection<BsonDocument> objects = mongoCollections.newest(bucket);
        BulkWriteOptions unordered = new BulkWriteOptions().ordered(false);
        return publisherAdapter
                .first(
                        session == null
                                ? objects.bulkWrite(updates, unordered)
                                : objects.bulkWrite(session, updates, unordered))
                .map(result -> result.orElseThrow().getMatchedCount() == updates.size());
    }
}
