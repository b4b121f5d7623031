package io.orestes.read.explanation;

import io.invalidb.query.filter.Filter;
import io.orestes.auth.rights.AccessControl;
import io.orestes.auth.rights.AdminInvariant;
import io.orestes.auth.token.Authenticator;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.read.query.QueryParser;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An explainer of why a user may or may not perform an operation, by current rules and data. It
 * changes nothing.
 */
public final class PermissionExplainer {

    private final Authenticator authenticator;
    private final SchemaRegistry schemas;
    private final QueryParser parsing;
    private final ObjectStore store;
    private final AdminInvariant adminInvariant;

    public PermissionExplainer(
            Authenticator authenticator, SchemaRegistry schemas, QueryParser parsing, ObjectStore store) {
        this.authenticator = authenticator;
        this.schemas = schemas;
        this.parsing = parsing;
        this.store = store;
        this.adminInvariant = new AdminInvariant(store);
    }

    /**
     * The question whether a user may perform an operation on a class or one object.
     *
     * @param user null for an anonymous caller
     * @param bucket the class
     * @param object null for the class's own permissions only
     * @param query filter of a live query, as sent by a client
     */
    public record PermissionQuestion(
            @Nullable ObjectRef user,
            ApiOperation operation,
            String bucket,
            @Nullable ObjectRef object,
            String query) {}

    /**
     * Explains a decision. Fails with {@code OBJECT_NOT_FOUND} if there is no active user of that
     * id, with {@code BUCKET_NOT_FOUND} if there is no such class, and with {@code BAD_REQUEST} for
     * a registration in a class other than users and devices.
     */
    public Future<PermissionExplanation> explain(PermissionQuestion permissionQuestion) {
        ClassSchema type = type(permissionQuestion);
        Filter filter = parsing.filter(type, QueryParser.document("query", permissionQuestion.query()));
        return principal(permissionQuestion.user()).compose(principal -> find(permissionQuestion.object())
                .map(found -> found.orElse(null))
                .compose(object -> removesLastAdmin(permissionQuestion, object).map(last -> {
                    PermissionExplanationBuilder steps =
                            new PermissionExplanationBuilder(permissionQuestion.operation(), type, principal, object);
                    return new PermissionExplanation(
                            principal, steps.all(permissionQuestion.object() != null, filter, last));
                })));
    }

    private ClassSchema type(PermissionQuestion permissionQuestion) {
        Schema schema = schemas.current();
        ClassSchema type = permissionQuestion.operation().isAboutSchema()
                ? schema.get(permissionQuestion.bucket())
                : schema.entity(permissionQuestion.bucket());
        if (permissionQuestion.operation() == ApiOperation.REGISTER && !AccessControl.isRegisteredOnly(type)) {
            throw new ApiException(
                    ErrorCode.BAD_REQUEST, "Objects of the class " + type.name() + " are inserted and not registered");
        }
        return type;
    }

    /** Returns whether a deletion would leave no active admin. */
    private Future<Boolean> removesLastAdmin(PermissionQuestion permissionQuestion, @Nullable StoredObject object) {
        if (permissionQuestion.operation() != ApiOperation.DELETE
                || object == null
                || !AdminInvariant.isAffectedBy(object.ref())) {
            return Future.succeededFuture(false);
        }
        return adminInvariant
                .requireAdminAfterDeletion(object.ref())
                .map(false)
                .recover(failure -> ApiException.of(failure).code() == ErrorCode.PERMISSION_DENIED
                        ? Future.succeededFuture(true)
                        : Future.failedFuture(failure));
    }

    private Future<Principal> principal(@Nullable ObjectRef user) {
        return user == null
                ? Future.succeededFuture(Principal.ANONYMOUS)
                : authenticator.principal(user).recover(failure -> Future.failedFuture(nobody(user)));
    }

    private Future<Optional<StoredObject>> find(@Nullable ObjectRef object) {
        return object == null ? Future.succeededFuture(Optional.empty()) : store.find(object);
    }

    private static ApiException nobody(ObjectRef user) {
        return new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no active user " + user.id());
    }
}
