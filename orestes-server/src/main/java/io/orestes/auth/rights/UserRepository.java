package io.orestes.auth.rights;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The repository of user and role objects for authentication. */
public final class UserRepository {

    public static final String BUCKET = "User";
    public static final String ROLE_BUCKET = "Role";
    public static final String USERNAME = "username";
    public static final String INACTIVE = "inactive";
    public static final String MEMBERS = "users";

    /** Fields that only admins change. */
    static final List<String> READ_ONLY = List.of(USERNAME, INACTIVE);

    /**
     * Maximum number of roles of one user that count. Any client may add any user to roles, which
     * must not slow down that user.
     */
    public static final int MAX_ROLES = 1_000;

    private static final SortOrder OLDEST_FIRST =
            SortOrder.parse(new BsonDocument(StoredObject.CREATED_AT, new BsonInt32(1)));

    private final ObjectStore store;

    public UserRepository(ObjectStore store) {
        this.store = store;
    }

    /** Returns the user, unless deleted or inactive. */
    public Future<Optional<StoredObject>> active(ObjectRef user) {
        return store.find(user).map(found -> found.filter(UserRepository::isActive));
    }

    /** Returns the user of that name, active or not. */
    public Future<Optional<StoredObject>> named(String username) {
        return store.query(equal(BUCKET, USERNAME, username)).map(found -> found.stream()
                .filter(user -> new BsonString(username).equals(user.document().get(USERNAME)))
                .findFirst());
    }

    /**
     * Returns the ids of the roles that the user is a declared member of: the oldest {@value
     * #MAX_ROLES}, of equally old ones those of the least ids, and {@link
     * Principal#UNCOUNTED_ROLES} for more.
     */
    public Future<Set<String>> rolesOf(ObjectRef user) {
        Filter naming = equal(ROLE_BUCKET, MEMBERS, user.id()).filter();
        return store.query(new StoreQuery(ROLE_BUCKET, naming, OLDEST_FIRST, 0, MAX_ROLES + 1))
                .map(roles -> counted(roles, user.id()));
    }

    public static boolean isActive(StoredObject user) {
        return isActive(user.document());
    }

    static boolean isActive(BsonDocument fields) {
        return !BsonBoolean.TRUE.equals(fields.get(INACTIVE, BsonNull.VALUE));
    }

    /**
     * Returns whether the text can be encoded in UTF-8; all texts that cannot would look alike
     * there.
     */
    public static boolean isText(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static Set<String> counted(List<StoredObject> roles, String member) {
        Set<String> ids = new HashSet<>(ids(roles.subList(0, Math.min(roles.size(), MAX_ROLES)), member));
        if (roles.size() > MAX_ROLES) {
            ids.add(Principal.UNCOUNTED_ROLES);
        }
        return ids;
    }

    private static Set<String> ids(List<StoredObject> roles, String member) {
        return roles.stream()
                .filter(role -> members(role.document()).contains(member))
                .map(role -> role.ref().id())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the ids that the fields of a role name as its members. */
    public static Set<String> members(BsonDocument role) {
        BsonValue members = role.get(MEMBERS, BsonNull.VALUE);
        return members.isArray() ? texts(members.asArray()) : Set.of();
    }

    private static Set<String> texts(BsonArray values) {
        return values.stream()
                .filter(BsonValue::isString)
                .map(value -> value.asString().getValue())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static StoreQuery equal(String bucket, String field, String value) {
        return StoreQuery.all(bucket, Filter.parse(new BsonDocument(field, new BsonString(value))));
    }
}
