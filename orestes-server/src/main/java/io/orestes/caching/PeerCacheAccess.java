package io.orestes.caching;

import io.orestes.caching.sketch.SketchContents;
import io.orestes.caching.sketch.SketchSnapshot;
import io.orestes.group.Replication;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;

/**
 * The part of the caches for the other servers of the group and for clients. It applies what other
 * servers report, transfers the sketch to them, and gives clients its current state. Nothing that
 * it applies is replicated again, but for the query results of a server that left. Thread-safe.
 */
public final class PeerCacheAccess {

    private final LocalCaches local;
    private final CacheInvalidator invalidator;
    private final Replication replication;
    private final InvalidationBarrier barrier;
    private final InstantSource clock;
    private final RemoteQueryCopies remoteQueryCopies = new RemoteQueryCopies();

    PeerCacheAccess(
            LocalCaches local,
            CacheInvalidator invalidator,
            Replication replication,
            InvalidationBarrier barrier,
            InstantSource clock) {
        this.local = local;
        this.invalidator = invalidator;
        this.replication = replication;
        this.barrier = barrier;
        this.clock = clock;
    }

    /**
     * Registers copies of another server, which sends them now or soon; {@code time} starts now.
     */
    public void admitRemotely(String server, String key, Duration time) {
        long until = clock.millis() + time.toMillis();
        local.staleKeys().reportRemoteRead(key, until);
        remoteQueryCopies.add(server, key, until);
    }

    /** Applies the report of another server that the key has a newer state. */
    public void invalidateRemotely(String key) {
        local.invalidate(key);
    }

    /** Purges all objects and query results on this server only. */
    public void purgeAllLocally() {
        local.invalidateClass("");
    }

    /** Drops everything on this server only. */
    public void clearLocally() {
        local.clear();
    }

    /**
     * Succeeds on the caller's context when the invalidations of an applied write are done; see
     * {@link CacheInvalidator#awaitInvalidated}.
     */
    public Future<Void> awaitInvalidated() {
        return barrier.await();
    }

    /**
     * Applies the departure of another server. Nobody watches the query results any more that it
     * sent. If the departure was not orderly, it may have committed writes without a report, and
     * everything counts as changed. Only that server knew the URLs of its results, so shared caches
     * purge everything.
     */
    public void removeServer(String server, boolean isOrderly) {
        invalidator.endQueryWatch(
                () -> remoteQueryCopies.remove(server, clock.millis()).forEach(invalidator::invalidate));
        if (isOrderly) {
            local.urls().purgePrefix("/db/");
        } else {
            local.invalidateClass("");
        }
    }

    /** Drops the state of expired copies; to be called every few seconds. */
    public void sweep() {
        remoteQueryCopies.sweep(clock.millis());
    }

    /**
     * Returns the whole content of this server's sketch for transfer to another server; its times
     * are relative to now.
     */
    public SketchContents sketchContents() {
        return local.staleKeys().contents().shifted(-clock.millis());
    }

    /** Merges the sketch content of another server; its times are relative to now. */
    public void mergeSketch(String server, SketchContents contents) {
        SketchContents merged = contents.shifted(clock.millis());
        local.staleKeys().merge(merged);
        merged.keys().forEach(key -> remoteQueryCopies.add(server, key.name(), key.grantedLocallyUntilMillis()));
    }

    /** Marks everything as stale for the longest time that copies of earlier servers may live. */
    public void assumeAllStale(Duration longestTtl) {
        local.staleKeys().assumeAllStale(clock.millis() + longestTtl.toMillis());
    }

    /**
     * Returns the stale keys for clients. Fails with {@code UNAVAILABLE} while this server does not
     * receive the writes of its group.
     */
    public SketchSnapshot sketchSnapshot() {
        if (!replication.isCurrent()) {
            throw new ApiException(
                    ErrorCode.UNAVAILABLE,
                    "This server is disconnected from its group and cannot determine which copies are stale");
        }
        return local.staleKeys().snapshot();
    }

    /** Returns the stale keys with the lag of purged caches. */
    public Future<ClientSketch> clientFilter() {
        return barrier.lag().map(lag -> new ClientSketch(sketchSnapshot(), lag.orElse(null)));
    }
}
