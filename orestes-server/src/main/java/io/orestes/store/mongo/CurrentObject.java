package io.orestes.store.mongo;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import org.bson.BsonDocument;

/**
 * The current state of an object as a writer reads it, with its completion records.
 *
 * @param writes the last writes of processes to it
 */
record CurrentObject(StoredObject object, CompletionRecords writes) {

    /** The object behind a document that lacks no metadata. The document is used up. */
    static CurrentObject in(ObjectRef ref, BsonDocument document) {
        // an object does not have them any more
        CompletionRecords writes = CompletionRecords.in(document, MongoCollections.WRITES);
        return new CurrentObject(DocumentMapper.object(ref, document), writes);
    }
}
