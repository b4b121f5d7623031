package io.orestes.caching;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.group.Replication;
import io.vertx.core.Future;
import java.util.Collection;

/**
 * The part of the caches for operators and for changes of whole classes: purges, bulk invalidations
 * and the inspection of all caches. Thread-safe.
 */
public final class CacheAdministrator {

    private final LocalCaches local;
    private final Replication replication;
    private final InvalidationBarrier barrier;
    private final CacheInspector inspector;

    CacheAdministrator(
            LocalCaches local, Replication replication, InvalidationBarrier barrier, CacheInspector inspector) {
        this.local = local;
        this.replication = replication;
        this.barrier = barrier;
        this.inspector = inspector;
    }

    /**
     * Purges {@code key} on all servers of the group although no newer state is known. Shared
     * caches are purged regardless of the sketch, because the caller has seen a copy that it does
     * not cover.
     *
     * @return whether all shared caches of this server have confirmed; also waits for those that
     *     lag
     */
    @CanIgnoreReturnValue
    public Future<Boolean> purge(String key) {
        local.purge(key);
        replication.replicateInvalidation(key);
        return barrier.confirm();
    }

    /**
     * Purges all objects and query results on all servers. Copies elsewhere stay tracked and count
     * as stale.
     *
     * @return whether all shared caches of this server have confirmed; also waits for those that
     *     lag
     */
    @CanIgnoreReturnValue
    public Future<Boolean> purgeAll() {
        replication.replicatePurge();
        local.invalidateClass("");
        return barrier.confirm();
    }

    /**
     * Drops everything on all servers of the group. Earlier copies are not tracked any more.
     * Succeeds when the other servers have acknowledged it, and the shared caches have confirmed or
     * lag behind.
     */
    @CanIgnoreReturnValue
    public Future<Void> clear() {
        replication.replicateClear();
        local.clear();
        return barrier.await();
    }

    /** Drops all cached responses of this server. Copies elsewhere stay tracked. */
    public void clearResponses() {
        local.responses().clear();
    }

    /**
     * Invalidates a class, or all if the name is empty, because some of its writes were not
     * observed.
     */
    public void invalidateClass(String bucket) {
        local.invalidateClass(bucket);
    }

    /**
     * Applies a new schema. This server reads everything anew. Clients bypass their copies of
     * objects and query results of {@code outdated} classes, whose form or readers changed.
     */
    public void classesChanged(Collection<String> outdated) {
        local.responses().clear();
        outdated.forEach(bucket -> local.staleKeys().invalidateAll("/db/" + bucket + "/"));
        outdated.forEach(bucket -> local.urls().purgePrefix("/db/" + bucket + "/"));
    }

    /** Returns the view of all caches for operators. */
    public CacheInspector inspector() {
        return inspector;
    }
}
