package io.orestes.caching;

import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.response.ResponseCache;
import io.orestes.caching.sketch.StaleKeys;
import io.orestes.caching.ttl.TtlEstimator;
import io.orestes.caching.ttl.Ttls;
import io.orestes.group.Replication;
import io.orestes.model.Principal;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The part of the caches for reads (cache-aside): finds responses, and admits those that were read
 * from the store. Every copy that leaves the server is reported to the sketch first; the doc of the
 * package has the protocol and the argument. Thread-safe.
 */
public final class ReadCache {

    private static final long LIFETIME_TOLERANCE_MILLIS = Caches.LIFETIME_TOLERANCE.toMillis();

    /**
     * Time in ms by which the report of a hit exceeds its need, so that later hits need no report.
     * Its cost is no part of {@link Caches#LIFETIME_TOLERANCE}.
     */
    private static final long REPORT_AHEAD_MILLIS = 1_000;

    /**
     * Time in ms by which a hit reports ahead with several servers, where a report is a round trip
     * to each of them.
     */
    private static final long GROUP_REPORT_AHEAD_MILLIS = 5_000;

    private final LocalCaches local;
    private final ResponseCache responses;
    private final StaleKeys staleKeys;
    private final Replication replication;
    private final boolean sharesUnpurged;
    private final InstantSource clock;

    /** @param sharesUnpurged whether shared caches may store query results without purges */
    ReadCache(LocalCaches local, Replication replication, boolean sharesUnpurged, InstantSource clock) {
        this.local = local;
        this.responses = local.responses();
        this.staleKeys = local.staleKeys();
        this.replication = replication;
        this.sharesUnpurged = sharesUnpurged;
        this.clock = clock;
    }

    /**
     * Returns the response to send for {@code key}, with its own headers. It is reported to the
     * sketch already.
     */
    public Optional<CachedResponse> lookup(String key) {
        Optional<CachedResponse> hit = responses.get(key).filter(found -> mayServe(key, found));
        hit.ifPresent(found -> local.busiest().hit(key));
        return hit;
    }

    /**
     * Returns the response to send to a caller who may load objects of the class, including guarded
     * responses. No other cache stores a guarded response without revalidation, so it is not
     * reported to the sketch.
     */
    public Optional<CachedResponse> lookup(String key, Principal principal) {
        Optional<CachedResponse> hit = responses
                .get(key, principal)
                .filter(found -> found.isPublic() ? mayServe(key, found) : replication.isCurrent());
        hit.ifPresent(found -> local.busiest().hit(key));
        return hit;
    }

    /**
     * Returns the response to send for a URL of an object, or of a query with this alias. The
     * result is empty if shared caches must not store it under the URL.
     */
    public Optional<CachedResponse> lookupUrl(String url) {
        return url.indexOf('?') < 0
                ? lookup(ResourceUrls.objectKey(url))
                : local.urls().findQuery(url).flatMap(this::lookup);
    }

    /**
     * Counts a read of the store. Must be called for each one, after {@link #lookup} found nothing
     * or was skipped.
     */
    public void recordStoreRead(String key) {
        local.busiest().recordStoreRead(key);
    }

    /**
     * Returns a ticket for {@link #admit} and {@link #put}. Must be called before the store is
     * read.
     */
    public long issueTicket(String key) {
        return responses.issueTicket(key);
    }

    /**
     * Completes on the caller's context with whether caches may retain for {@code granted} a state
     * that was read after taking the ticket. Must be called before such a response is sent; after
     * false the response must forbid storing. True only when all other servers of the group have
     * acknowledged that copies may exist.
     */
    public Future<Boolean> admit(String key, long ticket, Ttls granted) {
        return replication.isStandalone() || granted.equals(Ttls.NONE)
                ? Future.succeededFuture(admitLocally(key, ticket, granted))
                : replicateAdmission(key, clock.millis() + granted.longestMillis() + GROUP_REPORT_AHEAD_MILLIS)
                        .map(known -> replication.isCurrent() && admitLocally(key, ticket, granted));
    }

    /**
     * Reports a read to this server's sketch and then to all others; succeeds with whether they
     * acknowledged.
     */
    private Future<Boolean> replicateAdmission(String key, long until) {
        long now = clock.millis();
        staleKeys.reportRead(key, until + LIFETIME_TOLERANCE_MILLIS);
        return replication
                .replicateAdmission(key, Duration.ofMillis(until + LIFETIME_TOLERANCE_MILLIS - now))
                .map(acknowledged -> {
                    staleKeys.recordReplicated(key, until);
                    return true;
                })
                .otherwise(false);
    }

    boolean admitLocally(String key, long ticket, Ttls granted) {
        if (granted.equals(Ttls.NONE) || !isReplicatedUntil(key, clock.millis() + granted.longestMillis())) {
            return false;
        }
        staleKeys.reportRead(key, clock.millis() + granted.longestMillis() + LIFETIME_TOLERANCE_MILLIS);
        boolean isCurrent = responses.isCurrent(key, ticket);
        if (isCurrent) {
            ttls().recordGrant(key, granted);
        }
        return isCurrent;
    }

    /** Returns the cached response of a key without counting the access. */
    public Optional<CachedResponse> peek(String key) {
        return responses.peek(key);
    }

    /**
     * Stores a response for later requests, unless the key was invalidated since the ticket was
     * taken. A guarded response need not be admitted.
     */
    public void put(String key, long ticket, CachedResponse response) {
        if (!replication.isStandalone()) {
            response.setReportedUntilMillis(staleKeys.replicatedUntil(key));
        }
        responses.put(key, ticket, response);
    }

    /**
     * Returns whether shared caches may store query results. Clients need not check queries against
     * the filter, so a cache without purges would serve stale results.
     */
    public boolean mayShareQueries() {
        return sharesUnpurged || local.shared().isEnabled();
    }

    /** Returns the URLs under which caches find and store responses. */
    public ResourceUrls urls() {
        return local.urls();
    }

    /** Returns the estimator that chooses times to live. */
    public TtlEstimator ttls() {
        return local.ttls();
    }

    private boolean mayServe(String key, CachedResponse response) {
        long until = response.usableUntilMillis(clock.millis());
        return replication.isStandalone()
                ? until <= response.reportedUntilMillis() || report(key, response, until + REPORT_AHEAD_MILLIS)
                : replication.isCurrent() && isReplicated(key, response, until);
    }

    private boolean report(String key, CachedResponse response, long until) {
        staleKeys.reportRead(key, until + LIFETIME_TOLERANCE_MILLIS);
        response.setReportedUntilMillis(until);
        return responses.holds(key, response);
    }

    /**
     * Reports to other servers early enough for the next hits. Meanwhile no copy that they have not
     * acknowledged is sent.
     */
    private boolean isReplicated(String key, CachedResponse response, long until) {
        long known = response.reportedUntilMillis();
        if (until > known - GROUP_REPORT_AHEAD_MILLIS / 2 && response.tryBeginReport()) {
            replicateAdmission(key, until + GROUP_REPORT_AHEAD_MILLIS).onComplete(acknowledged -> {
                response.setReportedUntilMillis(staleKeys.replicatedUntil(key));
                response.endReport();
            });
        }
        return until <= known;
    }

    private boolean isReplicatedUntil(String key, long until) {
        return replication.isStandalone() || until <= staleKeys.replicatedUntil(key);
    }
}
