package io.orestes.write;

import io.orestes.auth.UserRegistration;
import io.orestes.store.UpdateFunction;
import org.bson.BsonDocument;

/** An update by somebody who may give a user another name: one that the user can log in under. */
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
