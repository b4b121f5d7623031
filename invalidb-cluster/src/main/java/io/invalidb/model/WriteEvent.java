package io.invalidb.model;

import org.bson.BsonDocument;

/** One committed write. Of two events with the same bucket and id, the one with the later stamp tells the newer state. */
public sealed interface WriteEvent {

    /** Bucket (class) of the object, e.g. {@code Todo}. */
    String bucket();

    /** The object's {@code _id}, unique over all buckets. */
    String id();

    /** Where the state it led to stands among all states of this object. */
    Stamp stamp();

    /** What the client did. */
    Operation operation();

    /**
     * The object was inserted or updated.
     *
     * @param afterImage the complete object as committed, including {@code _id}; never changed by anybody afterwards
     */
    record Upsert(String bucket, String id, Stamp stamp, Operation operation, BsonDocument afterImage)
            implements WriteEvent {}

    /** The object was deleted; the stamp is one version after the last state. */
    record Delete(String bucket, String id, Stamp stamp) implements WriteEvent {

        @Override
        public Operation operation() {
            return Operation.DELETE;
        }
    }
}
