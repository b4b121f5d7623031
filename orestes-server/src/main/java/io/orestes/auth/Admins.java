package io.orestes.auth;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/**
 * Keeps writes from locking everybody out: root and the built-in roles stay, and so does one active member of the role admin.
 * Two writes at the same moment may each rely on what the other takes away; the next start repairs that. Safe for all threads.
 */
public final class Admins {

    /** Id of the role admin. */
    static final ObjectRef ROLE = new ObjectRef(Users.ROLE_BUCKET, "1");

    private static final Set<ObjectRef> BUILT_IN = Set.of(
            RootAccount.ROOT, ROLE, new ObjectRef(Users.ROLE_BUCKET, "2"), new ObjectRef(Users.ROLE_BUCKET, "3"));

    private final Users users;

    public Admins(ObjectStore store) {
        this.users = new Users(store);
    }

    /** Whether a truncation of the class leaves anything. */
    public static boolean stayIn(String bucket) {
        return bucket.equals(Users.BUCKET) || bucket.equals(Users.ROLE_BUCKET);
    }

    /** Whether a write of the object can lock anybody out. */
    public static boolean dependOn(ObjectRef ref) {
        return ref.equals(ROLE) || ref.bucket().equals(Users.BUCKET);
    }

    /** Whether the object has to stay, whoever asks. */
    public static boolean haveToKeep(ObjectRef ref) {
        return BUILT_IN.contains(ref);
    }

    /** Fails with {@code PERMISSION_DENIED} for what has to stay. */
    public static void requireDeletable(ObjectRef ref) {
        if (haveToKeep(ref)) {
            throw new ApiException(
                    ErrorCode.PERMISSION_DENIED,
                    ref.id() + " is built in and cannot be deleted; a user can be made inactive instead");
        }
    }

    /**
     * Fails with {@code PERMISSION_DENIED} if nobody could administer the server after a write of the role admin or of a user.
     *
     * @param after fields of the object then; absent if it is deleted
     */
    public Future<Void> requireOneAfter(ObjectRef written, Optional<BsonDocument> after) {
        if (written.equals(ROLE)) {
            return requireActive(Users.members(after.orElseGet(BsonDocument::new)));
        }
        boolean staysActive = after.filter(Users::isActive).isPresent();
        return staysActive
                ? Future.succeededFuture()
                : users.membersOf(ROLE).compose(members -> requireActiveWithout(written.id(), members));
    }

    private Future<Void> requireActiveWithout(String user, Set<String> members) {
        return members.contains(user)
                ? requireActive(members.stream().filter(id -> !id.equals(user)).collect(Collectors.toSet()))
                : Future.succeededFuture();
    }

    private Future<Void> requireActive(Set<String> members) {
        return hasActive(members).compose(known -> known ? Future.succeededFuture() : Future.failedFuture(lockedOut()));
    }

    /** Whether anybody who is active can administer the server now. */
    Future<Boolean> hasActive() {
        return users.membersOf(ROLE).compose(this::hasActive);
    }

    private Future<Boolean> hasActive(Set<String> members) {
        List<Future<Optional<StoredObject>>> found = refs(members)
                .filter(ref -> ref.bucket().equals(Users.BUCKET))
                .map(users::active)
                .toList();
        return Future.all(found)
                .map(all -> found.stream().anyMatch(user -> user.result().isPresent()));
    }

    private static Stream<ObjectRef> refs(Set<String> ids) {
        return ids.stream().map(ObjectRef::parse).flatMap(Optional::stream);
    }

    /** What a truncation leaves, so that there is somebody to go on. */
    public Future<Set<ObjectRef>> staying() {
        return users.membersOf(ROLE).map(members -> Stream.concat(refs(members), BUILT_IN.stream())
                .collect(Collectors.toUnmodifiableSet()));
    }

    private static ApiException lockedOut() {
        return new ApiException(
                ErrorCode.PERMISSION_DENIED,
                "The role admin (" + Principal.ADMIN_ROLE + ") would have no active user as a member, and nobody could"
                        + " administer the server; make somebody else a member first");
    }
}
