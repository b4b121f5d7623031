package io.orestes.read.explanation;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.filter.Filter;
import io.orestes.auth.rights.AccessControl;
import io.orestes.auth.rights.AdminInvariant;
import io.orestes.model.Acl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Permission;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.read.explanation.ApiOperation.ObjectRight;
import io.orestes.read.explanation.PermissionExplanation.Circumstance;
import io.orestes.read.explanation.PermissionExplanation.ExplanationStep;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The builder of an explanation's steps, in the order in which the server makes the checks. */
final class PermissionExplanationBuilder {

    private static final Permission ADMINS_ONLY = Permission.only(Principal.ADMIN_ROLE);

    private final ApiOperation operation;
    private final ClassSchema type;
    private final Principal principal;
    private final @Nullable StoredObject object;
    private final List<ExplanationStep> steps = new ArrayList<>();

    /** @param object null if it is absent, or if no object is asked for */
    PermissionExplanationBuilder(
            ApiOperation operation, ClassSchema type, Principal principal, @Nullable StoredObject object) {
        this.operation = operation;
        this.type = type;
        this.principal = principal;
        this.object = object;
    }

    /**
     * Returns all steps, also those after one that refuses.
     *
     * @param asksForObject true if the question names an object
     * @param filter filter of a live query
     * @param isLastAdmin true if the object is the only active admin
     */
    List<ExplanationStep> all(boolean asksForObject, Filter filter, boolean isLastAdmin) {
        ofEndpoint();
        ofClass();
        if (asksForObject) {
            ofObject(isLastAdmin);
        }
        if (operation == ApiOperation.SUBSCRIBE && object != null) {
            steps.add(matched(object, filter));
        }
        return steps;
    }

    private void ofEndpoint() {
        switch (operation.audience()) {
            case ADMINS ->
                steps.add(new ExplanationStep.PermissionCheck("endpoint", "admin", ADMINS_ONLY.decide(principal)));
            case EVERYBODY -> found(Circumstance.EVERYBODY, true);
            case EACH_ALONE -> found(Circumstance.EACH_ALONE, true);
            case BY_PERMISSION -> {}
        }
    }

    private void ofClass() {
        boolean isRegisteredOnly = AccessControl.isRegisteredOnly(type);
        if (isRegisteredOnly && operation == ApiOperation.INSERT) {
            found(Circumstance.REGISTRATION_ONLY, false);
        }
        operation.onClass().stream()
                .filter(needed ->
                        !isRegisteredOnly || operation != ApiOperation.SAVE || needed != ClassOperation.INSERT)
                .forEach(needed -> steps.add(new ExplanationStep.PermissionCheck(
                        "class", needed.key(), type.permission(needed).decide(principal))));
    }

    private void ofObject(boolean isLastAdmin) {
        if (operation == ApiOperation.INSERT && object != null && !AccessControl.hasAssignedIds(type)) {
            found(Circumstance.EXISTS, false);
        }
        if (operation == ApiOperation.DELETE && object != null && AdminInvariant.isBuiltIn(object.ref())) {
            found(Circumstance.BUILT_IN, false);
        }
        operation.onObject().ifPresent(this::ofObject);
        if (isLastAdmin) {
            found(Circumstance.LAST_ADMIN, false);
        }
    }

    private void ofObject(ObjectRight right) {
        if (object == null) {
            ofMissing();
        } else {
            steps.add(new ExplanationStep.PermissionCheck(
                    "object", right.key(), permission(object.acl(), right).decide(principal)));
        }
    }

    private static Permission permission(Acl acl, ObjectRight right) {
        return right == ObjectRight.READ ? acl.read() : acl.write();
    }

    /** Adds the steps of an absent object: a save inserts it, and a deletion does nothing. */
    private void ofMissing() {
        boolean isSave = operation == ApiOperation.SAVE;
        if (isSave && !AccessControl.mayInsertUnderId(principal, type)) {
            found(
                    AccessControl.isRegisteredOnly(type) ? Circumstance.REGISTRATION_ONLY : Circumstance.ASSIGNED_ID,
                    false);
        }
        found(Circumstance.MISSING, isSave || operation == ApiOperation.DELETE);
    }

    private void found(Circumstance what, boolean granted) {
        steps.add(new ExplanationStep.CircumstanceCheck(what, granted));
    }

    private static ExplanationStep matched(StoredObject object, Filter filter) {
        try {
            return new ExplanationStep.MatchCheck(filter.matches(object.document()), object.version());
        } catch (BudgetExceededException costly) {
            throw new ApiException(
                    ErrorCode.QUERY_NOT_SUPPORTED,
                    "The query takes too long on " + object.ref().id());
        }
    }
}
