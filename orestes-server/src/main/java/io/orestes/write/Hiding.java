package io.orestes.write;

import io.orestes.caching.Caches;
import io.orestes.model.Acl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonNull;

/**
 * Writes that make a public object private. They succeed only if every shared cache has confirmed that it has forgotten its
 * copies; a write that fails for that reason has been committed and says so, and later writes of the object fail likewise
 * until one of them was confirmed. Thread-safe.
 */
final class Hiding {

    private final ObjectStore store;
    private final Caches caches;

    Hiding(ObjectStore store, Caches caches) {
        this.store = store;
        this.caches = caches;
    }

    /**
     * What a write is about to replace; {@link #IRRELEVANT} if it cannot hide anything.
     *
     * @param version 0 if there is nothing
     * @param isPublic whether it is public, or was, if it is gone
     */
    record Before(long version, boolean isPublic) {

        static final Before IRRELEVANT = new Before(-1, false);

        /** What is not the state just before the new one may have been followed by a public one. */
        private boolean isHiddenBy(StoredObject stored) {
            return version >= 0 && (isPublic || version + 1 != stored.version());
        }
    }

    /** To be asked before an object is replaced, or inserted by that. Only objects that are not to be public cost a read. */
    Future<Before> before(ObjectRef ref, BsonDocument fields) {
        return mayHide(fields)
                ? store.find(ref).map(found -> found.map(Hiding::before).orElseGet(() -> nothing(ref)))
                : Future.succeededFuture(Before.IRRELEVANT);
    }

    /** To be asked before an object is inserted. */
    Before beforeInsert(ObjectRef ref, BsonDocument fields) {
        return mayHide(fields) ? nothing(ref) : Before.IRRELEVANT;
    }

    private boolean mayHide(BsonDocument fields) {
        return caches.arePurged() && !isPublic(fields);
    }

    private static Before before(StoredObject state) {
        return new Before(state.version(), state.acl().read().isPublic());
    }

    /** There may be copies of a public object that was deleted. */
    private Before nothing(ObjectRef ref) {
        return new Before(0, caches.mayBeHeld(ref.id()));
    }

    /** Waits until the shared caches have forgotten what they had to; fails with {@code UNAVAILABLE} as said above. */
    Future<Void> settled(Before before, StoredObject stored) {
        String id = stored.ref().id();
        boolean isHidden = before.version() >= 0 && (before.isHiddenBy(stored) || caches.isUnconfirmed(id));
        return isHidden ? confirmed(id, stored.version()) : caches.settled();
    }

    private Future<Void> confirmed(String id, long version) {
        return caches.hidden(List.of(id))
                .compose(all -> all ? Future.succeededFuture() : Future.failedFuture(unconfirmed(id, version)));
    }

    private static boolean isPublic(BsonDocument fields) {
        return Acl.fromBson(fields.get(StoredObject.ACL, BsonNull.VALUE)).read().isPublic();
    }

    private static ApiException unconfirmed(String id, long version) {
        return new ApiException(
                ErrorCode.UNAVAILABLE,
                "Version " + version + " of " + id
                        + " is stored and not public, but a shared cache has not confirmed that it"
                        + " forgot the public copies; it may serve them until it does. Write again to find out");
    }
}
