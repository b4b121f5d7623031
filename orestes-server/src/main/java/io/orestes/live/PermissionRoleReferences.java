package io.orestes.live;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.async.SingleFlight;
import io.orestes.auth.rights.AccessControl;
import io.orestes.model.Permission;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassOperation;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A lookup of whether the permissions of a class or of its objects refer to given roles. Only such
 * roles matter to a subscriber of the class. A rule that denies a permission to any role refers to
 * {@link Principal#UNCOUNTED_ROLES}, too. Equal concurrent look-ups share one execution.
 */
final class PermissionRoleReferences {

    private final SchemaRegistry schemas;
    private final ObjectStore store;
    /** Look-ups in flight; each execution starts after the calls that it serves. */
    private final SingleFlight<ReferenceQuestion, Boolean> lookUps = SingleFlight.trailing();

    PermissionRoleReferences(SchemaRegistry schemas, ObjectStore store) {
        this.schemas = schemas;
        this.store = store;
    }

    private record ReferenceQuestion(String bucket, Set<String> roles) {}

    /**
     * Returns whether the permission to query the class, or that to read one of its objects, allows
     * or denies access to one of these roles.
     */
    Future<Boolean> isReferenced(String bucket, Set<String> roles) {
        return Future.succeededFuture()
                .map(start -> ofClass(bucket))
                .compose(permission -> names(permission, roles)
                        ? Future.succeededFuture(true)
                        : lookUps.load(new ReferenceQuestion(bucket, roles), begun -> lookUp(bucket, roles)));
    }

    /** Returns the ids of users and roles in the rules that decide who reads the object. */
    static Set<String> namedBy(StoredObject object) {
        Set<String> named = new TreeSet<>(ids(object, StoredObject.READ_ALLOWED));
        Set<String> denied = ids(object, StoredObject.READ_DENIED);
        named.addAll(denied);
        if (denied.stream().anyMatch(Principal::isRole)) {
            named.add(Principal.UNCOUNTED_ROLES);
        }
        return named;
    }

    /** Returns the ids of a list; other programs may have stored values of any type. */
    private static Set<String> ids(StoredObject object, String list) {
        BsonValue ids = object.document().get(list, BsonNull.VALUE);
        return ids.isArray()
                ? ids.asArray().stream()
                        .filter(BsonValue::isString)
                        .map(id -> id.asString().getValue())
                        .collect(Collectors.toSet())
                : Set.of();
    }

    private Permission ofClass(String bucket) {
        return schemas.current().entity(bucket).permission(ClassOperation.QUERY);
    }

    private static boolean names(Permission permission, Set<String> roles) {
        return !Collections.disjoint(permission.allowed(), roles)
                || !Collections.disjoint(permission.denied(), roles)
                || (roles.contains(Principal.UNCOUNTED_ROLES)
                        && permission.denied().stream().anyMatch(Principal::isRole));
    }

    private Future<Boolean> lookUp(String bucket, Set<String> roles) {
        BsonArray ids =
                new BsonArray(roles.stream().sorted().map(BsonString::new).toList());
        BsonArray any = new BsonArray(List.of(
                new BsonDocument(StoredObject.READ_ALLOWED, new BsonDocument("$in", ids)),
                new BsonDocument(StoredObject.READ_DENIED, new BsonDocument("$in", ids))));
        if (roles.contains(Principal.UNCOUNTED_ROLES)) {
            any.add(new BsonDocument(StoredObject.READ_DENIED, AccessControl.roleIdCondition()));
        }
        Filter naming = Filter.parse(new BsonDocument("$or", any));
        return store.query(new StoreQuery(bucket, naming, SortOrder.BY_ID, 0, 1))
                .map(found -> !found.isEmpty());
    }
}
