package io.orestes.caching;

import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.caching.purge.SharedCacheStatistics;
import io.orestes.caching.purge.SharedCaches;
import io.orestes.caching.purge.SurrogateKeys;
import io.orestes.caching.response.BusiestKeys;
import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.response.QueryAliases;
import io.orestes.caching.response.QueryUrlVariants;
import io.orestes.caching.response.ResponseCache;
import io.orestes.caching.sketch.SketchContents;
import io.orestes.caching.sketch.SketchSnapshot;
import io.orestes.caching.sketch.StaleKeys;
import io.orestes.caching.ttl.TtlEstimator;
import io.orestes.caching.ttl.Ttls;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The facade of all caching, which orders the steps that keep response cache, sketch and shared
 * caches coherent. Thread-safe.
 *
 * <p><b>To read</b>: call {@link #lookup}. On a miss take a ticket with {@link #issueTicket}, read
 * the
 * store, choose {@link Ttls}, and call {@link #admit}. If that is false, the response is sent
 * without a time to live. If it is true, {@link #put} stores the response for other requests.
 *
 * <p><b>To write</b>: commit, then call {@link #objectWritten} (or {@link #queryChanged}), then
 * wait until the shared caches have {@link #awaitInvalidated}, then answer. A key that no cache can
 * retain according to the sketch is not purged.
 *
 * <p><b>Why no stale copy slips through.</b> An invalidation runs in this order: count in the
 * ticket table (1), remove the response (2), read the sketch (3). A copy leaves the server in one
 * of three ways. A miss reports its time to the sketch and then compares the ticket. If (1) came
 * before the comparison, no copy may be retained; otherwise the report came before (3), which sees
 * it. A hit that has to report does so and then checks again that the response is still cached. If
 * (2) came first it is not, and the hit counts as a miss; otherwise the report came before (3). A
 * hit whose time is within an earlier report found the response before (2), so that report came
 * before (3).
 *
 * <p><b>Why no purge is missing</b>, although an invalidation sends none if no read was reported
 * since the last one. The invalidation counts the reports before (1). Once the purge is queued, it
 * marks only these reports as purged. A copy that was compared after (1) has a ticket, and so a
 * report, from after the count, and the next invalidation sees it. A copy that was compared before
 * (1) may still be on its way when it is purged. Repeated purges remove it, and our VCL stores no
 * response that took so long. While one purged cache may store such responses, every invalidation
 * sends a purge.
 */
public final class Caches {

    private static final Logger log = LoggerFactory.getLogger(Caches.class);

    /**
     * Time by which a copy may outlive its grant. An {@code Age} loses up to a second by rounding,
     * and up to 0.8 s of a fetch that Varnish does not count.
     */
    public static final Duration LIFETIME_TOLERANCE = Duration.ofSeconds(2);

    /** Path before the keys in the URLs of the interface. */
    private static final String BASE = "/v1";

    private static final long LIFETIME_TOLERANCE_MILLIS = LIFETIME_TOLERANCE.toMillis();

    /**
     * Time in ms by which the report of a hit exceeds its need, so that later hits need no report.
     * Its cost is no part of {@link #LIFETIME_TOLERANCE}.
     */
    private static final long REPORT_AHEAD_MILLIS = 1_000;

    /**
     * Time in ms by which a hit reports ahead with several servers, where a report is a round trip
     * to each of them.
     */
    private static final long GROUP_REPORT_AHEAD_MILLIS = 5_000;

    private static final Duration PURGE_TIMEOUT = Duration.ofSeconds(5);

    private final InstantSource clock;
    private final StaleKeys staleKeys;
    private final TtlEstimator ttls;
    private final ResponseCache responses;
    private final BusiestKeys busiest;
    private final QueryAliases aliases;
    private final SharedCaches shared;
    private final QueryUrlVariants queryUrlVariants;
    private final ResultChangeCounters results;
    private final VisibilityPurges visibilityPurges;
    private final boolean sharesUnpurged;
    private final CacheInspector cacheInspector;
    private final RemoteQueryCopies remoteQueryCopies = new RemoteQueryCopies();
    private volatile CacheReplication cacheReplication = CacheReplication.NONE;

    /** Creates caches without shared caches to purge. */
    public Caches(CachingConfig config, InstantSource clock, MeterRegistry registry) {
        this(config, SharedCaches.NONE, clock, registry);
    }

    public Caches(CachingConfig config, SharedCaches shared, InstantSource clock, MeterRegistry registry) {
        this.clock = clock;
        this.staleKeys = new StaleKeys(config.sketch(), clock);
        TtlMetrics lifetimes = new TtlMetrics(registry);
        this.ttls = new TtlEstimator(config.ttl(), clock, lifetimes);
        this.responses = new ResponseCache(config.responseBytes(), clock);
        this.busiest = new BusiestKeys(clock);
        this.aliases = new QueryAliases(config.aliasBytes());
        this.shared = shared;
        this.visibilityPurges = new VisibilityPurges(shared);
        this.sharesUnpurged = config.sharesUnpurged();
        this.queryUrlVariants = new QueryUrlVariants(
                config.purge().maxUrlVariants(), config.ttl().sharedMax().plusMillis(LIFETIME_TOLERANCE_MILLIS), clock);
        this.results = new ResultChangeCounters(clock);
        this.cacheInspector =
                new CacheInspector(clock, responses, busiest, staleKeys, queryUrlVariants, shared, lifetimes);
        CachingMetrics.bind(registry, responses, staleKeys);
    }

    /**
     * Sets the other servers with which the sketch of this one is replicated. Must be called before
     * the first read.
     */
    public void replicate(CacheReplication others) {
        cacheReplication = others;
    }

    /**
     * Returns the response to send for {@code key}, with its own headers. It is reported to the
     * sketch already.
     */
    public Optional<CachedResponse> lookup(String key) {
        return counted(key, responses.get(key).filter(found -> mayServe(key, found)));
    }

    /**
     * Returns the response to send to a caller who may load objects of the class, including guarded
     * responses. No other cache stores a guarded response without revalidation, so it is not
     * reported to the sketch.
     */
    public Optional<CachedResponse> lookup(String key, Principal principal) {
        return counted(
                key,
                responses
                        .get(key, principal)
                        .filter(found -> found.isPublic() ? mayServe(key, found) : cacheReplication.isCurrent()));
    }

    private Optional<CachedResponse> counted(String key, Optional<CachedResponse> found) {
        if (found.isPresent()) {
            busiest.hit(key);
        }
        return found;
    }

    /**
     * Counts a read of the store. Must be called for each one, after {@link #lookup} found nothing
     * or was skipped.
     */
    public void recordStoreRead(String key) {
        busiest.recordStoreRead(key);
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
        return cacheReplication.isStandalone() || granted.equals(Ttls.NONE)
                ? Future.succeededFuture(admitLocally(key, ticket, granted))
                : replicateAdmission(key, clock.millis() + granted.longestMillis() + GROUP_REPORT_AHEAD_MILLIS)
                        .map(known -> cacheReplication.isCurrent() && admitLocally(key, ticket, granted));
    }

    /**
     * Reports a read to this server's sketch and then to all others; succeeds with whether they
     * acknowledged.
     */
    private Future<Boolean> replicateAdmission(String key, long until) {
        long now = clock.millis();
        staleKeys.reportRead(key, until + LIFETIME_TOLERANCE_MILLIS);
        return cacheReplication
                .replicateAdmission(key, Duration.ofMillis(until + LIFETIME_TOLERANCE_MILLIS - now))
                .map(told -> {
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
            ttls.recordGrant(key, granted);
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
        if (!cacheReplication.isStandalone()) {
            response.setReportedUntilMillis(staleKeys.replicatedUntil(key));
        }
        responses.put(key, ticket, response);
    }

    /**
     * Invalidates an object. Must be called after each committed write and before it is answered.
     */
    public void objectWritten(String key) {
        ttls.recordWrite(key);
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
        ttls.recordQueryChange(queryKey);
        results.changed(QueryKey.bucketOf(queryKey));
        invalidate(queryKey);
    }

    /** Runs {@code ending}, which ends the watch of queries and invalidates their keys. */
    public void endQueryWatch(Runnable ending) {
        results.unwatch(ending);
    }

    /** Returns the counters of changed query results. */
    public ResultChangeCounters results() {
        return results;
    }

    /**
     * Removes {@code key} from every cache that can be purged and makes clients bypass all others.
     */
    public void invalidate(String key) {
        invalidateLocally(key);
        if (!cacheReplication.isStandalone() && staleKeys.mayBeGrantedLocally(key)) {
            cacheReplication.replicateInvalidation(key);
        }
    }

    private void invalidateLocally(String key) {
        StaleKeys.ReadCount reports = staleKeys.reports(key);
        drop(key);
        if (staleKeys.invalidate(key) && shared.isEnabled() && mayBeShared(key) && orderPurges(key)) {
            staleKeys.recordPurged(reports);
        }
    }

    private void drop(String key) {
        if (responses.invalidate(key)) {
            busiest.invalidated(key);
        }
    }

    /**
     * Purges {@code key} on all servers of the group although no newer state is known. Shared
     * caches are purged regardless of the sketch, because the caller has seen a copy that it does
     * not cover.
     */
    public void purge(String key) {
        StaleKeys.ReadCount reports = staleKeys.reports(key);
        drop(key);
        staleKeys.invalidate(key);
        if (shared.isEnabled() && orderPurges(key)) {
            staleKeys.recordPurged(reports);
        }
        cacheReplication.replicateInvalidation(key);
    }

    /**
     * Purges all objects and query results on all servers. Copies elsewhere stay tracked and count
     * as stale.
     */
    public void purgeAll() {
        cacheReplication.replicatePurge();
        purgeAllLocally();
    }

    /** Purges all objects and query results on this server only. */
    public void purgeAllLocally() {
        invalidateClass("");
    }

    private boolean mayBeShared(String key) {
        return shared.mayKeepLateResponses() || staleKeys.mayBeShared(key);
    }

    /**
     * Purges every URL under which shared caches may store the key; see {@link
     * #registerUrlVariant}. A purge that fails does not prevent the others; the result is false
     * then.
     */
    private boolean orderPurges(String key) {
        boolean areTold = tryOrder(shared::purge, BASE + key);
        for (String uri : queryUrlVariants.of(key)) {
            areTold &= tryOrder(shared::purgeUrl, uri);
        }
        return areTold;
    }

    private static boolean tryOrder(Consumer<String> order, String uri) {
        try {
            order.accept(uri);
            return true;
        } catch (RuntimeException failure) {
            log.error("The purge of {} may have reached no shared cache", uri, failure);
            return false;
        }
    }

    /**
     * Registers the URL under which a query result is sent. Must be called before {@link #lookup}
     * and {@link #issueTicket}. After false no shared cache may store the response, because it
     * could not be purged.
     */
    public boolean registerUrlVariant(String key, String uri) {
        return !shared.isEnabled() || isCanonical(key, uri) || queryUrlVariants.add(key, uri);
    }

    private static boolean isCanonical(String key, String uri) {
        return uri.length() == BASE.length() + key.length() && uri.startsWith(BASE) && uri.endsWith(key);
    }

    /**
     * Returns whether shared caches may store query results. Clients need not check queries against
     * the filter, so a cache without purges would serve stale results.
     */
    public boolean shareQueries() {
        return sharesUnpurged || shared.isEnabled();
    }

    /** Returns the surrogate keys of a response; empty if no shared cache purges by them. */
    public String surrogateKeys(String key) {
        return shared.isEnabled() ? SurrogateKeys.of(BASE + key) : "";
    }

    /**
     * Succeeds on the caller's context when the shared caches have confirmed their purges; see
     * {@link SharedCaches}.
     */
    public Future<Void> awaitInvalidated() {
        return cacheReplication.isStandalone()
                ? shared.awaitConfirmed()
                : Future.join(shared.awaitConfirmed(), cacheReplication.awaitAcknowledged())
                        .mapEmpty();
    }

    /**
     * Waits for the purges and returns whether all shared caches of this server have confirmed; see
     * {@link SharedCaches#confirmPurges}. Also waits for caches that lag, because its callers
     * accept a delay.
     */
    public Future<Boolean> confirmPurges() {
        return cacheReplication.awaitAcknowledged().compose(told -> shared.confirmPurges(PURGE_TIMEOUT));
    }

    /**
     * Registers copies of another server, which sends them now or soon; {@code time} starts now.
     */
    public void admitRemotely(String server, String key, Duration time) {
        long until = clock.millis() + time.toMillis();
        staleKeys.reportRemoteRead(key, until);
        remoteQueryCopies.add(server, key, until);
    }

    /** Applies the report of another server that the key has a newer state. */
    public void invalidateRemotely(String key) {
        invalidateLocally(key);
    }

    /**
     * Applies the departure of another server. Nobody watches the query results any more that it
     * sent. If the departure was not orderly, it may have committed writes without a report, and
     * everything counts as changed.
     */
    public void removeServer(String server, boolean isOrderly) {
        endQueryWatch(() -> remoteQueryCopies.remove(server, clock.millis()).forEach(this::invalidate));
        if (!isOrderly) {
            // This order is required, as in every invalidation.
            responses.clear();
            endQueryWatch(() -> staleKeys.invalidateAll("/db/"));
        }
        if (shared.isEnabled()) {
            // Only that server knew the URLs of its results.
            shared.purgePrefix(BASE + "/db/");
        }
    }

    /** Drops the state of expired copies; to be called every few seconds. */
    public void sweep() {
        remoteQueryCopies.sweep(clock.millis());
    }

    /** Returns the whole content of this server's sketch for transfer to another server. */
    public SketchContents sketchContents() {
        return staleKeys.contents();
    }

    /** Merges the sketch content of another server; its times are by the clock of this server. */
    public void mergeSketch(String server, SketchContents contents) {
        staleKeys.merge(contents);
        contents.keys().forEach(key -> remoteQueryCopies.add(server, key.name(), key.grantedLocallyUntilMillis()));
    }

    /** Returns the time in ms since 1970 by the clock of all times of copies. */
    public long millis() {
        return clock.millis();
    }

    /**
     * Returns the stale keys for clients. Fails with {@code UNAVAILABLE} while this server does not
     * receive the writes of its group.
     */
    public SketchSnapshot sketchSnapshot() {
        if (!cacheReplication.isCurrent()) {
            throw new ApiException(
                    ErrorCode.UNAVAILABLE,
                    "This server is disconnected from its group and cannot determine which copies are stale");
        }
        return staleKeys.snapshot();
    }

    /** Returns the stale keys with the lag of purged caches. */
    public Future<ClientSketch> clientFilter() {
        return purgeLag().map(lag -> new ClientSketch(sketchSnapshot(), lag));
    }

    /**
     * Purges keys of objects or paths of classes that were hidden from the public, and returns
     * whether all caches have confirmed. Only then no public copy is served any more. Otherwise the
     * keys are {@link #isUnconfirmed} until a later call gets the confirmation.
     */
    public Future<Boolean> confirmVisibilityReduction(Collection<String> keys) {
        return cacheReplication.awaitAcknowledged().compose(told -> visibilityPurges.confirm(keys));
    }

    /**
     * Returns whether shared caches may still serve a hidden key; see {@link
     * #confirmVisibilityReduction}.
     */
    public boolean isUnconfirmed(String key) {
        return visibilityPurges.isUnconfirmed(key);
    }

    /** Returns whether this key is known to have copies in some cache, stale or not. */
    public boolean mayBeCached(String key) {
        return staleKeys.mayBeCached(key);
    }

    /**
     * Returns the maximum lag of purged caches, see {@link SharedCaches#lag}. Empty with several
     * servers, each of which purges.
     */
    public Future<Optional<Duration>> purgeLag() {
        return cacheReplication.isStandalone() ? shared.lag() : Future.succeededFuture(Optional.empty());
    }

    /** Requests the read counters of the shared caches; completes on the caller's context. */
    public Future<List<SharedCacheStatistics>> fetchSharedCacheStatistics() {
        return shared.fetchStatistics();
    }

    /** Returns whether there are shared caches that receive purges. */
    public boolean hasSharedCaches() {
        return shared.isEnabled();
    }

    /**
     * Applies a new schema. This server reads everything anew. Clients bypass their copies of
     * objects and query results of {@code outdated} classes, whose form or readers changed.
     */
    public void classesChanged(Collection<String> outdated) {
        responses.clear();
        outdated.forEach(bucket -> staleKeys.invalidateAll("/db/" + bucket + "/"));
        outdated.forEach(bucket -> shared.purgePrefix(BASE + "/db/" + bucket + "/"));
    }

    /**
     * Invalidates a class, or all if the name is empty, because some of its writes were not
     * observed.
     */
    public void invalidateClass(String bucket) {
        String path = bucket.isEmpty() ? "/db/" : "/db/" + bucket + "/";
        responses.clear();
        endQueryWatch(() -> staleKeys.invalidateAll(path));
        if (shared.isEnabled()) {
            shared.purgePrefix(BASE + path);
        }
    }

    /** Drops all cached responses of this server. Copies elsewhere stay tracked. */
    public void clearResponses() {
        responses.clear();
    }

    /** Drops everything on all servers of the group. Earlier copies are not tracked any more. */
    public void clear() {
        cacheReplication.replicateClear();
        clearLocally();
    }

    /** Drops everything on this server only. */
    public void clearLocally() {
        ttls.clear();
        staleKeys.clear();
        responses.clear();
        shared.purgePrefix("/");
    }

    public StaleKeys staleKeys() {
        return staleKeys;
    }

    /** Returns the view for operators. */
    public CacheInspector inspection() {
        return cacheInspector;
    }

    public TtlEstimator ttls() {
        return ttls;
    }

    /** Returns the cached URLs of queries; see {@link QueryKey}. */
    public QueryAliases aliases() {
        return aliases;
    }

    private boolean mayServe(String key, CachedResponse response) {
        long until = response.usableUntilMillis(clock.millis());
        return cacheReplication.isStandalone()
                ? until <= response.reportedUntilMillis() || report(key, response, until + REPORT_AHEAD_MILLIS)
                : cacheReplication.isCurrent() && isReplicated(key, response, until);
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
            replicateAdmission(key, until + GROUP_REPORT_AHEAD_MILLIS).onComplete(told -> {
                response.setReportedUntilMillis(staleKeys.replicatedUntil(key));
                response.endReport();
            });
        }
        return until <= known;
    }

    private boolean isReplicatedUntil(String key, long until) {
        return cacheReplication.isStandalone() || until <= staleKeys.replicatedUntil(key);
    }
}
