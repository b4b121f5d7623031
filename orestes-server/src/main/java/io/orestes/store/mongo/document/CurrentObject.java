package io.orestes.store.mongo.document;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import org.bson.BsonDocument;

/**
 * The current state of an object as a writer reads it, with its completion records.
 *
 * @param writes the last writes of processes to it
 */
public record CurrentObject(StoredObject object, CompletionRecords writes) {

    /** Maps a document with complete metadata. The document is consumed. */
    public static CurrentObject in(ObjectRef ref, BsonDocument document) {
        // first, because the decoder removes the records
        CompletionRecords writes = CompletionRecords.in(document, MongoCollections.WRITES);
        return new CurrentObject(DocumentDecoder.object(ref, document), writes);
    }
}
