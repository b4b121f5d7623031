package io.orestes.store;

import org.bson.BsonDocument;

/**
 * An idempotent function that transforms stored documents of a bucket, and its indexed paths, to a
 * new schema. {@link ObjectStore#rewrite} applies it. Pure and safe for all threads.
 */
public interface DocumentRewrite {

    /**
     * Returns the new form of a stored document. A document in the new form is returned equal, so
     * that an interrupted rewrite can be repeated.
     */
    BsonDocument fields(BsonDocument stored);

    /** Returns the new path of a path that an index was declared on. */
    String path(String indexed);
}
