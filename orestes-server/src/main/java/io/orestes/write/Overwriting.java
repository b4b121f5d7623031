package io.orestes.write;

import io.orestes.store.Update;
import org.bson.BsonDocument;

/** Puts these fields in place of all there are, as a replace does, but only of an object that is there. */
record Overwriting(BsonDocument fields) implements Update {

    @Override
    public BsonDocument apply(BsonDocument stored, long at) {
        return fields.clone();
    }
}
