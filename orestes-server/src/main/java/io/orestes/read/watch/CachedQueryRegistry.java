package io.orestes.read.watch;

import io.invalidb.model.MatchEvent;
import io.orestes.async.Contexts;
import io.orestes.caching.CacheInvalidator;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.invalidb.MatchQuery;
import io.orestes.invalidb.QueryLease;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The registry of cached queries, each watched by InvaliDB and linked to the keys of its cached
 * responses. A response is only cached while InvaliDB watches its query. A change of the query's
 * whole result that the response may show invalidates it, whatever part of the result it shows. A
 * key is removed when no cache has its response any more, and a query with its last key.
 * Thread-safe.
 */
public final class CachedQueryRegistry {

    private final Vertx vertx;
    private final CacheInvalidator invalidator;
    private final InvalidbClient matching;
    private final Duration watchTimeout;
    private final InstantSource clock;
    private final Map<String, WatchedQuery> watched = new ConcurrentHashMap<>();
    private final QueryEvictionPolicy queryEvictionPolicy = new QueryEvictionPolicy(watched);
    private final AtomicInteger keys = new AtomicInteger();
    private final UnwatchableQueries unwatchable;
    private final LongAdder evicted = new LongAdder();
    private final LongAdder late = new LongAdder();
    private volatile boolean isSuspended;

    /**
     * @param patience time that a response waits until its query is watched; after that it is sent
     *     as uncacheable
     */
    public CachedQueryRegistry(
            Vertx vertx,
            CacheInvalidator invalidator,
            InvalidbClient matching,
            Duration patience,
            InstantSource clock) {
        this.vertx = vertx;
        this.invalidator = invalidator;
        this.matching = matching;
        this.watchTimeout = patience;
        this.clock = clock;
        this.unwatchable = new UnwatchableQueries(clock);
    }

    /** Invalidates the keys that the event makes stale; any thread. */
    public void accept(MatchEvent match) {
        WatchedQuery query = watched.get(match.queryId());
        if (query != null) {
            query.countMatch(match.type());
            query.keysChangedBy(match.type()).forEach(invalidator::queryChanged);
        }
    }

    /**
     * Removes a query that is not matched any more, and invalidates its keys; any thread. If its
     * filter caused the failure, the query is not watched again for a while.
     */
    public void fail(String queryId, ApiException failure) {
        if (failure.code() != ErrorCode.UNAVAILABLE) {
            unwatchable.add(queryId);
        }
        unwatch(queryId, invalidator::queryChanged);
    }

    /**
     * Suspends or resumes caching. While matching lags behind, nothing is cached, and all cached
     * responses are invalidated, since any of them may be stale. Queries stay watched, so that
     * caching resumes when matching has caught up; any thread.
     */
    public void suspend(boolean isLate) {
        isSuspended = isLate;
        if (isLate) {
            invalidateAll();
        }
    }

    /** Invalidates everything, since any response may be stale; any thread. */
    public void invalidateAll() {
        invalidator.endQueryWatch(
                () -> watched.values().forEach(query -> query.keys().keySet().forEach(invalidator::invalidate)));
    }

    /**
     * Returns whether nothing may be cached; to be checked again after {@link #watch}, before a
     * response is admitted to caches.
     */
    public boolean isSuspended() {
        return isSuspended;
    }

    /**
     * Removes a query. A request that entered a key before the removal drew the ticket of its
     * response still earlier; a later one enters the key again.
     */
    private void unwatch(String queryId, Consumer<String> invalidation) {
        invalidator.endQueryWatch(() -> end(queryId, invalidation));
    }

    private void end(String queryId, Consumer<String> invalidation) {
        WatchedQuery forgotten = watched.remove(queryId);
        if (forgotten != null) {
            keys.addAndGet(-forgotten.keys().size());
            forgotten.keys().keySet().forEach(invalidation);
            forgotten.lease().onSuccess(QueryLease::release);
        }
    }

    /** Returns whether an attempt to watch the query is not worthwhile. */
    public boolean isUnwatchable(MatchQuery query) {
        return unwatchable.isKnown(query);
    }

    /** Records that the query cannot be watched. */
    public void markUnwatchable(MatchQuery query) {
        unwatchable.add(query.id());
    }

    /**
     * Releases keys, and then queries, whose responses no cache has any more; to be called every
     * few seconds.
     */
    public void sweep() {
        long now = clock.millis();
        watched.keySet().forEach(id -> watched.computeIfPresent(id, (same, query) -> unlessExpired(query, now)));
    }

    /** Reduces the weight of older reads and matches. */
    public void decay() {
        watched.values().forEach(WatchedQuery::decay);
    }

    /** Returns the number of keys over all queries. */
    public int size() {
        return keys.get();
    }

    /** Returns the number of queries evicted for others. */
    long evicted() {
        return evicted.sum();
    }

    /**
     * Returns the number of responses that were not cacheable because the watch was not ready in
     * time.
     */
    public long lateCount() {
        return late.sum();
    }

