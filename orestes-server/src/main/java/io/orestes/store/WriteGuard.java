package io.orestes.store;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import org.jspecify.annotations.Nullable;

/** A guard that decides whether the current state of an object may be overwritten. */
public interface WriteGuard {

    /**
     * Throws the reason if the write is not allowed.
     *
     * @param current the current state, null if there is no object
     */
    void check(ObjectRef ref, @Nullable StoredObject current);

    /** Returns a guard that requires that there is no object. */
    static WriteGuard absent() {
        return (ref, current) -> {
            if (current != null) {
                throw new ApiException(ErrorCode.OBJECT_EXISTS, "The object " + ref.id() + " already exists");
            }
        };
    }

    /**
     * Returns a guard that requires the permission and then the precondition. A writer without the
     * permission learns nothing of versions.
     */
    static WriteGuard permitted(Precondition precondition, Principal writer) {
        return (ref, current) -> {
            if (current != null) {
                requirePermission(current, writer);
            }
            if (!precondition.allows(current)) {
                throw new ApiException(ErrorCode.OBJECT_OUT_OF_DATE, "The object " + ref.id() + " is out of date");
            }
        };
    }

    /** Returns a guard that first requires that the object exists. */
    static WriteGuard permittedExisting(Precondition precondition, Principal writer) {
        WriteGuard guard = permitted(precondition, writer);
        return (ref, current) -> {
            if (current == null) {
                throw new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no object " + ref.id());
            }
            guard.check(ref, current);
        };
    }

    private static void requirePermission(StoredObject stored, Principal writer) {
        if (!writer.isAdmin() && !stored.acl().write().permits(writer)) {
            throw new ApiException(
                    ErrorCode.PERMISSION_DENIED,
                    "Write permissions are required on " + stored.ref().id());
        }
    }
}
