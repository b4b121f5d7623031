package io.orestes.model;

import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteOperation;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonNull;

/**
 * One committed state of an object. Beside the fields of its class, the document contains the
 * metadata named here; it is shared between threads and never changed.
 *
 * @param ref the object's address
 * @param document {@code _id} (the id string), {@code version} (int64), {@code createdAt} and
 *     {@code updatedAt} (dates), {@code acl} (wire form, absent if public), and the fields of the
 *     class
 */
public record StoredObject(ObjectRef ref, BsonDocument document) implements WriteOutcome {

    public static final String ID = "_id";
    public static final String VERSION = "version";
    public static final String ACL = "acl";
    public static final String CREATED_AT = "createdAt";
    public static final String UPDATED_AT = "updatedAt";

    /**
     * Arrays of the ids that {@code acl.read} allows and denies, absent if empty. Redundant with
     * {@code acl}; they make "readable by this caller" an ordinary query condition for the store
     * and for InvaliDB.
     */
    public static final String READ_ALLOWED = "_readAllowed";

    public static final String READ_DENIED = "_readDenied";

    /** Names that no class can declare: maintained by the server. */
    public static final Set<String> METADATA =
            Set.of(ID, "id", VERSION, ACL, CREATED_AT, UPDATED_AT, READ_ALLOWED, READ_DENIED);

    /** Returns the version, which starts at 1 and grows by one with every write. */
    public long version() {
        return document.getInt64(VERSION).getValue();
    }

    /** Returns the time when this life of the object began, milliseconds since 1970. */
    public long createdAt() {
        return document.getDateTime(CREATED_AT).getValue();
    }

    /**
     * Returns the time when this state was committed, milliseconds since 1970; strictly larger than
     * that of the state before.
     */
    public long updatedAt() {
        return document.getDateTime(UPDATED_AT).getValue();
    }

    /** Returns the permissions to read and write it. */
    public Acl acl() {
        return Acl.fromBson(document.get(ACL, BsonNull.VALUE));
    }

    /** Returns the position of this state among all states of the object. */
    @Override
    public VersionStamp stamp() {
        return new VersionStamp(createdAt(), version());
    }

    @Override
    public Optional<StoredObject> storedObject() {
        return Optional.of(this);
    }

    @Override
    public boolean isCreation() {
        return version() == 1;
    }

    @Override
    public WriteEvent toEvent() {
        WriteOperation operation = isCreation() ? WriteOperation.INSERT : WriteOperation.UPDATE;
        return new WriteEvent.Upsert(ref.bucket(), ref.id(), stamp(), operation, document);
    }
}
