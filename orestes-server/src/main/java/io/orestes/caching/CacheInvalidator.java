package io.orestes.caching;

import io.orestes.group.Replication;
import io.vertx.core.Future;
import java.util.Collection;

/**
 * The part of the caches for writes: invalidates what they change, on this server and on all
 * others, and waits until no cache serves it any more. Thread-safe.
 */
public final class CacheInvalidator {

    private final LocalCaches local;
    private final Replication replication;
    private final InvalidationBarrier barrier;
    private final UnconfirmedVisibilityPurges unconfirmedVisibilityPurges;

    CacheInvalidator(LocalCaches local, Replication replication, InvalidationBarrier barrier) {
        this.local = local;
        this.replication = replication;
        this.barrier = barrier;
        this.unconfirmedVisibilityPurges = new UnconfirmedVisibilityPurges(local.shared());
    }

    /**
     * Invalidates an object. Must be called after each committed write and before it is answered.
     */
    public void objectWritten(String key) {
        local.ttls().recordWrite(key);
        invalidate(key);
    }

    /**
     * Invalidates the key of an inserted object. Unlike an update, an insert does not count for the
     * write rate.
     */
    public void objectInserted(String key) {
        invalidate(key);
    }

    /** Invalidates a query. Must be called when its result changed. */
    public void queryChanged(String queryKey) {
        local.ttls().recordQueryChange(queryKey);
        local.results().changed(QueryKey.bucketOf(queryKey));
        invalidate(queryKey);
    }

    /** Runs {@code ending}, which ends the watch of queries and invalidates their keys. */
    public void endQueryWatch(Runnable ending) {
        local.results().unwatch(ending);
    }

    /** Returns the counters of changed query results. */
    public UnchangedResultDetector results() {
        return local.results();
    }

    /**
     * Removes {@code key} from every cache that can be purged and makes clients bypass all others.
     */
    public void invalidate(String key) {
        local.invalidate(key);
        if (!replication.isStandalone() && local.staleKeys().mayBeGrantedLocally(key)) {
            replication.replicateInvalidation(key);
        }
    }

    /**
     * Succeeds on the caller's context when the other servers have acknowledged the invalidations,
     * and the shared caches have confirmed their purges or lag behind.
     */
    public Future<Void> awaitInvalidated() {
        return barrier.await();
    }

    /**
     * Purges keys of objects or paths of classes that were hidden from the public, and returns
     * whether all caches have confirmed. Only then no public copy is served any more. Otherwise the
     * keys are {@link #isUnconfirmed} until a later call gets the confirmation.
     */
    public Future<Boolean> confirmVisibilityReduction(Collection<String> keys) {
        return replication.awaitAcknowledged().compose(acknowledged -> unconfirmedVisibilityPurges.confirm(keys));
    }

    /**
     * Returns whether shared caches may still serve a hidden key; see {@link
     * #confirmVisibilityReduction}.
     */
    public boolean isUnconfirmed(String key) {
        return unconfirmedVisibilityPurges.isUnconfirmed(key);
    }

    /** Returns whether this key is known to have copies in some cache, stale or not. */
    public boolean mayBeCached(String key) {
        return local.staleKeys().mayBeCached(key);
    }

    /** Returns whether there are shared caches that receive purges. */
    public boolean hasSharedCaches() {
        return local.shared().isEnabled();
    }
}
