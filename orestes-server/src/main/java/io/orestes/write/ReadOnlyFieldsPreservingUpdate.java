package io.orestes.write;

import io.orestes.auth.rights.AccessControl;
import io.orestes.store.UpdateFunction;
import org.bson.BsonDocument;

/**
 * An update function that preserves the fields that the caller may not change, with their values at
 * the moment of the update.
 */
record ReadOnlyFieldsPreservingUpdate(UpdateFunction update) implements UpdateFunction {

    @Override
    public BsonDocument apply(BsonDocument stored, long at) {
        return AccessControl.withReadOnlyFields(stored, update.apply(stored, at));
    }

    @Override
    public boolean touchesAcl() {
        return update.touchesAcl();
    }
}
