package io.orestes.read;

import io.invalidb.query.Filter;
import io.orestes.auth.AccessControl;
import io.orestes.auth.Admins;
import io.orestes.auth.Authenticator;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.schema.ClassSchema;
import io.orestes.schema.Schema;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.Optional;

/** Finds out why somebody may or may not do something, by the rules and the data as they are now; changes nothing. */
public final class Explainer {

    private final Authenticator authenticator;
    private final SchemaRegistry schemas;
    private final QueryParsing parsing;
    private final ObjectStore store;
    private final Admins admins;

    public Explainer(Authenticator authenticator, SchemaRegistry schemas, QueryParsing parsing, ObjectStore store) {
        this.authenticator = authenticator;
        this.schemas = schemas;
        this.parsing = parsing;
        this.store = store;
        this.admins = new Admins(store);
    }

    /**
     * What is asked.
     *
     * @param user absent for who is not logged in
     * @param bucket the class
     * @param object absent to be told of the class's own permissions only
     * @param query filter of a live query, as a client would send it
     */
    public record Question(
            Optional<ObjectRef> user,
            ExplainedOperation operation,
            String bucket,
            Optional<ObjectRef> object,
            String query) {}

    /**
     * Fails with {@code OBJECT_NOT_FOUND} if there is no active user of that id, with {@code BUCKET_NOT_FOUND}, and with
     * {@code BAD_REQUEST} for a registration of what does not register.
     */
    public Future<Explanation> explain(Question question) {
        ClassSchema type = type(question);
        Filter filter = parsing.filter(type, QueryParsing.document("query", question.query()));
        return principal(question.user()).compose(principal -> object(question)
                .compose(object -> lockout(question, object).map(last -> {
                    ExplainedSteps steps = new ExplainedSteps(question.operation(), type, principal, object);
                    return new Explanation(
                            principal, steps.all(question.object().isPresent(), filter, last));
                })));
    }

    private ClassSchema type(Question question) {
        Schema schema = schemas.current();
        ClassSchema type =
                question.operation().isAboutSchema() ? schema.get(question.bucket()) : schema.entity(question.bucket());
        if (question.operation() == ExplainedOperation.REGISTER && !AccessControl.isRegisteredOnly(type)) {
            throw new ApiException(
                    ErrorCode.BAD_REQUEST, "Objects of the class " + type.name() + " are inserted and not registered");
        }
        return type;
    }

    /** Whether a deletion would leave nobody who can administer the server. */
    private Future<Boolean> lockout(Question question, Optional<StoredObject> object) {
        boolean matters = question.operation() == ExplainedOperation.DELETE
                && object.filter(found -> Admins.dependOn(found.ref())).isPresent();
        return matters
                ? admins.requireOneAfterDeletion(object.orElseThrow().ref())
                        .map(false)
                        .recover(failure -> ApiException.of(failure).code() == ErrorCode.PERMISSION_DENIED
                                ? Future.succeededFuture(true)
                                : Future.failedFuture(failure))
                : Future.succeededFuture(false);
    }

    private Future<Principal> principal(Optional<ObjectRef> user) {
        return user.map(known -> authenticator.principal(known).recover(failure -> Future.failedFuture(nobody(known))))
                .orElse(Future.succeededFuture(Principal.ANONYMOUS));
    }

    private Future<Optional<StoredObject>> object(Question question) {
        return question.object().map(store::find).orElse(Future.succeededFuture(Optional.empty()));
    }

    private static ApiException nobody(ObjectRef user) {
        return new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no active user " + user.id());
    }
}
