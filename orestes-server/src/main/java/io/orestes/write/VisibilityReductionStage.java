package io.orestes.write;

import io.orestes.caching.CacheInvalidator;
import io.orestes.model.Acl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonNull;

/**
 * The stage for writes that make public objects private, which waits until shared caches confirm
 * the purge. Such a write succeeds only if every shared cache has confirmed the removal of its
 * copies. A write that fails for that reason has been committed, and its message says so. Later
 * writes of the object fail likewise until one of them is confirmed. Thread-safe.
 */
final class VisibilityReductionStage {

    private final ObjectStore store;
    private final CacheInvalidator caches;

    VisibilityReductionStage(ObjectStore store, CacheInvalidator caches) {
        this.store = store;
        this.caches = caches;
    }

    /**
     * The version and visibility of an object before a write that may reduce its visibility. It is
     * {@link #IRRELEVANT} if the write cannot hide anything.
     *
     * @param version 0 if there is no object
     * @param isPublic whether it is public, or was before its deletion
     */
    record PriorVisibility(long version, boolean isPublic) {

        static final PriorVisibility IRRELEVANT = new PriorVisibility(-1, false);

        /**
         * Returns the value for a state that is published again. It hides only states whose purge
         * may not have been confirmed.
         */
        static PriorVisibility forRepublication(StoredObject stored) {
            return new PriorVisibility(stored.version() - 1, false);
        }

        /** True if the new state may hide something. */
        private boolean isRelevantTo(StoredObject stored) {
            return version >= 0 && !stored.acl().read().isPublic();
        }

        /**
         * True if the new state hides a public one. A public state may lie between two states whose
         * versions are not consecutive.
         */
        private boolean mayBeReducedBy(StoredObject stored) {
            return isPublic || version + 1 != stored.version();
        }
    }

    /**
     * Reads the visibility before a write. Only replaces and updates that may make an object
     * private cost a read.
     */
    Future<PriorVisibility> capturePrior(Batch.StoreOperation write) {
        ObjectRef ref = write.ref();
        if (!caches.hasSharedCaches() || !mayReduceVisibility(write)) {
            return Future.succeededFuture(PriorVisibility.IRRELEVANT);
        }
        return write.mayOverwrite()
                ? store.find(ref).map(found -> found.map(VisibilityReductionStage::priorOf)
                        .orElseGet(() -> priorOfAbsent(ref)))
                : Future.succeededFuture(priorOfAbsent(ref));
    }

    /**
     * True if the write may hide the object. An update that leaves the permissions alone matters
     * only if the purge of an earlier write has to be retried.
     */
    private boolean mayReduceVisibility(Batch.StoreOperation write) {
        return write.fold(
                insert -> !isPublic(insert.fields()),
                replace -> !isPublic(replace.fields()),
                update -> update.update().touchesAcl()
                        || caches.isUnconfirmed(update.ref().id()),
                delete -> false);
    }

    private static PriorVisibility priorOf(StoredObject state) {
        return new PriorVisibility(state.version(), state.acl().read().isPublic());
    }

    /**
     * Returns the value for an absent object: there may be copies of a public object that was
     * deleted.
     */
    private PriorVisibility priorOfAbsent(ObjectRef ref) {
        return new PriorVisibility(0, caches.mayBeCached(ref.id()));
    }

    /**
     * Waits until the shared caches have removed their stale copies; fails with {@code UNAVAILABLE}
     * as described above.
     */
    Future<Void> awaitConfirmation(PriorVisibility priorVisibility, WriteOutcome outcome) {
        return outcome.storedObject()
                .filter(stored -> isHidden(priorVisibility, stored))
                .map(stored -> requirePurgeConfirmed(stored.ref().id(), stored.version()))
                .orElseGet(caches::awaitInvalidated);
    }

    private boolean isHidden(PriorVisibility priorVisibility, StoredObject stored) {
        return priorVisibility.isRelevantTo(stored)
                && (priorVisibility.mayBeReducedBy(stored)
                        || caches.isUnconfirmed(stored.ref().id()));
    }

    private Future<Void> requirePurgeConfirmed(String id, long version) {
        return caches.confirmVisibilityReduction(List.of(id))
                .compose(all -> all ? Future.succeededFuture() : Future.failedFuture(unconfirmedPurge(id, version)));
    }

    private static boolean isPublic(BsonDocument fields) {
        return Acl.fromBson(fields.get(StoredObject.ACL, BsonNull.VALUE)).read().isPublic();
    }

    private static ApiException unconfirmedPurge(String id, long version) {
        return new ApiException(
                ErrorCode.UNAVAILABLE,
                "Version " + version + " of " + id
                        + " is stored and not public, but a shared cache has not confirmed that it"
                        + " removed the public copies; it may serve them until it does. Write again to check");
    }
}
