package io.orestes.auth.account;

import io.orestes.auth.password.PasswordService;
import io.orestes.auth.rights.AdminInvariant;
import io.orestes.auth.rights.UserRepository;
import io.orestes.model.Acl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Permission;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.schema.ClassIndexService;
import io.orestes.store.ObjectStore;
import io.orestes.store.UpdateFunction;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The built-in accounts of every server: user {@code root} and the roles admin, node and loggedin
 * (protocol §5.8). There is no default password: until one is set, root can only be claimed by the
 * one-time set-up token.
 */
public final class BuiltInAccounts {

    private static final Logger log = LoggerFactory.getLogger(BuiltInAccounts.class);

    private final ObjectStore store;
    private final PasswordService passwordService;
    private final SetupToken setup = new SetupToken();

    public BuiltInAccounts(ObjectStore store, PasswordService passwordService) {
        this.store = store;
        this.passwordService = passwordService;
    }

    /**
     * Creates missing accounts, makes root an active admin if there is no other, and gives root the
     * password, if one is given. A password that differs from the stored one ends all sessions of
     * root.
     *
     * @param rootPassword password of root; {@code null} for the one that it has
     * @return a set-up token if root still has no password after that
     */
    public Future<Optional<String>> bootstrap(@Nullable String rootPassword) {
        return keepNamesApart()
                .compose(done -> store.createIndex(UserRepository.ROLE_BUCKET, ClassIndexService.ROLE_MEMBERS))
                .compose(done -> ensure(AdminInvariant.ROOT, root()))
                .compose(done -> ensure(AdminInvariant.ADMIN_ROLE_REF, role("admin", AdminInvariant.ROOT)))
                .compose(done -> ensure(ref("2"), role("node")))
                .compose(done -> ensure(ref("3"), role("loggedin")))
                .compose(done -> ensureAdmin())
                .compose(done -> rootPassword == null
                        ? Future.succeededFuture()
                        : passwordService.ensure(AdminInvariant.ROOT, rootPassword))
                .compose(done -> passwordService.isSet(AdminInvariant.ROOT))
                .map(claimed -> claimed ? Optional.empty() : Optional.of(setup.issue()));
    }

    /**
     * Sets root's first password. Fails with {@code BAD_CREDENTIALS} unless the set-up token is the
     * one that was issued; it works once.
     */
    public Future<Void> setRootPassword(String setupToken, String password) {
        // a password that will be refused must not use the token up
        boolean mayNotSet = PasswordService.isPassword(password) && !setup.consume(setupToken);
        return mayNotSet
                ? Future.failedFuture(
                        new ApiException(ErrorCode.BAD_CREDENTIALS, "The set-up token is wrong or was used already"))
                : Future.succeededFuture()
                        .compose(open -> passwordService.set(AdminInvariant.ROOT, password))
                        .mapEmpty();
    }

    /**
     * Renames users so that no two have one name. Duplicates from an earlier version or an import
     * must not prevent the start of the server.
     */
    private Future<Void> keepNamesApart() {
        return store.createIndex(UserRepository.BUCKET, ClassIndexService.USER_NAMES)
                .compose(done -> store.dropIndex(UserRepository.BUCKET, ClassIndexService.USER_NAMES.asPlain()))
                .recover(failure -> {
                    log.warn(
                            "User names are not unique: {}",
                            ApiException.of(failure).message());
                    return store.createIndex(UserRepository.BUCKET, ClassIndexService.USER_NAMES.asPlain());
                });
    }

    private Future<StoredObject> ensure(ObjectRef ref, BsonDocument fields) {
        return store.find(ref)
                .compose(found -> found.map(Future::succeededFuture).orElseGet(() -> insert(ref, fields)));
    }

    /** Inserts an object unless another server on the same store has done so. */
    private Future<StoredObject> insert(ObjectRef ref, BsonDocument fields) {
        return store.insert(ref, fields)
                .recover(failure -> ApiException.of(failure).code() == ErrorCode.OBJECT_EXISTS
                        ? store.find(ref).map(Optional::orElseThrow)
                        : Future.failedFuture(failure));
    }

    /**
     * Ensures that an active admin exists. An earlier version, or another program that writes to
     * MongoDB, may leave none.
     */
    private Future<Void> ensureAdmin() {
        return new AdminInvariant(store).hasActive().compose(is -> is ? Future.succeededFuture() : reinstate());
    }

    private Future<Void> reinstate() {
        log.warn("The role admin had no active member; root is one again");
        return change(AdminInvariant.ROOT, user -> user.put(UserRepository.INACTIVE, BsonBoolean.FALSE))
                .compose(done -> change(AdminInvariant.ADMIN_ROLE_REF, BuiltInAccounts::addRoot));
    }

    private static void addRoot(BsonDocument role) {
        Set<String> members = new TreeSet<>(UserRepository.members(role));
        members.add(AdminInvariant.ROOT.id());
        role.put(UserRepository.MEMBERS, texts(members));
    }

    private Future<Void> change(ObjectRef ref, Consumer<BsonDocument> change) {
        UpdateFunction updateFunction = (stored, at) -> {
            BsonDocument fields = stored.clone();
            change.accept(fields);
            return fields;
        };
        return store.update(ref, updateFunction, store.schemaEpoch(ref.bucket()), Precondition.none(), Principal.SERVER)
                .mapEmpty();
    }

    private static ObjectRef ref(String key) {
        return new ObjectRef(UserRepository.ROLE_BUCKET, key);
    }

    private static BsonDocument root() {
        Permission self = Permission.only(AdminInvariant.ROOT.id());
        return new BsonDocument(UserRepository.USERNAME, new BsonString("root"))
                .append(UserRepository.INACTIVE, BsonBoolean.FALSE)
                .append(StoredObject.ACL, new Acl(self, self).toBson());
    }

    /**
     * Returns a built-in role. Every client may read it; only admins choose the members, since
     * otherwise any user could become one.
     */
    private static BsonDocument role(String name, ObjectRef... members) {
        Acl acl = new Acl(Permission.PUBLIC, Permission.only(Principal.ADMIN_ROLE));
        return new BsonDocument("name", new BsonString(name))
                .append(
                        UserRepository.MEMBERS,
                        texts(Stream.of(members).map(ObjectRef::id).toList()))
                .append(StoredObject.ACL, acl.toBson());
    }

    private static BsonArray texts(Collection<String> ids) {
        return new BsonArray(ids.stream().map(BsonString::new).toList());
    }
}
