package io.orestes.store.mongo;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import org.bson.BsonDocument;

/**
 * An object as a writer finds it.
 *
 * @param writes the last writes of processes to it
 */
record Found(StoredObject object, CompletionRecords writes) {

    /** The object behind a document that lacks no metadata. The document is used up. */
    static Found in(ObjectRef ref, BsonDocument document) {
        // an object does not have them any more
        CompletionRecords writes = CompletionRecords.in(document, Buckets.WRITES);
        return new Found(Documents.object(ref, document), writes);
    }
}
