package io.orestes.caching;

import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.caching.purge.SharedCacheCounters;
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
 * <p><b>To read</b>: {@link #lookup}; on a miss take a ticket with {@link #begin}, read the store,
 * choose {@link Ttls}, and ask {@link #admit}. If it says no, the answer goes out without a time to
 * live. If yes, {@link #put} keeps it for others.
 *
 * <p><b>To write</b>: commit, then {@link #objectWritten} (or {@link #queryChanged}), then wait
 * until the shared caches have {@link #settled}, then answer. What the sketch says no cache can
 * hold is not purged.
 *
 * <p><b>Why no stale copy slips through.</b> An invalidation runs in the order: count in the ticket
 * table (1), remove the response (2), ask the sketch (3). A copy leaves the server in one of three
 * ways. A miss reports its time to the sketch and then compares the ticket: if (1) came before the
 * comparison, no copy may be kept; otherwise the report came before (3), which sees it. A hit that
 * has to report does so and then looks again whether the response is still there: if (2) came first
 * it is not, and the hit counts as a miss; otherwise the report came before (3). A hit whose time
 * is within what was reported earlier found the response before (2), so the earlier report came
 * before (3).
 *
 * <p><b>Why no purge is missing</b> although an invalidation orders none if no read was reported
 * since the last one: it counts reports before (1), and takes only those as dealt with, once the
 * purge is ordered. A copy that was compared after (1) has its ticket, and so its report, from
 * after the count, and the next invalidation sees it. One that was compared before may still be on
 * its way when it is purged; that is what purges are repeated for, and why our VCL keeps no answer
 * that took so long. As long as one cache is told to forget that may keep such answers, every
 * invalidation orders a purge.
 */
public final class Caches {

    private static final Logger log = LoggerFactory.getLogger(Caches.class);

    /**
     * How much longer a copy may live than it was granted: an {@code Age} loses up to a second by
     * rounding, and up to 0.8 s of a fetch that Varnish does not count.
     */
    public static final Duration SLACK = Duration.ofSeconds(2);

    /** What comes before keys in the URLs of the interface. */
    private static final String BASE = "/v1";

    private static final long SLACK_MILLIS = SLACK.toMillis();

    /**
     * A hit reports as if it were that late, for the sake of those that follow; no slack is taken
     * for that.
     */
    private static final long AHEAD_MILLIS = 1_000;

    /** The same with several servers, where it takes a message to each of them and an answer. */
    private static final long GROUP_AHEAD_MILLIS = 5_000;

    private static final Duration LONGEST_PURGE = Duration.ofSeconds(5);

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

    /** With no shared caches to purge. */
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
                config.purge().spellings(), config.ttl().sharedMax().plusMillis(SLACK_MILLIS), clock);
        this.results = new ResultChangeCounters(clock);
        this.cacheInspector =
                new CacheInspector(clock, responses, busiest, staleKeys, queryUrlVariants, shared, lifetimes);
        CachingMetrics.bind(registry, responses, staleKeys);
    }

    /**
     * Says with which other servers' sketches this one's is to be kept equal. To be called before
     * anything is read.
     */
    public void replicate(CacheReplication others) {
        cacheReplication = others;
    }

    /**
     * The response to send for {@code key}, with its own headers; reported to the sketch already.
     */
    public Optional<CachedResponse> lookup(String key) {
        return counted(key, responses.get(key).filter(found -> mayLeave(key, found)));
    }

    /**
     * The same for somebody who may load objects of the class: also what is not for everybody. No
     * other cache keeps that without asking again, so the sketch is not told.
     */
    public Optional<CachedResponse> lookup(String key, Principal principal) {
        return counted(
                key,
                responses
                        .get(key, principal)
                        .filter(found -> found.isForEverybody() ? mayLeave(key, found) : cacheReplication.isCurrent()));
    }

    private Optional<CachedResponse> counted(String key, Optional<CachedResponse> found) {
        if (found.isPresent()) {
            busiest.hit(key);
        }
        return found;
    }

    /**
     * To be called for each read for which the store is asked, as {@link #lookup} found nothing or
     * was not to be asked.
     */
    public void storeAsked(String key) {
        busiest.missed(key);
    }

    /** A ticket for {@link #admit} and {@link #put}; to be taken before the store is read. */
    public long begin(String key) {
        return responses.begin(key);
    }

    /**
     * Whether caches may keep for {@code granted} what was read after taking the ticket; on the
     * caller's context. Must be asked before such a response is sent; after false it has to be sent
     * as one that nobody may keep. True only when all other servers of the group know that copies
     * may be held.
     */
    public Future<Boolean> admit(String key, long ticket, Ttls granted) {
        return cacheReplication.areNone() || granted.equals(Ttls.NONE)
                ? Future.succeededFuture(admitHere(key, ticket, granted))
                : extend(key, clock.millis() + granted.longestMillis() + GROUP_AHEAD_MILLIS)
                        .map(known -> cacheReplication.isCurrent() && admitHere(key, ticket, granted));
    }

    /** Reports a read here first and then to all others; succeeds with whether they know. */
    private Future<Boolean> extend(String key, long until) {
        long now = clock.millis();
        staleKeys.reportRead(key, until + SLACK_MILLIS);
        return cacheReplication
                .held(key, Duration.ofMillis(until + SLACK_MILLIS - now))
                .map(told -> {
                    staleKeys.knownElsewhere(key, until);
                    return true;
                })
                .otherwise(false);
    }

    boolean admitHere(String key, long ticket, Ttls granted) {
        if (granted.equals(Ttls.NONE) || !isKnown(key, clock.millis() + granted.longestMillis())) {
            return false;
        }
        staleKeys.reportRead(key, clock.millis() + granted.longestMillis() + SLACK_MILLIS);
        boolean isCurrent = responses.isCurrent(key, ticket);
        if (isCurrent) {
            ttls.recordGrant(key, granted);
        }
        return isCurrent;
    }

    /** What is held under a key now, without a trace that somebody looked. */
    public Optional<CachedResponse> peek(String key) {
        return responses.peek(key);
    }

    /**
     * Keeps a response for later requests, unless the key was invalidated since the ticket was
     * taken; a guarded one need not be admitted.
     */
    public void put(String key, long ticket, CachedResponse response) {
        if (!cacheReplication.areNone()) {
            response.reportedUntilMillis(staleKeys.knownElsewhereUntil(key));
        }
        responses.put(key, ticket, response);
    }

    /** To be called after each committed write of an object and before it is answered. */
    public void objectWritten(String key) {
        ttls.recordWrite(key);
        invalidate(key);
    }

    /**
     * The same for an object that was not there before: that says nothing of how often it is going
     * to change.
     */
    public void objectInserted(String key) {
        invalidate(key);
    }

    /** To be called when the result of a query changed. */
    public void queryChanged(String queryKey) {
        ttls.recordQueryChange(queryKey);
        results.changed(QueryKey.bucketOf(queryKey));
        invalidate(queryKey);
    }

    /** To be called with what ends the watch of queries and invalidates their keys. */
    public void queriesUnwatched(Runnable ending) {
        results.unwatch(ending);
    }

    /** Which results changed. */
    public ResultChangeCounters results() {
        return results;
    }

    /**
     * Makes every cache forget {@code key}, as far as it listens, and clients bypass those that do
     * not.
     */
    public void invalidate(String key) {
        invalidateHere(key);
        if (!cacheReplication.areNone() && staleKeys.mayBeHeldFromHere(key)) {
            cacheReplication.stale(key);
        }
    }

    private void invalidateHere(String key) {
        StaleKeys.Reports reports = staleKeys.reports(key);
        drop(key);
        if (staleKeys.invalidate(key) && shared.arePurged() && mayBeShared(key) && forget(key)) {
            staleKeys.forgotten(reports);
        }
    }

    private void drop(String key) {
        if (responses.invalidate(key)) {
            busiest.invalidated(key);
        }
    }

    /**
     * Has every cache forget {@code key} though nothing is known of a newer state, on all servers
     * of the group. Shared caches are told whatever the sketch says: who asks for that has seen
     * something it does not know of.
     */
    public void purge(String key) {
        StaleKeys.Reports reports = staleKeys.reports(key);
        drop(key);
        staleKeys.invalidate(key);
        if (shared.arePurged() && forget(key)) {
            staleKeys.forgotten(reports);
        }
        cacheReplication.stale(key);
    }

    /**
     * The same for all objects and query results; copies elsewhere are tracked as before and count
     * as stale.
     */
    public void purgeAll() {
        cacheReplication.purged();
        purgeAllHere();
    }

    /** The same on this server only. */
    public void purgeAllHere() {
        missed("");
    }

    private boolean mayBeShared(String key) {
        return shared.keepLateAnswers() || staleKeys.mayBeShared(key);
    }

    /**
     * Those who can be purged know every spelling of a key that they may hold; see {@link
     * #enterSpelling}. An order that cannot be given stands in the way of no other, and then this
     * is false.
     */
    private boolean forget(String key) {
        boolean areTold = isTold(shared::purge, BASE + key);
        for (String uri : queryUrlVariants.of(key)) {
            areTold &= isTold(shared::purgeSpelling, uri);
        }
        return areTold;
    }

    private static boolean isTold(Consumer<String> order, String uri) {
        try {
            order.accept(uri);
            return true;
        } catch (RuntimeException failure) {
            log.error("No shared cache may have been told to forget {}", uri, failure);
            return false;
        }
    }

    /**
     * Notes that a query is about to be answered under {@code uri}; to be called before {@link
     * #lookup} and {@link #begin}. After false the answer has to be sent as one that no shared
     * cache may keep: nobody could purge it.
     */
    public boolean enterSpelling(String key, String uri) {
        return !shared.arePurged() || isCanonical(key, uri) || queryUrlVariants.enter(key, uri);
    }

    private static boolean isCanonical(String key, String uri) {
        return uri.length() == BASE.length() + key.length() && uri.startsWith(BASE) && uri.endsWith(key);
    }

    /**
     * Whether query results are for shared caches, too: clients need not look queries up in the
     * filter, so a cache that nobody purges would hand out old ones.
     */
    public boolean shareQueries() {
        return sharesUnpurged || shared.arePurged();
    }

    /** The surrogate keys of an answer; empty if no shared cache can be told by them. */
    public String surrogateKeys(String key) {
        return shared.arePurged() ? SurrogateKeys.of(BASE + key) : "";
    }

    /**
     * Succeeds on the caller's context when the shared caches have forgotten what they had to; see
     * {@link SharedCaches}.
     */
    public Future<Void> settled() {
        return cacheReplication.areNone()
                ? shared.settled()
                : Future.join(shared.settled(), cacheReplication.settled()).mapEmpty();
    }

    /**
     * The same, and tells whether all shared caches of this server have confirmed it; see {@link
     * SharedCaches#confirmed}. Who asks for that has time, so those that are always late are waited
     * for, too.
     */
    public Future<Boolean> confirmed() {
        return cacheReplication.settled().compose(told -> shared.confirmed(LONGEST_PURGE));
    }

    /**
     * To be called when another server, of that name, is about to hand out copies of the key, or
     * has, for that time from now on.
     */
    public void heldElsewhere(String server, String key, Duration time) {
        long until = clock.millis() + time.toMillis();
        staleKeys.reportElsewhere(key, until);
        remoteQueryCopies.add(server, key, until);
    }

    /** To be called when another server says that there is a newer state of the key. */
    public void staleElsewhere(String key) {
        invalidateHere(key);
    }

    /**
     * To be called when another server is gone: nobody watches the query results any more that it
     * handed out. If it did not leave in order it may have committed what it told nobody, and
     * everything counts as changed.
     */
    public void serverGone(String server, boolean isOrderly) {
        queriesUnwatched(() -> remoteQueryCopies.remove(server, clock.millis()).forEach(this::invalidate));
        if (!isOrderly) {
            // in this order, as with every invalidation
            responses.clear();
            queriesUnwatched(() -> staleKeys.invalidateAll("/db/"));
        }
        if (shared.arePurged()) {
            // it alone knew under which spellings they keep its results
            shared.purgeBelow(BASE + "/db/");
        }
    }

    /** Forgets what is only known of copies that have expired; to be called every few seconds. */
    public void sweep() {
        remoteQueryCopies.sweep(clock.millis());
    }

    /** All that this server's sketch knows, for one of another server. */
    public SketchContents memory() {
        return staleKeys.memory();
    }

    /** Learns what another server knew; times are those of this server. */
    public void join(String server, SketchContents memory) {
        staleKeys.join(memory);
        memory.keys().forEach(key -> remoteQueryCopies.add(server, key.name(), key.hereUntilMillis()));
    }

    /** Milliseconds since 1970, by the clock that all times of copies are told in. */
    public long millis() {
        return clock.millis();
    }

    /**
     * What is stale now, for clients; fails with {@code UNAVAILABLE} while this server does not
     * know what others of its group write.
     */
    public SketchSnapshot filter() {
        if (!cacheReplication.isCurrent()) {
            throw new ApiException(
                    ErrorCode.UNAVAILABLE, "This server has lost touch with its group and cannot tell what is stale");
        }
        return staleKeys.snapshot();
    }

    /** The same with how far purged caches are behind it. */
    public Future<ClientSketch> clientFilter() {
        return purgeLag().map(lag -> new ClientSketch(filter(), lag));
    }

    /**
     * The same after these keys of objects or paths of classes were hidden from the public, and
     * tells whether all have confirmed it. Only then no public copy is served any more; else they
     * are {@link #isUnconfirmed} until a later call finds that they are.
     */
    public Future<Boolean> hidden(Collection<String> keys) {
        return cacheReplication.settled().compose(told -> visibilityPurges.confirmed(keys));
    }

    /** Whether shared caches may still serve what was hidden; see {@link #hidden}. */
    public boolean isUnconfirmed(String key) {
        return visibilityPurges.isUnconfirmed(key);
    }

    /** Whether it is known that some cache may hold a copy of the key, stale or not. */
    public boolean mayBeHeld(String key) {
        return staleKeys.mayBeHeld(key);
    }

    /**
     * How far behind they are at most, see {@link SharedCaches#lag}; not known with several
     * servers, each of which purges.
     */
    public Future<Optional<Duration>> purgeLag() {
        return cacheReplication.areNone() ? shared.lag() : Future.succeededFuture(Optional.empty());
    }

    /** What shared caches tell of their reads, asked now; completes on the caller's context. */
    public Future<List<SharedCacheCounters>> sharedCounts() {
        return shared.counts();
    }

    /** Whether there are shared caches that are told to forget. */
    public boolean arePurged() {
        return shared.arePurged();
    }

    /**
     * To be called when a new schema is in force: this server reads everything anew, and clients
     * bypass their copies of objects and query results of the classes that look different or are
     * for other eyes now.
     */
    public void classesChanged(Collection<String> outdated) {
        responses.clear();
        outdated.forEach(bucket -> staleKeys.invalidateAll("/db/" + bucket + "/"));
        outdated.forEach(bucket -> shared.purgeBelow(BASE + "/db/" + bucket + "/"));
    }

    /**
     * To be called when objects of a class, or of all if the name is empty, may have changed in
     * ways that nobody knows.
     */
    public void missed(String bucket) {
        String path = bucket.isEmpty() ? "/db/" : "/db/" + bucket + "/";
        responses.clear();
        queriesUnwatched(() -> staleKeys.invalidateAll(path));
        if (shared.arePurged()) {
            shared.purgeBelow(BASE + path);
        }
    }

    /**
     * Answers nothing any more from what this server kept; copies elsewhere are tracked as before.
     */
    public void forgetResponses() {
        responses.clear();
    }

    /**
     * Forgets everything, on all servers of the group. Copies handed out before are not tracked any
     * more.
     */
    public void clear() {
        cacheReplication.cleared();
        clearHere();
    }

    /** The same on this server only. */
    public void clearHere() {
        ttls.clear();
        staleKeys.clear();
        responses.clear();
        shared.purgeBelow("/");
    }

    public StaleKeys staleKeys() {
        return staleKeys;
    }

    /** For those who operate the server. */
    public CacheInspector inspection() {
        return cacheInspector;
    }

    public TtlEstimator ttls() {
        return ttls;
    }

    /** Spellings of queries; see {@link QueryKey}. */
    public QueryAliases aliases() {
        return aliases;
    }

    private boolean mayLeave(String key, CachedResponse response) {
        long until = response.usableUntilMillis(clock.millis());
        return cacheReplication.areNone()
                ? until <= response.reportedUntilMillis() || report(key, response, until + AHEAD_MILLIS)
                : cacheReplication.isCurrent() && isKnownElsewhere(key, response, until);
    }

    private boolean report(String key, CachedResponse response, long until) {
        staleKeys.reportRead(key, until + SLACK_MILLIS);
        response.reportedUntilMillis(until);
        return responses.holds(key, response);
    }

    /**
     * Others are told early enough for the next hits; meanwhile a copy that they do not know of
     * does not leave.
     */
    private boolean isKnownElsewhere(String key, CachedResponse response, long until) {
        long known = response.reportedUntilMillis();
        if (until > known - GROUP_AHEAD_MILLIS / 2 && response.beginReport()) {
            extend(key, until + GROUP_AHEAD_MILLIS).onComplete(told -> {
                response.reportedUntilMillis(staleKeys.knownElsewhereUntil(key));
                response.endReport();
            });
        }
        return until <= known;
    }

    private boolean isKnown(String key, long until) {
        return cacheReplication.areNone() || until <= staleKeys.knownElsewhereUntil(key);
    }
}
