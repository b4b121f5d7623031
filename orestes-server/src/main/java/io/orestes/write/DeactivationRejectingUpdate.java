package io.orestes.write;

import io.orestes.auth.rights.AdminInvariant;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.store.UpdateFunction;
import org.bson.BsonDocument;

/**
 * An update function that fails, so that the write is checked again, if it would deactivate an
 * active user. The failure is an {@code UNAVAILABLE} that is {@link ApiException#isRepeatable
 * repeatable}.
 */
record DeactivationRejectingUpdate(UpdateFunction update) implements UpdateFunction {

    @Override
    public BsonDocument apply(BsonDocument stored, long at) {
        BsonDocument after = update.apply(stored, at);
        if (deactivates(stored, after)) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "Others changed the user while this was written; try again")
                    .asRepeatable();
        }
        return after;
    }

    @Override
    public boolean touchesAcl() {
        return update.touchesAcl();
    }

    /** True if a user is active before a write and not after it. */
    static boolean deactivates(BsonDocument before, BsonDocument after) {
        return AdminInvariant.isActive(before) && !AdminInvariant.isActive(after);
    }
}
