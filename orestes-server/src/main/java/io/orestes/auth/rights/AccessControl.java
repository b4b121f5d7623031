package io.orestes.auth.rights;

import io.invalidb.query.filter.Filter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;

/** The access rules of protocol §6 as pure functions of principal, class and object. */
public final class AccessControl {

    private static final Set<String> REGISTERED_ONLY = Set.of("User", "Device");
    private static final Set<String> ASSIGNED_IDS = Set.of("User", "Role", "logs.AppLog");
    private static final Filter PUBLIC_ONLY =
            Filter.parse(new BsonDocument(StoredObject.READ_ALLOWED, existsCondition(false)));

    private AccessControl() {}

    /**
     * Fails with {@code PERMISSION_DENIED} unless the caller may insert objects of the class by
     * request; users and devices are created by registration only.
     */
    public static void requireInsert(Principal principal, ClassSchema type) {
        if (isRegisteredOnly(type)) {
            throw new ApiException(
                    ErrorCode.PERMISSION_DENIED, "Inserts of " + type.name() + " objects are not allowed");
        }
        type.require(ClassOperation.INSERT, principal);
    }

    /** Returns whether only the server assigns the ids of the class's objects (protocol §1.2). */
    public static boolean hasAssignedIds(ClassSchema type) {
        return ASSIGNED_IDS.contains(type.name());
    }

    /**
     * Returns whether a replace by the caller inserts an absent object. Where the server assigns
     * ids, only admins choose one; otherwise a client could create an object that a permission
     * names.
     */
    public static boolean mayInsertUnderId(Principal principal, ClassSchema type) {
        return !isRegisteredOnly(type) && (principal.isAdmin() || !hasAssignedIds(type));
    }

    /** Returns whether objects of the class are created by registration only. */
    public static boolean isRegisteredOnly(ClassSchema type) {
        return REGISTERED_ONLY.contains(type.name());
    }

    /** Returns whether some fields of the object are read-only for the caller. */
    public static boolean hasReadOnlyFields(Principal principal, ObjectRef ref) {
        return ref.bucket().equals(UserRepository.BUCKET) && !principal.isAdmin();
    }

    /**
     * Restores the read-only fields in a write by such a caller: only admins change names and
     * states of users.
     */
    public static BsonDocument withReadOnlyFields(BsonDocument current, BsonDocument wanted) {
        BsonDocument fields = wanted.clone();
        UserRepository.READ_ONLY.forEach(name -> fields.put(name, current.get(name, BsonNull.VALUE)));
        return fields;
    }

    /**
     * Returns whether the object's own permissions allow the caller to read it; if not, it does not
     * exist for the caller.
     */
    public static boolean canRead(Principal principal, StoredObject object) {
        return !object.document().containsKey(StoredObject.ACL)
                || object.acl().read().permits(principal);
    }

    /** Returns the object, unless it must appear absent to the caller. */
    public static Optional<StoredObject> readable(Principal principal, StoredObject object) {
        return canRead(principal, object) ? Optional.of(object) : Optional.empty();
    }

    /**
     * Returns the condition that restricts a query's result to what the caller may read; empty for
     * a caller that may read everything.
     */
    public static Optional<Filter> readCondition(Principal principal) {
        if (principal.isAdmin()) {
            return Optional.empty();
        }
        return Optional.of(principal.isAnonymous() ? PUBLIC_ONLY : Filter.parse(condition(principal)));
    }

    private static BsonDocument condition(Principal principal) {
        BsonArray identities = new BsonArray();
        principal.identities().stream().sorted().map(BsonString::new).forEach(identities::add);
        BsonDocument undeclared = new BsonDocument(StoredObject.READ_ALLOWED, existsCondition(false));
        BsonDocument allowed = new BsonDocument(StoredObject.READ_ALLOWED, new BsonDocument("$in", identities));
        BsonDocument undenied = new BsonDocument("$nin", identities);
        if (principal.hasUncountedRoles()) {
            undenied.append("$not", roleIdCondition());
        }
        return new BsonDocument(StoredObject.READ_DENIED, undenied)
                .append("$or", new BsonArray(List.of(undeclared, allowed)));
    }

    /** Returns the condition that an id, or one of a list of ids, is the id of a role. */
    public static BsonDocument roleIdCondition() {
        return new BsonDocument("$regex", new BsonString("^" + Principal.UNCOUNTED_ROLES));
    }

    private static BsonDocument existsCondition(boolean expected) {
        return new BsonDocument("$exists", BsonBoolean.valueOf(expected));
    }
}
