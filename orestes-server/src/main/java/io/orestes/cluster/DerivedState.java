package io.orestes.cluster;

import io.orestes.auth.rights.RightsChange;
import io.orestes.auth.token.Authenticator;
import io.orestes.caching.CacheAdministrator;
import io.orestes.live.LiveQueries;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.orestes.read.watch.CachedQueryRegistry;
import io.orestes.schema.change.SchemaTransition;

/**
 * The state that this server derives from stored objects and holds in memory: cached responses and
 * queries, live queries, and principals with their rights. Changes of objects, rights and classes
 * are applied to it, whichever server makes them. It closes the connections of live queries after
 * missed writes that these queries would have had to report. An error would permanently end the
 * subscriptions of some clients, while a client without connection subscribes again. Thread-safe.
 *
 * @param disconnectSubscribers closes all connections of live queries, soon and without a message:
 *     clients subscribe again
 */
public record DerivedState(
        CacheAdministrator caches,
        CachedQueryRegistry cached,
        LiveQueries live,
        Authenticator authenticator,
        Runnable disconnectSubscribers) {

    /** Applies the consequences of a committed write for rights, before it is acknowledged. */
    public void applyWrite(WriteOutcome writeOutcome) {
        RightsChange.of(writeOutcome).ifPresent(this::applyRightsChange);
        writeOutcome.storedObject().ifPresent(live::onRulesWritten);
    }

    /** Applies changed rights of a user. */
    public void applyRightsChange(ObjectRef user) {
        applyRightsChange(RightsChange.of(user));
    }

    private void applyRightsChange(RightsChange change) {
        authenticator.evict(change);
        live.onRightsChange(change);
    }

    /**
     * Invalidates the objects of changed classes, whose form, existence or readers may have
     * changed.
     */
    public void applySchemaChange(SchemaTransition change) {
        caches.classesChanged(change.withOutdatedCopies());
        change.removed()
                .forEach(bucket ->
                        live.failAll(bucket, new ApiException(ErrorCode.BUCKET_NOT_FOUND, "The class was deleted")));
        change.withChangedQueryRights()
                .forEach(bucket -> live.failAll(
                        bucket, new ApiException(ErrorCode.PERMISSION_DENIED, "The rights to query were changed")));
        change.rewritten()
                .forEach(bucket -> live.failAll(
                        bucket,
                        new ApiException(
                                ErrorCode.SCHEMA_NOT_COMPATIBLE,
                                "Fields of the class were renamed, removed or converted; subscribe again")));
    }

    /**
     * Drops what is derived from a class, or from all classes if the name is empty, because some
     * writes are unknown. Copies of earlier responses stay in the filter for as long as they can
     * live.
     */
    public void invalidate(String bucket) {
        caches.invalidateClass(bucket);
        cached.invalidateAll();
        authenticator.evictAll();
        if (bucket.isEmpty()) {
            live.discardAll();
        } else {
            live.discardAll(bucket);
        }
        disconnectSubscribers.run();
    }

    /** Drops everything, because this server missed messages since it became a member. */
    public void invalidateAll() {
        caches.clearResponses();
        cached.invalidateAll();
        authenticator.evictAll();
        live.discardAll();
        disconnectSubscribers.run();
    }
}
