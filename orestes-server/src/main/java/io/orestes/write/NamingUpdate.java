package io.orestes.write;

import io.orestes.auth.Accounts;
import io.orestes.store.Update;
import org.bson.BsonDocument;

/** An update by somebody who may give a user another name: one that the user can log in under. */
record NamingUpdate(Update update) implements Update {

    @Override
    public BsonDocument apply(BsonDocument stored, long at) {
        BsonDocument after = update.apply(stored, at);
        if (Accounts.isRenamed(stored, after)) {
            Accounts.requireName(after);
        }
        return after;
    }

    @Override
    public boolean touchesAcl() {
        return update.touchesAcl();
    }
}
