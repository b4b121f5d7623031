package io.orestes.auth.account;

import io.orestes.auth.password.PasswordService;
import io.orestes.auth.rights.UserRepository;
import io.orestes.auth.token.Session;
import io.orestes.auth.token.TokenService;
import io.orestes.model.Acl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Permission;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The registration of users (protocol §5.2), which stores the password before the user. A process
 * that ends between the two steps leaves a password without a user, and never a user whom any
 * client could claim. Thread-safe.
 */
public final class UserRegistration {

    private static final int MAX_NAME_LENGTH = 1024;

    private final UserRepository userRepository;
    private final PasswordService passwordService;
    private final TokenService tokens;

    public UserRegistration(ObjectStore store, PasswordService passwordService, TokenService tokens) {
        this.userRepository = new UserRepository(store);
        this.passwordService = passwordService;
        this.tokens = tokens;
    }

    /**
     * Registers a user and opens a session. Fails with {@code OBJECT_EXISTS} if the name is taken;
     * of concurrent callers with one name one succeeds, since names are unique in the store.
     *
     * @param fields requested fields of the user object; name and password were checked by {@link
     *     #requireAcceptable}
     * @param creation stores a user of these fields under that id, with additions of the operation
     */
    public Future<OpenedSession> create(
            BsonDocument fields,
            String password,
            BiFunction<ObjectRef, UnaryOperator<BsonDocument>, Future<StoredObject>> creation) {
        ObjectRef user = new ObjectRef(UserRepository.BUCKET, UUID.randomUUID().toString());
        return requireFree(fields)
                .compose(free -> passwordService.set(user, password))
                .compose(credential -> creation.apply(user, stored -> ownedBy(user, stored))
                        .map(stored -> new OpenedSession(stored, tokens.issue(user, credential), Session.Kind.SESSION))
                        .recover(failure -> rollback(user, fields, failure)));
    }

    private Future<Void> requireFree(BsonDocument fields) {
        return userRepository
                .named(name(fields))
                .compose(taken -> taken.isPresent()
                        ? Future.failedFuture(new ApiException(ErrorCode.OBJECT_EXISTS, "The user name is taken"))
                        : Future.succeededFuture());
    }

    /** Fails with {@code BAD_REQUEST} if the name or password is not allowed. */
    public static void requireAcceptable(BsonDocument fields, String password) {
        requireName(fields);
        PasswordService.requirePassword(password);
    }

    /** Fails with {@code BAD_REQUEST} if the name is not allowed. */
    public static void requireName(BsonDocument fields) {
        String name = name(fields);
        boolean isName = !name.isEmpty()
                && name.length() <= MAX_NAME_LENGTH
                && UserRepository.isText(name)
                && name.codePoints().noneMatch(Character::isISOControl);
        if (!isName) {
            throw new ApiException(
                    ErrorCode.BAD_REQUEST,
                    "A user name has between 1 and " + MAX_NAME_LENGTH + " characters, none of them for control");
        }
    }

    /** Returns whether a write from the one state to the other renames the user. */
    public static boolean isRenamed(BsonDocument before, BsonDocument after) {
        return !name(before).equals(name(after));
    }

    /**
     * Undoes a registration. If another user took the name meanwhile, the failure equals that of a
     * name taken before.
     */
    private Future<OpenedSession> rollback(ObjectRef user, BsonDocument fields, Throwable failure) {
        return passwordService
                .delete(user)
                .transform(done -> ApiException.of(failure).code() == ErrorCode.UNIQUE_INDEX_EXCEPTION
                        ? requireFree(fields)
                        : Future.succeededFuture())
                .compose(nobodyHasIt -> Future.failedFuture(failure));
    }

    private static String name(BsonDocument fields) {
        BsonValue name = fields.get(UserRepository.USERNAME);
        return name != null && name.isString() ? name.asString().getValue() : "";
    }

    private static BsonDocument ownedBy(ObjectRef user, BsonDocument fields) {
        Permission self = Permission.only(user.id());
        return fields.clone()
                .append(UserRepository.USERNAME, new BsonString(name(fields)))
                .append(UserRepository.INACTIVE, BsonBoolean.FALSE)
                .append(StoredObject.ACL, new Acl(self, self).toBson());
    }
}
