package io.orestes.store;

import org.bson.BsonDocument;

/**
 * An idempotent function that transforms stored documents of a bucket, and its indexed paths, to a
 * new schema. {@link ObjectStore#rewrite} applies it. Pure and safe for all threads.
 */
public interface DocumentRewrite {

    /**
     * The new form of a stored document. One that has it already comes back equal, so that a
     * rewriting that was interrupted can be done again.
     */
    BsonDocument fields(BsonDocument stored);

    /**
     * What becomes of a path that an index was declared on; its values are found there afterwards.
     */
    String path(String indexed);
}
