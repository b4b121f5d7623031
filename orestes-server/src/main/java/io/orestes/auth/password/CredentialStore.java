package io.orestes.auth.password;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The store of credentials, in a bucket that no client can name. All servers on one store share the
 * credentials. Thread-safe.
 */
public final class CredentialStore {

    private static final String BUCKET = "_credentials";

    private final ObjectStore store;
    private final Function<ObjectRef, Future<Void>> changed;

    /**
     * @param changed notified of every user whose tokens have become invalid; the change completes
     *     after its future
     */
    public CredentialStore(ObjectStore store, Function<ObjectRef, Future<Void>> changed) {
        this.store = store;
        this.changed = changed;
    }

    /** Returns the credential of a user; {@link Credential#NONE} if none is stored. */
    public Future<Credential> find(ObjectRef user) {
        return store.find(of(user))
                .map(found -> found.map(CredentialStore::read).orElse(Credential.NONE));
    }

    /**
     * Changes the stored credential atomically and returns the new one; {@code change} may run more
     * than once and may refuse.
     */
    public Future<Credential> change(ObjectRef user, UnaryOperator<Credential> change) {
        ObjectRef ref = of(user);
        return store.find(ref).compose(found -> {
            Credential next = change.apply(found.map(CredentialStore::read).orElse(Credential.NONE));
            Precondition unchanged = found.map(CredentialStore::unchanged).orElseGet(Precondition.ObjectAbsent::new);
            return store.replace(ref, next.fields(), unchanged, Principal.SERVER)
                    .compose(done -> changed.apply(user))
                    .map(next)
                    .recover(failure -> isLostRace(failure) ? change(user, change) : Future.failedFuture(failure));
        });
    }

    /** Deletes the credential of a user whose registration failed. */
    Future<Void> delete(ObjectRef user) {
        return store.delete(of(user), Precondition.none(), Principal.SERVER).mapEmpty();
    }

    private static Precondition unchanged(StoredObject state) {
        return new Precondition.ExactState(state.version(), state.updatedAt());
    }

    private static boolean isLostRace(Throwable failure) {
        return ApiException.of(failure).code() == ErrorCode.OBJECT_OUT_OF_DATE;
    }

    private static Credential read(StoredObject stored) {
        return Credential.read(stored.document());
    }

    private static ObjectRef of(ObjectRef user) {
        return new ObjectRef(BUCKET, user.key());
    }
}
