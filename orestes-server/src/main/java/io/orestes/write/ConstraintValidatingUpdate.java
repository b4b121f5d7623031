package io.orestes.write;

import io.orestes.schema.codec.ObjectCodec;
import io.orestes.schema.model.ClassSchema;
import io.orestes.store.UpdateFunction;
import org.bson.BsonDocument;

/**
 * An update function whose result must satisfy the constraints of its class. Each operation alone
 * was checked before.
 */
record ConstraintValidatingUpdate(ObjectCodec codec, ClassSchema type, UpdateFunction update)
        implements UpdateFunction {

    @Override
    public BsonDocument apply(BsonDocument stored, long at) {
        BsonDocument fields = update.apply(stored, at);
        codec.requireValid(type, fields);
        return fields;
    }

    @Override
    public boolean touchesAcl() {
        return update.touchesAcl();
    }
}
