package io.orestes.auth;

import io.invalidb.query.Filter;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** User and role objects as the rest of this package needs them. */
final class Users {

    static final String BUCKET = "User";
    static final String ROLE_BUCKET = "Role";
    static final String USERNAME = "username";
    static final String INACTIVE = "inactive";
    static final String MEMBERS = "users";

    /** Fields that only admins change. */
    static final List<String> READ_ONLY = List.of(USERNAME, INACTIVE);

    private final ObjectStore store;

    Users(ObjectStore store) {
        this.store = store;
    }

    /** The user, unless deleted or inactive. */
    Future<Optional<StoredObject>> active(ObjectRef user) {
        return store.find(user).map(found -> found.filter(Users::isActive));
    }

    /** The user of that name, active or not. */
    Future<Optional<StoredObject>> named(String username) {
        return store.query(equal(BUCKET, USERNAME, username)).map(found -> found.stream()
                .filter(user -> new BsonString(username).equals(user.document().get(USERNAME)))
                .findFirst());
    }

    /** Ids of the roles that the user is a declared member of. */
    Future<Set<String>> rolesOf(ObjectRef user) {
        return store.query(equal(ROLE_BUCKET, MEMBERS, user.id())).map(roles -> ids(roles, user.id()));
    }

    /** Ids of the declared members of a role; none if there is no such role. */
    Future<Set<String>> membersOf(ObjectRef role) {
        return store.find(role).map(found -> found.map(Users::members).orElse(Set.of()));
    }

    static boolean isActive(StoredObject user) {
        return !BsonBoolean.TRUE.equals(user.document().get(INACTIVE, BsonNull.VALUE));
    }

    /** Whether it has a form in UTF-8; texts without one would all look alike there. */
    static boolean isText(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static Set<String> ids(List<StoredObject> roles, String member) {
        return roles.stream()
                .filter(role -> members(role).contains(member))
                .map(role -> role.ref().id())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Set<String> members(StoredObject role) {
        BsonValue members = role.document().get(MEMBERS, BsonNull.VALUE);
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
