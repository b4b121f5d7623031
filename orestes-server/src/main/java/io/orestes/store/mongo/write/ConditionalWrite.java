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
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.document.TombstoneCollection;
import io.orestes.store.mongo.document.WriteId;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * A conditional write that inserts, replaces or deletes an object only if it is in one expected
 * state. The write names this state by id, version and times. It changes nothing if the object is
 * not in that state any more.
 */
sealed interface ConditionalWrite {

    ObjectRef ref();

    /** Returns the id by which the write is recognised in MongoDB when its response is lost. */
    WriteId id();

    /** Returns the state that it replaces or deletes; empty if it is the first of an object. */
    Optional<StoredObject> replaced();

    /** Returns the last writes of processes to the object, this one included. */
    CompletionRecords completionRecords();

    /** Returns the state after the write. */
    WriteOutcome outcome();

    /** True if the object has that key in a unique index after the write. */
    boolean occupiesKey(BsonValue key);

    /** Returns the write in the form for a bulk request. */
    WriteModel<BsonDocument> model();

    /**
     * The conditional write that inserts the first state of an object that is absent.
     *
     * @param document as it is stored, with the hidden fields for indexes and the record of this
     *     write
     */
    record ConditionalInsert(ObjectRef ref, BsonDocument document, WriteId id) implements ConditionalWrite {

        private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

        @Override
        public Optional<StoredObject> replaced() {
            return Optional.empty();
        }

        @Override
        public CompletionRecords completionRecords() {
            return CompletionRecords.in(document, MongoCollections.WRITES);
        }

        @Override
        public StoredObject outcome() {
            return withoutHiddenFields(ref, document);
        }

        @Override
        public boolean occupiesKey(BsonValue key) {
            return document.getArray(MongoCollections.UNIQUE_KEYS, new BsonArray())
                    .contains(key);
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
    record ConditionalReplace(StoredObject before, BsonDocument document, WriteId id) implements ConditionalWrite {

        @Override
        public Optional<StoredObject> replaced() {
            return Optional.of(before);
        }

        @Override
        public CompletionRecords completionRecords() {
            return CompletionRecords.in(document, MongoCollections.WRITES);
        }

        @Override
        public ObjectRef ref() {
            return before.ref();
        }

        @Override
        public StoredObject outcome() {
            return withoutHiddenFields(ref(), document);
        }

        @Override
        public boolean occupiesKey(BsonValue key) {
            return document.getArray(MongoCollections.UNIQUE_KEYS, new BsonArray())
                    .contains(key);
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
        public Optional<StoredObject> replaced() {
            return Optional.of(last);
        }

        @Override
        public ObjectRef ref() {
            return last.ref();
        }

        @Override
        public Tombstone outcome() {
            return tombstone(last);
        }

        @Override
        public boolean occupiesKey(BsonValue key) {
            return false;
        }

        /** Returns the record for the tombstone. */
        TombstoneCollection.TombstoneRecord tombstoneRecord() {
            return new TombstoneCollection.TombstoneRecord(last.ref(), last.updatedAt(), completionRecords);
        }

        @Override
        public WriteModel<BsonDocument> model() {
            return new DeleteOneModel<>(DocumentIds.state(last));
        }
    }

    /** Returns the tombstone after the last state of an object. */
    static Tombstone tombstone(StoredObject last) {
        return new Tombstone(last.ref(), new VersionStamp(last.createdAt(), last.version() + 1));
    }

    private static StoredObject withoutHiddenFields(ObjectRef ref, BsonDocument document) {
        BsonDocument copy = new BsonDocument();
        copy.putAll(document);
        MongoCollections.HIDDEN_FIELDS.forEach(copy::remove);
        return new StoredObject(ref, copy);
    }
}
