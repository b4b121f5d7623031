package io.orestes.write;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.orestes.caching.Caches;
import io.orestes.model.Acl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.Batch;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonNull;

/**
 * Writes that make a public object private. They succeed only if every shared cache has confirmed that it has forgotten its
 * copies; a write that fails for that reason has been committed and says so, and later writes of the object fail likewise
 * until one of them was confirmed. Thread-safe.
 */
final class Hiding {

    /** Copies live no longer. */
    private static final Duration LONGEST_LIFE = Duration.ofDays(1);

    private static final int MOST = 100_000;

    private final ObjectStore store;
    private final Caches caches;
    private final Cache<String, Boolean> unconfirmed = Caffeine.newBuilder()
            .maximumSize(MOST)
            .expireAfterWrite(LONGEST_LIFE)
            .build();

    Hiding(ObjectStore store, Caches caches) {
        this.store = store;
        this.caches = caches;
    }

    /**
     * What a write is about to replace; {@link #IRRELEVANT} if it cannot hide anything.
     *
     * @param version 0 if there is nothing
     */
    record Before(long version, boolean isPublic) {

        static final Before IRRELEVANT = new Before(-1, false);

        /** Whether the new state may hide something. */
        private boolean matters(StoredObject stored) {
            return version >= 0 && !stored.acl().read().isPublic();
        }

        /** What is not the state just before the new one may have been followed by a public one. */
        private boolean isHiddenBy(StoredObject stored) {
            return isPublic || version + 1 != stored.version();
        }
    }

    /** To be asked before the write. Only writes that may make something private cost a read. */
    Future<Before> before(Batch.Write write) {
        return before(write.ref(), mayHide(write));
    }

    /** An object that stays as private as it is matters only if its hiding is to be tried again. */
    private boolean mayHide(Batch.Write write) {
        if (write instanceof Batch.Replacement replacement) {
            return !isPublic(replacement.fields());
        }
        return write instanceof Batch.Revision revision
                && (revision.update().touchesAcl()
                        || isUnconfirmed(revision.ref().id()));
    }

    private Future<Before> before(ObjectRef ref, boolean mayHide) {
        return caches.arePurged() && mayHide
                ? store.find(ref).map(Hiding::before)
                : Future.succeededFuture(Before.IRRELEVANT);
    }

    private boolean isUnconfirmed(String id) {
        return unconfirmed.getIfPresent(id) != null;
    }

    private static Before before(Optional<StoredObject> found) {
        return found.map(state -> new Before(state.version(), state.acl().read().isPublic()))
                .orElse(new Before(0, false));
    }

    /** Waits until the shared caches have forgotten what they had to; fails with {@code UNAVAILABLE} as said above. */
    Future<Void> settled(Before before, StoredObject stored) {
        String id = stored.ref().id();
        boolean isHidden = before.matters(stored) && (before.isHiddenBy(stored) || isUnconfirmed(id));
        return isHidden ? confirmed(id, stored.version()) : caches.settled();
    }

    private Future<Void> confirmed(String id, long version) {
        unconfirmed.put(id, true);
        return caches.confirmed().compose(all -> all ? forgotten(id) : Future.failedFuture(unconfirmed(id, version)));
    }

    private Future<Void> forgotten(String id) {
        unconfirmed.invalidate(id);
        return Future.succeededFuture();
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
