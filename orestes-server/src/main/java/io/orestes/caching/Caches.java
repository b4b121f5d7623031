package io.orestes.caching;

import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.caching.purge.SharedCaches;
import io.orestes.caching.purge.SurrogateKeys;
import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.response.QueryAliases;
import io.orestes.caching.response.ResponseCache;
import io.orestes.caching.response.Spellings;
import io.orestes.caching.sketch.StaleKeys;
import io.orestes.caching.ttl.TtlEstimator;
import io.orestes.caching.ttl.Ttls;
import io.orestes.model.Principal;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door to everything about caching, with the orders of steps that keep it coherent. Thread-safe.
 *
 * <p><b>To read</b>: {@link #lookup}; on a miss take a ticket with {@link #begin}, read the store, choose {@link Ttls}, and
 * ask {@link #admit}. If it says no, the answer goes out without a time to live. If yes, {@link #put} keeps it for others.
 *
 * <p><b>To write</b>: commit, then {@link #objectWritten} (or {@link #queryChanged}), then wait until the shared caches have
 * {@link #settled}, then answer. What the sketch says no cache can hold is not purged.
 *
 * <p><b>Why no stale copy slips through.</b> An invalidation runs in the order: count in the ticket table (1), remove the
 * response (2), ask the sketch (3). A copy leaves the server in one of three ways. A miss reports its time to the sketch
 * and then compares the ticket: if (1) came before the comparison, no copy may be kept; otherwise the report came before
 * (3), which sees it. A hit that has to report does so and then looks again whether the response is still there: if (2)
 * came first it is not, and the hit counts as a miss; otherwise the report came before (3). A hit whose time is within what
 * was reported earlier found the response before (2), so the earlier report came before (3).
 *
 * <p><b>Why no purge is missing</b> although an invalidation orders none if no read was reported since the last one: it counts
 * reports before (1), and takes only those as dealt with, once the purge is ordered. A copy that was compared after (1) has its
 * ticket, and so its report, from after the count, and the next invalidation sees it. One that was compared before may still be
 * on its way when it is purged; that is what purges are repeated for, and why our VCL keeps no answer that took so long. As long as
 * one cache is told to forget that may keep such answers, every invalidation orders a purge.
 */
public final class Caches {

    private static final Logger log = LoggerFactory.getLogger(Caches.class);

    /**
     * How much longer a copy may live than it was granted: an {@code Age} loses up to a second by rounding, and up to 0.8 s of a
     * fetch that Varnish does not count.
     */
    public static final Duration SLACK = Duration.ofSeconds(2);

    /** What comes before keys in the URLs of the interface. */
    private static final String BASE = "/v1";

    private static final long SLACK_MILLIS = SLACK.toMillis();

    /** A hit reports as if it were that late, for the sake of those that follow; no slack is taken for that. */
    private static final long AHEAD_MILLIS = 1_000;

    private final InstantSource clock;
    private final StaleKeys staleKeys;
    private final TtlEstimator ttls;
    private final ResponseCache responses;
    private final QueryAliases aliases;
    private final SharedCaches shared;
    private final Spellings spellings;
    private final ResultChanges results;
    private final Hidden hidden;
    private final boolean sharesUnpurged;

    /** With no shared caches to purge. */
    public Caches(CachingConfig config, InstantSource clock, MeterRegistry registry) {
        this(config, SharedCaches.NONE, clock, registry);
    }

    public Caches(CachingConfig config, SharedCaches shared, InstantSource clock, MeterRegistry registry) {
        this.clock = clock;
        this.staleKeys = new StaleKeys(config.sketch(), clock);
        this.ttls = new TtlEstimator(config.ttl(), clock, new TtlMeters(registry));
        this.responses = new ResponseCache(config.responseBytes(), clock);
        this.aliases = new QueryAliases(config.aliasBytes());
        this.shared = shared;
        this.hidden = new Hidden(shared);
        this.sharesUnpurged = config.sharesUnpurged();
        this.spellings = new Spellings(
                config.purge().spellings(), config.ttl().sharedMax().plusMillis(SLACK_MILLIS), clock);
        this.results = new ResultChanges(clock);
        CachingMetrics.bind(registry, responses, staleKeys);
    }

    /** The response to send for {@code key}, with its own headers; reported to the sketch already. */
    public Optional<CachedResponse> lookup(String key) {
        return responses.get(key).filter(found -> mayLeave(key, found));
    }

    /**
     * The same for somebody who may load objects of the class: also what is not for everybody. No other cache keeps that without asking
     * again, so the sketch is not told.
     */
    public Optional<CachedResponse> lookup(String key, Principal principal) {
        return responses.get(key, principal).filter(found -> !found.isForEverybody() || mayLeave(key, found));
    }

    /** A ticket for {@link #admit} and {@link #put}; to be taken before the store is read. */
    public long begin(String key) {
        return responses.begin(key);
    }

    /**
     * Whether caches may keep for {@code granted} what was read after taking the ticket. Must be asked before such a
     * response is sent; after false it has to be sent as one that nobody may keep.
     */
    public boolean admit(String key, long ticket, Ttls granted) {
        if (granted.equals(Ttls.NONE)) {
            return false;
        }
        staleKeys.reportRead(key, clock.millis() + granted.longestMillis() + SLACK_MILLIS);
        boolean isCurrent = responses.isCurrent(key, ticket);
        if (isCurrent) {
            ttls.recordGrant(key, granted);
        }
        return isCurrent;
    }

    /** Keeps a response for later requests, unless the key was invalidated since the ticket was taken; a guarded one need not be admitted. */
    public void put(String key, long ticket, CachedResponse response) {
        responses.put(key, ticket, response);
    }

    /** To be called after each committed write of an object and before it is answered. */
    public void objectWritten(String key) {
        ttls.recordWrite(key);
        invalidate(key);
    }

    /** The same for an object that was not there before: that says nothing of how often it is going to change. */
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
    public ResultChanges results() {
        return results;
    }

    /** Makes every cache forget {@code key}, as far as it listens, and clients bypass those that do not. */
    public void invalidate(String key) {
        StaleKeys.Reports reports = staleKeys.reports(key);
        responses.invalidate(key);
        if (staleKeys.invalidate(key) && shared.arePurged() && mayBeShared(key) && forget(key)) {
            staleKeys.forgotten(reports);
        }
    }

    private boolean mayBeShared(String key) {
        return shared.keepLateAnswers() || staleKeys.mayBeShared(key);
    }

    /**
     * Those who can be purged know every spelling of a key that they may hold; see {@link #enterSpelling}. An order that cannot be
     * given stands in the way of no other, and then this is false.
     */
    private boolean forget(String key) {
        boolean areTold = isTold(shared::purge, BASE + key);
        for (String uri : spellings.of(key)) {
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
     * Notes that a query is about to be answered under {@code uri}; to be called before {@link #lookup} and {@link #begin}.
     * After false the answer has to be sent as one that no shared cache may keep: nobody could purge it.
     */
    public boolean enterSpelling(String key, String uri) {
        return !shared.arePurged() || isCanonical(key, uri) || spellings.enter(key, uri);
    }

    private static boolean isCanonical(String key, String uri) {
        return uri.length() == BASE.length() + key.length() && uri.startsWith(BASE) && uri.endsWith(key);
    }

    /**
     * Whether query results are for shared caches, too: clients need not look queries up in the filter, so a cache that nobody purges would
     * hand out old ones.
     */
    public boolean shareQueries() {
        return sharesUnpurged || shared.arePurged();
    }

    /** The surrogate keys of an answer; empty if no shared cache can be told by them. */
    public String surrogateKeys(String key) {
        return shared.arePurged() ? SurrogateKeys.of(BASE + key) : "";
    }

    /** Succeeds on the caller's context when the shared caches have forgotten what they had to; see {@link SharedCaches}. */
    public Future<Void> settled() {
        return shared.settled();
    }

    /**
     * The same after these keys of objects or paths of classes were hidden from the public, and tells whether all have confirmed it. Only
     * then no public copy is served any more; else they are {@link #isUnconfirmed} until a later call finds that they are.
     */
    public Future<Boolean> hidden(Collection<String> keys) {
        return hidden.confirmed(keys);
    }

    /** Whether shared caches may still serve what was hidden; see {@link #hidden}. */
    public boolean isUnconfirmed(String key) {
        return hidden.isUnconfirmed(key);
    }

    /** Whether it is known that some cache may hold a copy of the key, stale or not. */
    public boolean mayBeHeld(String key) {
        return staleKeys.mayBeHeld(key);
    }

    /** How far behind they are at most; see {@link SharedCaches#lag}. */
    public Future<Optional<Duration>> purgeLag() {
        return shared.lag();
    }

    /** Whether there are shared caches that are told to forget. */
    public boolean arePurged() {
        return shared.arePurged();
    }

    /**
     * To be called when a new schema is in force: this server reads everything anew, and clients bypass their copies of objects
     * and query results of the classes that look different or are for other eyes now.
     */
    public void classesChanged(Collection<String> outdated) {
        responses.clear();
        outdated.forEach(bucket -> staleKeys.invalidateAll("/db/" + bucket + "/"));
        outdated.forEach(bucket -> shared.purgeBelow(BASE + "/db/" + bucket + "/"));
    }

    /** Forgets everything. Copies handed out before are not tracked any more. */
    public void clear() {
        ttls.clear();
        staleKeys.clear();
        responses.clear();
        shared.purgeBelow("/");
    }

    public StaleKeys staleKeys() {
        return staleKeys;
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
        return until <= response.reportedUntilMillis() || report(key, response, until + AHEAD_MILLIS);
    }

    private boolean report(String key, CachedResponse response, long until) {
        staleKeys.reportRead(key, until + SLACK_MILLIS);
        response.reportedUntilMillis(until);
        return responses.holds(key, response);
    }
}
