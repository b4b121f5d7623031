package io.orestes.store.mongo.write;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.WriteModel;
import io.invalidb.model.VersionStamp;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.orestes.store.mongo.document.CompletionRecords;
import io.orestes.store.mongo.document.DocumentDecoder;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.document.TombstoneCollection.TombstoneRecord;
import io.orestes.store.mongo.document.WriteId;
import io.orestes.store.mongo.driver.MongoErrors;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * A conditional write that inserts, replaces or deletes an object only if it is in one expected
 * state. The write names this state by id, version and times. It changes nothing if the object is
 * not in that state any more.
 */
sealed interface ConditionalWrite {

    ObjectRef ref();

    /** Returns the id by which the write is recognised in MongoDB when its response is lost. */
    WriteId id();

    /** Returns the last writes of processes to the object, this one included. */
    CompletionRecords completionRecords();

    /** Returns the state after the write. */
    WriteOutcome outcome();

    /** True if the object has that key in a unique index after the write. */
    boolean occupiesKey(BsonValue key);

    /** Returns the write in the form for a bulk request. */
    WriteModel<BsonDocument> model();

    /** Passes the write to the method for its kind. */
    <R> R accept(Visitor<R> visitor);

    /**
     * True if the state that the write replaces is still stored, so that the write may yet be
     * applied: a transaction in flight may have locked it.
     *
     * @param stored the newest documents of the object
     * @param end the record of its last deletion, null if there is none
     */
    boolean isApplicable(List<BsonDocument> stored, @Nullable TombstoneRecord end);

    /** Returns the record for the tombstone; empty unless the write is a deletion. */
    default Optional<TombstoneRecord> tombstoneRecord() {
        return Optional.empty();
    }

    /**
     * True if the write may be made without a transaction in a collection that takes none, such as
     * a capped one.
     */
    default boolean isTransactionOptional() {
        return false;
    }

    /**
     * True if another object has the key of the write in a unique index, and no earlier attempt can
     * have made the write.
     */
    default boolean isRefusedByOtherKey(Throwable failure) {
        return false;
    }

    /** The operations on each kind of conditional write. */
    interface Visitor<R> {

        R insert(ConditionalInsert insertion);

        R replace(ConditionalReplace replacement);

        R delete(ConditionalDelete deletion);
    }

    /** A conditional write that stores a document as the next state of its object. */
    sealed interface ConditionalPut extends ConditionalWrite {

        /**
         * Returns the document as it is stored, with the hidden fields for indexes and the record
         * of this write.
         */
        BsonDocument document();

        @Override
        default CompletionRecords completionRecords() {
            return CompletionRecords.in(document(), MongoCollections.WRITES);
        }

        @Override
        default StoredObject outcome() {
            BsonDocument visible = new BsonDocument();
            visible.putAll(document());
            MongoCollections.HIDDEN_FIELDS.forEach(visible::remove);
            return new StoredObject(ref(), visible);
        }

        @Override
        default boolean occupiesKey(BsonValue key) {
            return document()
                    .getArray(MongoCollections.UNIQUE_KEYS, new BsonArray())
                    .contains(key);
        }
    }

    /** The conditional write that inserts the first state of an object that is absent. */
    record ConditionalInsert(ObjectRef ref, BsonDocument document, WriteId id) implements ConditionalPut {

        private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.insert(this);
        }

        /** An insertion replaces the absence after a life that ended before it was planned. */
        @Override
        public boolean isApplicable(List<BsonDocument> stored, @Nullable TombstoneRecord end) {
            return stored.isEmpty() && (end == null || end.updatedAt() < createdAt());
        }

        @Override
        public boolean isTransactionOptional() {
            return true;
        }

        /**
         * A document of the same id may be that of the first attempt, which no majority has yet.
         * The first attempt of a replacement may still find a taken key free, as it is no
         * transaction.
         */
        @Override
        public boolean isRefusedByOtherKey(Throwable failure) {
            return MongoErrors.isDuplicate(failure)
                    && !MongoErrors.duplicate(failure).containsKey(StoredObject.ID);
        }

        @Override
        public WriteModel<BsonDocument> model() {
            return new InsertOneModel<>(document);
        }

        /** Returns the time when the life of the object begins, milliseconds since 1970. */
        long createdAt() {
            return document.getDateTime(StoredObject.CREATED_AT).getValue();
        }

        /** Returns the bytes of the stored document, for the limits of a command. */
        int sizeBytes() {
            return new RawBsonDocument(document, CODEC).getByteBuffer().remaining();
        }

        /** Returns a filter that never matches, because no version is 0. */
        BsonDocument neverMatchingFilter() {
            return new BsonDocument(StoredObject.ID, new BsonString(ref.id()))
                    .append(StoredObject.VERSION, new BsonInt64(0));
        }
    }

    /** The conditional write that replaces exactly one known state of an object by the next. */
    record ConditionalReplace(StoredObject before, BsonDocument document, WriteId id) implements ConditionalPut {

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.replace(this);
        }

        @Override
        public boolean isApplicable(List<BsonDocument> stored, @Nullable TombstoneRecord end) {
            return states(ref(), stored).contains(DocumentIds.state(before));
        }

        @Override
        public ObjectRef ref() {
            return before.ref();
        }

        @Override
        public WriteModel<BsonDocument> model() {
            return new ReplaceOneModel<>(DocumentIds.state(before), DocumentIds.replacement(ref(), document));
        }
    }

    /**
     * The conditional write that deletes an object if it is still in its last known state.
     *
     * @param completionRecords the last writes of processes to the object, this one included
     */
    record ConditionalDelete(StoredObject last, CompletionRecords completionRecords, WriteId id)
            implements ConditionalWrite {

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.delete(this);
        }

        @Override
        public boolean isApplicable(List<BsonDocument> stored, @Nullable TombstoneRecord end) {
            return states(ref(), stored).contains(DocumentIds.state(last));
        }

        @Override
        public ObjectRef ref() {
            return last.ref();
        }

        @Override
        public Tombstone outcome() {
            return new Tombstone(last.ref(), new VersionStamp(last.createdAt(), last.version() + 1));
        }

        @Override
        public boolean occupiesKey(BsonValue key) {
            return false;
        }

        @Override
        public Optional<TombstoneRecord> tombstoneRecord() {
            return Optional.of(new TombstoneRecord(last.ref(), last.updatedAt(), completionRecords));
        }

        @Override
        public WriteModel<BsonDocument> model() {
            return new DeleteOneModel<>(DocumentIds.state(last));
        }
    }

    /** Returns the filters of the states of an object that documents with metadata contain. */
    static List<BsonDocument> states(ObjectRef ref, List<BsonDocument> documents) {
        return documents.stream()
                .filter(DocumentDecoder::hasMetadata)
                .map(document -> DocumentIds.state(new StoredObject(ref, document)))
                .toList();
    }
}
