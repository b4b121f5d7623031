package io.orestes.store.mongo.document;

import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The collection of tombstones, which records when the last life of each deleted object ended. So
 * the next life begins later whatever the clock does. A tombstone is written before its object is
 * deleted; one too many does no harm.
 */
public final class TombstoneCollection {

    /** Retention of tombstones, which is the maximum time by which a clock may go back. */
    static final Duration RETENTION = Duration.ofHours(1);

    /** Field with the server's time, from which on MongoDB counts the retention. */
    static final String WRITTEN_AT = "writtenAt";

    /** Field with the {@linkplain CompletionRecords last writes} of processes to the object. */
    static final String WRITES = "writes";

    private static final String END = "end";
    private static final int PAGE_SIZE = 500;

    private final MongoCollections mongoCollections;
    private final PublisherAdapter publisherAdapter;

    public TombstoneCollection(MongoCollections mongoCollections) {
        this.mongoCollections = mongoCollections;
        this.publisherAdapter = mongoCollections.publishers();
    }

    /**
     * Returns when the last lives of objects ended, milliseconds since 1970; without objects that
     * have no tombstone, or none any more.
     */
    public Future<Map<ObjectRef, Long>> endsOfLastLives(Collection<ObjectRef> refs) {
        return endsOfLastLives(refs, null);
    }

    /**
     * Returns these ends within a transaction.
     *
     * @param session session of the transaction, null outside of one
     */
    public Future<Map<ObjectRef, Long>> endsOfLastLives(Collection<ObjectRef> refs, @Nullable ClientSession session) {
        MongoCollection<BsonDocument> tombstones = mongoCollections.tombstones();
        FindPublisher<BsonDocument> found =
                session == null ? tombstones.find(byIds(refs)) : tombstones.find(session, byIds(refs));
        return publisherAdapter.all(found.batchSize(PAGE_SIZE), PAGE_SIZE).map(page -> page.stream()
                .collect(Collectors.toMap(
                        TombstoneCollection::ref,
                        tombstone -> tombstone.getDateTime(END).getValue())));
    }

    /**
     * The record of a deletion: the time of the last state and the completion records.
     *
     * @param updatedAt when the last state was written, milliseconds since 1970
     * @param completionRecords the last writes of processes to the object, the deletion included
     */
    public record TombstoneRecord(ObjectRef ref, long updatedAt, CompletionRecords completionRecords) {}

    /**
     * Returns the record of the last deletion of an object of this id; empty if there was none
     * recently.
     */
    public Future<Optional<TombstoneRecord>> lastRecord(ObjectRef ref) {
        return publisherAdapter
                .first(mongoCollections
                        .committedTombstones()
                        .find(Filters.eq(ref.id()))
                        .first())
                .map(found -> found.map(tombstone -> new TombstoneRecord(
                        ref, tombstone.getDateTime(END).getValue(), CompletionRecords.in(tombstone, WRITES))));
    }

    /** Records deletions. */
    public Future<?> recordAll(List<TombstoneRecord> ending) {
        return publisherAdapter.first(
                mongoCollections.tombstones().bulkWrite(recordUpdates(ending), new BulkWriteOptions().ordered(false)));
    }

    /** Records deletions within a transaction. */
    public Future<?> recordAll(List<TombstoneRecord> ending, ClientSession session) {
        return publisherAdapter.first(mongoCollections.tombstones().bulkWrite(session, recordUpdates(ending)));
    }

    private static List<UpdateOneModel<BsonDocument>> recordUpdates(List<TombstoneRecord> ending) {
        return ending.stream()
                .map(tombstoneRecord -> new UpdateOneModel<BsonDocument>(
                        Filters.eq(tombstoneRecord.ref().id()),
                        recordAll(tombstoneRecord),
                        new UpdateOptions().upsert(true)))
                .toList();
    }

    /**
     * Returns the update that records a deletion. The records of earlier lives stay, as far as
     * their processes have not written this one.
     */
    private static Bson recordAll(TombstoneRecord tombstoneRecord) {
        List<Bson> fields = new ArrayList<>();
        fields.add(Updates.max(END, new BsonDateTime(tombstoneRecord.updatedAt())));
        fields.add(Updates.currentDate(WRITTEN_AT));
        tombstoneRecord
                .completionRecords()
                .byWriter()
                .forEach((writer, number) -> fields.add(Updates.max(WRITES + "." + writer, number)));
        return Updates.combine(fields);
    }

    private static ObjectRef ref(BsonDocument tombstone) {
        return ObjectRef.parse(tombstone.getString(StoredObject.ID).getValue()).orElseThrow();
    }

    private static Bson byIds(Collection<ObjectRef> refs) {
        return Filters.in(StoredObject.ID, refs.stream().map(ObjectRef::id).toList());
    }
}
