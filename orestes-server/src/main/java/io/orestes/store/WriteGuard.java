package io.orestes.store;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import java.util.Optional;

/** A guard that decides whether the current state of an object may be overwritten. */
public interface WriteGuard {

    /** Throws the reason why not. */
    void check(ObjectRef ref, Optional<StoredObject> current);

    /** There must be no object. */
    static WriteGuard absent() {
        return (ref, current) -> {
            if (current.isPresent()) {
                throw new ApiException(ErrorCode.OBJECT_EXISTS, "The object " + ref.id() + " already exists");
            }
        };
    }

    /**
     * The writer must have the right and then the right version: without the right it learns
     * nothing of versions.
     */
    static WriteGuard of(Precondition precondition, Principal writer) {
        return (ref, current) -> {
            current.ifPresent(stored -> requirePermission(stored, writer));
            if (!precondition.allows(current)) {
                throw new ApiException(ErrorCode.OBJECT_OUT_OF_DATE, "The object " + ref.id() + " is out of date");
            }
        };
    }

    /** The same where there must be an object before anything else matters. */
    static WriteGuard existing(Precondition precondition, Principal writer) {
        WriteGuard guard = of(precondition, writer);
        return (ref, current) -> {
            if (current.isEmpty()) {
                throw new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no object " + ref.id());
            }
            guard.check(ref, current);
        };
    }

    /**
     * The same in a batch, where an object that has to be in a certain state and is not there is
     * stale like others.
     */
    static WriteGuard inBatch(Batch.UpdateOperation write, Principal writer) {
        return write.precondition().allows(Optional.empty())
                ? existing(write.precondition(), writer)
                : of(write.precondition(), writer);
    }

    private static void requirePermission(StoredObject stored, Principal writer) {
        if (!writer.isAdmin() && !stored.acl().write().permits(writer)) {
            throw new ApiException(
                    ErrorCode.PERMISSION_DENIED,
                    "Write permissions are required on " + stored.ref().id());
        }
    }
}