    /** Counts such a response. */
    public void countLate() {
        late.increment();
    }

    /** Returns whether a key is registered here, however short its remaining life. */
    public boolean isWatched(MatchQuery query, String key) {
        WatchedQuery known = watched.get(query.id());
        return known != null && known.keys().containsKey(key);
    }

    /**
     * Ensures room for one more key, here and in the grid, and returns whether there is. If there
     * is none, the query of the least benefit is evicted, unless all have more than a new query.
     * Responses of the evicted query are invalidated, since their changes are no longer detected.
     */
    public boolean ensureRoom(int places) {
        if (isRoom(places)) {
            return true;
        }
        Optional<String> given = places == 0 ? Optional.empty() : queryEvictionPolicy.nextVictim(clock.millis());
        given.ifPresent(this::evict);
        return given.isPresent() && isRoom(places);
    }

    private void evict(String queryId) {
        evicted.increment();
        unwatch(queryId, invalidator::invalidate);
    }

    private boolean isRoom(int places) {
        return keys.get() < places && matching.hasRoom();
    }

    /**
     * Returns whether a list of ids is the cheaper form of the query's result, by its recent
     * changes.
     */
    public boolean prefersIds(MatchQuery query) {
        WatchedQuery known = watched.get(query.id());
        return known != null && known.prefersIds();
    }

    /**
     * Watches a query. After {@link QueryWatch#ready} succeeds, a change of the query invalidates
     * {@code key}. In every case a call of {@link QueryWatch#retainUntil} has to follow.
     *
     * @param showsMembershipOnly true if the response does not change while the result has the same
     *     objects
     * @param members reads the query's whole result, if InvaliDB does not watch it yet
     */
    public QueryWatch watch(
            MatchQuery query, String key, boolean showsMembershipOnly, Supplier<Future<List<StoredObject>>> members) {
        WatchedQuery entry = watched.compute(query.id(), (id, known) -> {
            WatchedQuery current = known != null && !known.lease().failed() ? known : replace(known, query, members);
            addKey(current, key, showsMembershipOnly);
            return current;
        });
        entry.reads().increment();
        return new QueryWatch(entry, key, Contexts.on(vertx.getOrCreateContext(), inTime(entry.lease())));
    }

    /**
     * Limits the wait of one request. After its time-out the query still becomes watched, for later
     * requests.
     */
    private Future<Void> inTime(Future<QueryLease> hold) {
        Future<Void> ready = hold.mapEmpty();
        return ready.isComplete() ? ready : ready.timeout(watchTimeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Returns whether a request should not wait for the query to be watched, because an earlier one
     * has waited long enough.
     */
    public boolean isWatchOverdue(MatchQuery query) {
        WatchedQuery known = watched.get(query.id());
        return known != null && known.isOverdue(clock.millis() - watchTimeout.toMillis());
    }

    private WatchedQuery replace(
            @Nullable WatchedQuery failed, MatchQuery query, Supplier<Future<List<StoredObject>>> members) {
        if (failed != null) {
            keys.addAndGet(-failed.keys().size());
        }
        return new WatchedQuery(matching.acquire(query, members), clock.millis());
    }

    private void addKey(WatchedQuery query, String key, boolean showsMembershipOnly) {
        KeyRetention known = query.keys().putIfAbsent(key, KeyRetention.forRequest(showsMembershipOnly));
        if (known == null) {
            keys.incrementAndGet();
        } else {
            query.keys().computeIfPresent(key, (same, use) -> use.withPending());
        }
    }

    private @Nullable WatchedQuery unlessExpired(WatchedQuery query, long now) {
        query.keys().forEach((key, use) -> {
            if (use.isExpired(now) && query.keys().remove(key, use)) {
                keys.decrementAndGet();
            }
        });
        if (!query.keys().isEmpty()) {
            return query;
        }
        query.lease().onSuccess(QueryLease::release);
        return null;
    }

    /**
     * The interest of one request in a cached key of a query that InvaliDB watches. It belongs to
     * the lease that it was created with, even if another one replaces that lease.
     */
    public static final class QueryWatch {
        private final WatchedQuery query;
        private final String key;
        private final Future<Void> ready;

        private QueryWatch(WatchedQuery query, String key, Future<Void> ready) {
            this.query = query;
            this.key = key;
            this.ready = ready;
        }

        /**
         * Succeeds when the query is watched, on the caller's context; fails if it cannot be
         * watched, or after the time-out.
         */
        public Future<Void> ready() {
            return ready;
        }

        /**
         * Returns the counter of reads that this request's response answers, and records the number
         * of objects in the result.
         */
        public LongAdder reads(int size) {
            query.size(size);
            return query.reads();
        }

        /**
         * Sets the time in milliseconds since 1970 after which no cache has this request's
         * response; to be called once.
         */
        public void retainUntil(long untilMillis) {
            query.keys().computeIfPresent(key, (same, use) -> use.withCompleted(untilMillis));
        }
    }
}
