package io.invalidb.model;

import org.bson.BsonDocument;

/**
 * One committed write. Of two events with the same bucket and id, the one with the later stamp
 * tells the newer state.
 */
public sealed interface WriteEvent {

    /** Bucket (class) of the object, e.g. {@code Todo}. */
    String bucket();

    /** The object's {@code _id}, unique over all buckets. */
    String id();

    /** Where the state it led to stands among all states of this object. */
    VersionStamp stamp();

    /** What the client did. */
    WriteOperation operation();

    /**
     * The object was inserted or updated.
     *
     * @param afterImage the complete object as committed, including {@code _id}; never changed by
     *     anybody afterwards
     */
    record Upsert(String bucket, String id, VersionStamp stamp, WriteOperation operation, BsonDocument afterImage)
            implements WriteEvent {}

    /** The object was deleted; the stamp is one version after the last state. */
    record Delete(String bucket, String id, VersionStamp stamp) implements WriteEvent {

        @Override
        public WriteOperation operation() {
            return WriteOperation.DELETE;
        }
    }
}
