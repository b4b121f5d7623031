package io.orestes.store.mongo.document;

import org.bson.BsonDocument;

/** The hidden fields that the indexes of a bucket need in a document. */
public interface IndexHiddenFields {

    /** Adds the hidden fields for the indexes of a bucket to a document. */
    void addTo(String bucket, BsonDocument document);
}
