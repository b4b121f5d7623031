package io.orestes.auth.rights;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.Batch;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The invariant that root, the built-in roles and one active admin remain after every write. An
 * active admin is an active member of the role admin. A check is valid at one moment only. So the
 * write that relies on it is committed with the states that were found as {@link
 * Batch.StateAssertion premises}. Safe for all threads.
 */
public final class AdminInvariant {

    /** Id of the user root. */
    public static final ObjectRef ROOT = new ObjectRef(UserRepository.BUCKET, "1");

    /** Id of the role admin. */
    public static final ObjectRef ADMIN_ROLE_REF = new ObjectRef(UserRepository.ROLE_BUCKET, "1");

    private static final Set<ObjectRef> BUILT_IN = Set.of(
            ROOT,
            ADMIN_ROLE_REF,
            new ObjectRef(UserRepository.ROLE_BUCKET, "2"),
            new ObjectRef(UserRepository.ROLE_BUCKET, "3"));

    private final ObjectStore store;
    private final UserRepository userRepository;

    public AdminInvariant(ObjectStore store) {
        this.store = store;
        this.userRepository = new UserRepository(store);
    }

    /** Returns whether a truncation of the class retains objects. */
    public static boolean retainsObjectsOf(String bucket) {
        return bucket.equals(UserRepository.BUCKET) || bucket.equals(UserRepository.ROLE_BUCKET);
    }

    /** Returns whether a write of the object can lock out the last admin. */
    public static boolean isAffectedBy(ObjectRef ref) {
        return ref.equals(ADMIN_ROLE_REF) || ref.bucket().equals(UserRepository.BUCKET);
    }

    /** Returns whether no caller can delete the object. */
    public static boolean isBuiltIn(ObjectRef ref) {
        return BUILT_IN.contains(ref);
    }

    /** Fails with {@code PERMISSION_DENIED} if the object cannot be deleted. */
    public static void requireDeletable(ObjectRef ref) {
        if (isBuiltIn(ref)) {
            throw new ApiException(
                    ErrorCode.PERMISSION_DENIED,
                    ref.id() + " is built in and cannot be deleted; a user can be made inactive instead");
        }
    }

    /** Returns whether a user with these fields is active. */
    public static boolean isActive(BsonDocument user) {
        return UserRepository.isActive(user);
    }

    /**
     * States that show that a write leaves an active admin.
     *
     * @param premises these states, which have to be current when the write is committed
     * @param users users that the write deactivates or deletes, and the remaining active
     *     admin if the premises name one
     */
    public record Evidence(List<Batch.StateAssertion> premises, Set<ObjectRef> users) {

        public Evidence {
            premises = List.copyOf(premises);
            users = Set.copyOf(users);
        }
    }

    /**
     * Finds evidence that an active admin remains without some users. Fails with {@code
     * PERMISSION_DENIED} if none remains.
     */
    public Future<Evidence> requireAdminWithout(Set<ObjectRef> leaving) {
        return store.find(ADMIN_ROLE_REF).compose(role -> {
            Set<String> members = members(role.orElse(null));
            boolean areOthers = leaving.stream().map(ObjectRef::id).noneMatch(members::contains);
            return areOthers
                    ? Future.succeededFuture(
                            new Evidence(List.of(Batch.StateAssertion.of(ADMIN_ROLE_REF, role.orElse(null))), leaving))
                    : requireOne(Batch.StateAssertion.of(ADMIN_ROLE_REF, role.orElse(null)), members, leaving);
        });
    }

    /**
     * Finds evidence that an active admin remains without some users when the role admin is
     * written, too. Fails with {@code PERMISSION_DENIED} if none remains.
     *
     * @param write maps the role to its state after the write
     */
    public Future<Evidence> requireAdminWithout(
            Set<ObjectRef> leaving, Function<Optional<StoredObject>, BsonDocument> write) {
        return store.find(ADMIN_ROLE_REF)
                .compose(role -> requireOne(
                        Batch.StateAssertion.of(ADMIN_ROLE_REF, role.orElse(null)),
                        UserRepository.members(write.apply(role)),
                        leaving));
    }

    /**
     * Finds evidence that an active admin remains after a user or role is deleted. Fails with
     * {@code PERMISSION_DENIED} if none remains.
     */
    public Future<Evidence> requireAdminAfterDeletion(ObjectRef ref) {
        return ref.equals(ADMIN_ROLE_REF)
                ? requireAdminWithout(Set.of(), role -> new BsonDocument())
                : requireAdminWithout(Set.of(ref));
    }

    private Future<Evidence> requireOne(Batch.StateAssertion role, Set<String> members, Set<ObjectRef> leaving) {
        Stream<ObjectRef> others = refs(members).filter(ref -> !leaving.contains(ref));
        return active(others).map(active -> active.stream()
                .findFirst()
                .map(one -> new Evidence(
                        List.of(role, Batch.StateAssertion.of(one.ref(), one)),
                        Stream.concat(leaving.stream(), Stream.of(one.ref())).collect(Collectors.toUnmodifiableSet())))
                .orElseThrow(AdminInvariant::lockedOut));
    }

    /** Returns whether an active user can administer the server now. */
    public Future<Boolean> hasActive() {
        return store.find(ADMIN_ROLE_REF)
                .compose(role -> active(refs(members(role.orElse(null)))))
                .map(active -> !active.isEmpty());
    }

    private static Set<String> members(@Nullable StoredObject role) {
        return role == null ? Set.of() : UserRepository.members(role.document());
    }

    private Future<List<StoredObject>> active(Stream<ObjectRef> refs) {
        List<Future<Optional<StoredObject>>> found = refs.filter(
                        ref -> ref.bucket().equals(UserRepository.BUCKET))
                .map(userRepository::active)
                .toList();
        return Future.all(found)
                .map(all ->
                        found.stream().flatMap(user -> user.result().stream()).toList());
    }

    private static Stream<ObjectRef> refs(Set<String> ids) {
        return ids.stream().map(ObjectRef::parse).flatMap(Optional::stream);
    }

    /**
     * The objects that a truncation retains so that an active admin remains.
     *
     * @param premise the state of the role admin that names them
     */
    public record RetainedObjects(Set<ObjectRef> refs, Batch.StateAssertion premise) {

        public RetainedObjects {
            refs = Set.copyOf(refs);
        }
    }

    /** Returns the objects that a truncation would retain now. */
    public Future<RetainedObjects> retainedObjects() {
        return store.find(ADMIN_ROLE_REF)
                .map(role -> new RetainedObjects(
                        Stream.concat(refs(members(role.orElse(null))), BUILT_IN.stream())
                                .collect(Collectors.toUnmodifiableSet()),
                        Batch.StateAssertion.of(ADMIN_ROLE_REF, role.orElse(null))));
    }

    private static ApiException lockedOut() {
        return new ApiException(
                ErrorCode.PERMISSION_DENIED,
                "The role admin (" + Principal.ADMIN_ROLE + ") would have no active user as a member, and nobody could"
                        + " administer the server; make another user a member first");
    }
}
