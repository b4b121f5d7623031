package io.orestes.write;

import io.orestes.auth.account.UserRegistration;
import io.orestes.store.UpdateFunction;
import org.bson.BsonDocument;

/**
 * An update function that fails if it gives a user a name that no login accepts. It wraps updates
 * of callers who may rename users.
 */
record UserNameValidatingUpdate(UpdateFunction update) implements UpdateFunction {

    @Override
    public BsonDocument apply(BsonDocument stored, long at) {
        BsonDocument after = update.apply(stored, at);
        if (UserRegistration.isRenamed(stored, after)) {
            UserRegistration.requireName(after);
        }
        return after;
    }

    @Override
    public boolean touchesAcl() {
        return update.touchesAcl();
    }
}
