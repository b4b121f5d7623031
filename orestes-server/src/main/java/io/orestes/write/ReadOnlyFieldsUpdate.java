package io.orestes.write;

import io.orestes.auth.AccessControl;
import io.orestes.store.UpdateFunction;
import org.bson.BsonDocument;

/** An update by somebody who may not change all of the object: the rest stays as it is at that moment. */
record ReadOnlyFieldsUpdate(UpdateFunction update) implements UpdateFunction {

    @Override
    public BsonDocument apply(BsonDocument stored, long at) {
        return AccessControl.withReadOnlyFields(stored, update.apply(stored, at));
    }

    @Override
    public boolean touchesAcl() {
        return update.touchesAcl();
    }
}
