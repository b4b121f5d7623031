package io.orestes.read;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.Filter;
import io.orestes.auth.AccessControl;
import io.orestes.auth.Authenticator;
import io.orestes.model.Acl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Permission;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.read.Explanation.Step;
import io.orestes.schema.ClassOperation;
import io.orestes.schema.ClassSchema;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds out why somebody may or may not do something, by the rules and the data as they are now; changes nothing. */
public final class Explainer {

    private final Authenticator authenticator;
    private final SchemaRegistry schemas;
    private final QueryParsing parsing;
    private final ObjectStore store;

    public Explainer(Authenticator authenticator, SchemaRegistry schemas, QueryParsing parsing, ObjectStore store) {
        this.authenticator = authenticator;
        this.schemas = schemas;
        this.parsing = parsing;
        this.store = store;
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

    /** Fails with {@code OBJECT_NOT_FOUND} if there is no active user of that id, and with {@code BUCKET_NOT_FOUND}. */
    public Future<Explanation> explain(Question question) {
        ClassSchema schema = schemas.current().get(question.bucket());
        Filter filter = parsing.filter(schema, QueryParsing.document("query", question.query()));
        return principal(question.user()).compose(principal -> object(question)
                .map(object -> new Explanation(principal, steps(question, schema, principal, object, filter))));
    }

    private Future<Principal> principal(Optional<ObjectRef> user) {
        return user.map(known -> authenticator.principal(known).recover(failure -> Future.failedFuture(nobody(known))))
                .orElse(Future.succeededFuture(Principal.ANONYMOUS));
    }

    private Future<Optional<StoredObject>> object(Question question) {
        return question.object().map(store::find).orElse(Future.succeededFuture(Optional.empty()));
    }

    private static List<Step> steps(
            Question question, ClassSchema schema, Principal principal, Optional<StoredObject> object, Filter filter) {
        List<Step> steps = new ArrayList<>();
        ExplainedOperation operation = question.operation();
        if (operation.inserts() && AccessControl.isRegisteredOnly(schema)) {
            steps.add(new Step.RegistrationOnly());
        }
        operation.onClass().forEach(needed -> steps.add(ofClass(schema, needed, principal)));
        if (question.object().isPresent()) {
            operation.onObject().ifPresent(right -> steps.add(ofObject(operation, right, principal, object)));
        }
        if (operation == ExplainedOperation.SUBSCRIBE) {
            object.ifPresent(found -> steps.add(matched(found, filter)));
        }
        return steps;
    }

    private static Step ofClass(ClassSchema schema, ClassOperation needed, Principal principal) {
        return new Step.Permitted(
                "class", needed.key(), schema.permission(needed).decide(principal));
    }

    private static Step ofObject(
            ExplainedOperation operation,
            ExplainedOperation.ObjectRight right,
            Principal principal,
            Optional<StoredObject> object) {
        return object.<Step>map(found -> new Step.Permitted(
                        "object", right.key(), permission(found.acl(), right).decide(principal)))
                .orElse(new Step.Missing(operation.inserts()));
    }

    private static Permission permission(Acl acl, ExplainedOperation.ObjectRight right) {
        return right == ExplainedOperation.ObjectRight.READ ? acl.read() : acl.write();
    }

    private static Step matched(StoredObject object, Filter filter) {
        try {
            return new Step.Matched(filter.matches(object.document()), object.version());
        } catch (BudgetExceededException costly) {
            throw new ApiException(
                    ErrorCode.QUERY_NOT_SUPPORTED,
                    "The query takes too long on " + object.ref().id());
        }
    }

    private static ApiException nobody(ObjectRef user) {
        return new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no active user " + user.id());
    }
}
