package io.orestes.caching;

import io.orestes.caching.purge.SharedCaches;
import io.orestes.caching.response.BusiestKeys;
import io.orestes.caching.response.ResponseCache;
import io.orestes.caching.sketch.StaleKeys;
import io.orestes.caching.ttl.TtlEstimator;

/**
 * The caching state of one server, with the invalidations that change several parts of it. They run
 * their steps in the order that the package's argument for coherence needs, and concern this server
 * and its shared caches only. Thread-safe.
 *
 * <p><b>Why no purge is missing</b>, although {@link #invalidate} sends none if no read was
 * reported since the last one. The invalidation counts the reports before it counts in the ticket
 * table (1). Once the purge is queued, it marks only these reports as purged. A copy that was
 * compared after (1) has a ticket, and so a report, from after the count, and the next invalidation
 * sees it. A copy that was compared before (1) may still be on its way when it is purged. Repeated
 * purges remove it, and our VCL stores no response that took so long. While one purged cache may
 * store such responses, every invalidation sends a purge.
 *
 * @param responses the response cache
 * @param busiest the most used keys
 * @param staleKeys the sketch
 * @param ttls the estimator of times to live
 * @param results the counters of changed query results
 * @param shared the shared caches that are purged
 * @param urls the URLs under which keys are purged
 */
record LocalCaches(
        ResponseCache responses,
        BusiestKeys busiest,
        StaleKeys staleKeys,
        TtlEstimator ttls,
        UnchangedResultDetector results,
        SharedCaches shared,
        ResourceUrls urls) {

    /**
     * Removes {@code key} from every cache that can be purged and makes clients bypass all others.
     * A key that no cache can retain according to the sketch is not purged.
     */
    void invalidate(String key) {
        StaleKeys.ReadCount reads = staleKeys.reports(key);
        removeResponse(key);
        if (staleKeys.invalidate(key) && shared.isEnabled() && mayBeShared(key) && urls.purge(key)) {
            staleKeys.recordPurged(reads);
        }
    }

    /** Invalidates {@code key} and purges shared caches regardless of the sketch. */
    void purge(String key) {
        StaleKeys.ReadCount reads = staleKeys.reports(key);
        removeResponse(key);
        staleKeys.invalidate(key);
        if (shared.isEnabled() && urls.purge(key)) {
            staleKeys.recordPurged(reads);
        }
    }

    private void removeResponse(String key) {
        if (responses.invalidate(key)) {
            busiest.invalidated(key);
        }
    }

    private boolean mayBeShared(String key) {
        return shared.mayKeepLateResponses() || staleKeys.mayBeShared(key);
    }

    /** Invalidates all objects and query results of a class, or of all if the name is empty. */
    void invalidateClass(String bucket) {
        String path = bucket.isEmpty() ? "/db/" : "/db/" + bucket + "/";
        responses.clear();
        results.unwatch(() -> staleKeys.invalidateAll(path));
        urls.purgePrefix(path);
    }

    /** Drops everything; earlier copies are not tracked any more. */
    void clear() {
        ttls.clear();
        staleKeys.clear();
        responses.clear();
        shared.purgePrefix("/");
    }
}
