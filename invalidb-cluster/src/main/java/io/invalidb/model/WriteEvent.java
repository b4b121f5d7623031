package io.invalidb.model;

import java.util.Optional;
import org.bson.BsonDocument;

/**
 * One committed write. Of two events with the same bucket and id, the one with the later stamp has
 * the newer state.
 */
public sealed interface WriteEvent {

    /** Returns the bucket (class) of the object, e.g. {@code Todo}. */
    String bucket();

    /** Returns the object's {@code _id}, unique over all buckets. */
    String id();

    /** Returns the position of the state among all states of this object. */
    VersionStamp stamp();

    /** Returns the client's operation. */
    WriteOperation operation();

    /** Returns the insertion or update that the write is; empty for a deletion. */
    default Optional<Upsert> upsert() {
        return Optional.empty();
    }

    /**
     * An insertion or update.
     *
     * @param afterImage the complete object as committed, including {@code _id}; it never changes
     *     afterwards
     */
    record Upsert(String bucket, String id, VersionStamp stamp, WriteOperation operation, BsonDocument afterImage)
            implements WriteEvent {

        @Override
        public Optional<Upsert> upsert() {
            return Optional.of(this);
        }
    }

    /** A deletion; its stamp is one version after the last state. */
    record Delete(String bucket, String id, VersionStamp stamp) implements WriteEvent {

        @Override
        public WriteOperation operation() {
            return WriteOperation.DELETE;
        }
    }
}
