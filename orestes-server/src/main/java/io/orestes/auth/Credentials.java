package io.orestes.auth;

import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Password hashes, in a bucket that no client can name. */
final class Credentials {

    private static final String BUCKET = "_credentials";
    private static final String PASSWORD = "password";

    private final ObjectStore store;

    Credentials(ObjectStore store) {
        this.store = store;
    }

    /** The hash of a user's password, if the user has one. */
    Future<Optional<PasswordHash>> find(ObjectRef user) {
        return store.find(of(user))
                .map(found -> found.map(object ->
                        new PasswordHash(object.document().getString(PASSWORD).getValue())));
    }

    Future<Void> set(ObjectRef user, PasswordHash hash) {
        BsonDocument fields = new BsonDocument(PASSWORD, new BsonString(hash.text()));
        return store.replace(of(user), fields, Precondition.none(), Principal.SERVER)
                .mapEmpty();
    }

    private static ObjectRef of(ObjectRef user) {
        return new ObjectRef(BUCKET, user.key());
    }
}
