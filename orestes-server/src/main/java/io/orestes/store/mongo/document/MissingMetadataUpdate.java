package io.orestes.store.mongo.document;

import static io.orestes.model.StoredObject.ACL;
import static io.orestes.model.StoredObject.CREATED_AT;
import static io.orestes.model.StoredObject.READ_ALLOWED;
import static io.orestes.model.StoredObject.READ_DENIED;
import static io.orestes.model.StoredObject.UPDATED_AT;
import static io.orestes.model.StoredObject.VERSION;

import io.invalidb.model.VersionStamp;
import io.orestes.model.Acl;
import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.orestes.model.Permission;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.DocumentLayout;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The compare-and-set update that gives a document of another program its missing metadata. All
 * other fields stay.
 *
 * @param filter condition of the update: the metadata are still those from before
 * @param set fields and their values
 * @param unset names of fields
 */
record MissingMetadataUpdate(BsonDocument filter, BsonDocument set, List<String> unset) {

    /** Permissions of a document whose own cannot be read. */
    private static final Acl CLOSED =
            new Acl(Permission.only(Principal.ADMIN_ROLE), Permission.only(Principal.ADMIN_ROLE));

    private static final List<String> READERS = List.of(READ_ALLOWED, READ_DENIED);

    private static final List<String> GIVEN = List.of(
            VERSION,
            CREATED_AT,
            UPDATED_AT,
            ACL,
            READ_ALLOWED,
            READ_DENIED,
            MongoCollections.UNIQUE_KEYS,
            MongoCollections.WORDS);

    private static final List<String> COMPARED = List.of(VERSION, CREATED_AT, UPDATED_AT, ACL);

    /**
     * Creates the update to the next state.
     *
     * @param versionStamp version of the next state, from {@link #nextStamp}
     * @param indexHiddenFields fields for the indexes of the class
     */
    static MissingMetadataUpdate to(
            VersionStamp versionStamp,
            ObjectRef ref,
            BsonDocument stored,
            long now,
            IndexHiddenFields indexHiddenFields) {
        long updated = Math.max(
                Math.max(now, versionStamp.incarnation()),
                date(stored, UPDATED_AT).orElse(0) + 1);
        BsonDocument layout = DocumentLayout.of(ref, withReadableAcl(stored));
        DocumentLayout.complete(layout, versionStamp.version(), versionStamp.incarnation(), updated);
        indexHiddenFields.addTo(ref.bucket(), layout);
        BsonDocument set = new BsonDocument();
        GIVEN.stream().filter(layout::containsKey).forEach(name -> set.append(name, layout.get(name)));
        List<String> unset = GIVEN.stream()
                .filter(name -> stored.containsKey(name) && !set.containsKey(name))
                .toList();
        return new MissingMetadataUpdate(meeting(stored), set, unset);
    }

    /**
     * Returns whether the hidden fields with the readers of a document agree with its permissions.
     * They do not after another program changed the permissions.
     */
    static boolean hasCurrentReaders(ObjectRef ref, BsonDocument stored) {
        BsonDocument layout = DocumentLayout.of(ref, withReadableAcl(stored));
        return READERS.stream().allMatch(name -> Objects.equals(stored.get(name), layout.get(name)));
    }

    /** Returns this update without unique keys, for an object whose keys others own. */
    MissingMetadataUpdate withoutPlaces() {
        BsonDocument rest = new BsonDocument();
        rest.putAll(set);
        rest.remove(MongoCollections.UNIQUE_KEYS);
        return new MissingMetadataUpdate(
                filter,
                rest,
                Stream.concat(unset.stream(), Stream.of(MongoCollections.UNIQUE_KEYS))
                        .distinct()
                        .toList());
    }

    /** Returns the update operation of MongoDB. */
    BsonDocument update() {
        BsonDocument update = new BsonDocument("$set", set);
        if (!unset.isEmpty()) {
            BsonDocument names = new BsonDocument();
            unset.forEach(name -> names.append(name, new BsonString("")));
            update.append("$unset", names);
        }
        return update;
    }

    /** Returns a copy of a document to which the update is applied. */
    BsonDocument applied(BsonDocument stored) {
        BsonDocument result = new BsonDocument();
        result.putAll(stored);
        result.putAll(set);
        unset.forEach(result::remove);
        return result;
    }

    /**
     * Returns the next version; for a document without a version or creation time, the first of a
     * new life.
     *
     * @param known a state of the object that it has to follow, null if none is known
     * @param endOfLastLife end of the last life in the {@link TombstoneCollection}, 0 if there is
     *     none
     */
    static VersionStamp nextStamp(BsonDocument stored, @Nullable VersionStamp known, long endOfLastLife, long now) {
        OptionalLong created = date(stored, CREATED_AT);
        OptionalLong version = number(stored);
        long ended = Math.max(endOfLastLife, known == null ? 0 : known.incarnation());
        if (created.isEmpty() || (version.isEmpty() && created.getAsLong() <= ended)) {
            return new VersionStamp(Math.max(now, ended + 1), 1);
        }
        VersionStamp next = new VersionStamp(created.getAsLong(), version.orElse(0) + 1);
        if (known == null || next.isAfter(known)) {
            return next;
        }
        return known.incarnation() == next.incarnation()
                ? new VersionStamp(known.incarnation(), known.version() + 1)
                : new VersionStamp(Math.max(now, known.incarnation() + 1), 1);
    }

    private static OptionalLong date(BsonDocument stored, String name) {
        BsonValue value = stored.get(name, BsonNull.VALUE);
        return value.isDateTime() ? OptionalLong.of(value.asDateTime().getValue()) : OptionalLong.empty();
    }

    private static OptionalLong number(BsonDocument stored) {
        BsonValue version = stored.get(VERSION, BsonNull.VALUE);
        boolean isCount = version.isNumber() && version.asNumber().longValue() > 0;
        return isCount ? OptionalLong.of(version.asNumber().longValue()) : OptionalLong.empty();
    }

    private static BsonDocument meeting(BsonDocument stored) {
        BsonDocument condition = new BsonDocument(StoredObject.ID, stored.get(StoredObject.ID));
        COMPARED.forEach(name -> condition.append(
                name,
                stored.containsKey(name)
                        ? new BsonDocument("$eq", stored.get(name))
                        : new BsonDocument("$exists", BsonBoolean.FALSE)));
        return condition;
    }

    private static BsonDocument withReadableAcl(BsonDocument stored) {
        BsonDocument readable = new BsonDocument();
        readable.putAll(stored);
        readable.put(ACL, readableAcl(stored));
        return readable;
    }

    /** Returns the permissions of a document; for admins only if they are invalid. */
    static BsonValue readableAcl(BsonDocument stored) {
        BsonValue acl = stored.get(ACL, BsonNull.VALUE);
        try {
            return Acl.fromBson(acl).toBson();
        } catch (ApiException unreadable) {
            return CLOSED.toBson();
        }
    }
}
