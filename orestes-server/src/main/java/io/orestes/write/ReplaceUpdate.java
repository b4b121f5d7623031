package io.orestes.write;

import io.orestes.store.UpdateFunction;
import org.bson.BsonDocument;

/** An update function that replaces all fields of an object, which must exist. */
record ReplaceUpdate(BsonDocument fields) implements UpdateFunction {

    @Override
    public BsonDocument apply(BsonDocument stored, long at) {
        return fields.clone();
    }
}
