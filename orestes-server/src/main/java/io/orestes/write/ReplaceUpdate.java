package io.orestes.write;

import io.orestes.store.UpdateFunction;
import org.bson.BsonDocument;

/** Puts these fields in place of all there are, as a replace does, but only of an object that is there. */
record ReplaceUpdate(BsonDocument fields) implements UpdateFunction {

    @Override
    public BsonDocument apply(BsonDocument stored, long at) {
        return fields.clone();
    }
}
