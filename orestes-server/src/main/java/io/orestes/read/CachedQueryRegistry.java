package io.orestes.read;

import io.invalidb.model.MatchEvent;
import io.orestes.async.Contexts;
import io.orestes.caching.Caches;
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
 * key is forgotten when no cache holds its response any more, and a query with its last key.
 * Thread-safe.
 */
public final class CachedQueryRegistry {

    private final Vertx vertx;
    private final Caches caches;
    private final InvalidbClient matching;
    private final Duration patience;
    private final InstantSource clock;
    private final Map<String, WatchedQuery> watched = new ConcurrentHashMap<>();
    private final QueryEvictionPolicy queryEvictionPolicy = new QueryEvictionPolicy(watched);
    private final AtomicInteger keys = new AtomicInteger();
    private final UnwatchableQueries refused;
    private final LongAdder evicted = new LongAdder();
    private final LongAdder late = new LongAdder();
    private volatile boolean isSuspended;

    /**
     * @param patience how long an answer waits until its query is watched, before it is sent as one
     *     that nobody may keep
     */
    public CachedQueryRegistry(
            Vertx vertx, Caches caches, InvalidbClient matching, Duration patience, InstantSource clock) {
        this.vertx = vertx;
        this.caches = caches;
        this.matching = matching;
        this.patience = patience;
        this.clock = clock;
        this.refused = new UnwatchableQueries(clock);
    }

    /** Invalidates what the event makes stale; any thread. */
    public void accept(MatchEvent match) {
        WatchedQuery query = watched.get(match.queryId());
        if (query != null) {
            query.matched(match.type());
            query.keysChangedBy(match.type()).forEach(caches::queryChanged);
        }
    }

    /**
     * Forgets a query that is not matched any more, and invalidates what it stood behind; any
     * thread. If it is the fault of its filter, it is not watched again for a while.
     */
    public void fail(String queryId, ApiException failure) {
        if (failure.code() != ErrorCode.UNAVAILABLE) {
            refused.add(queryId);
        }
        forget(queryId, caches::queryChanged);
    }

    /**
     * While matching lags behind, nothing is cached, and all that was is invalidated: nobody knows
     * what of it is stale. Queries stay watched, so that caching goes on when matching has caught
     * up; any thread.
     */
    public void suspend(boolean isLate) {
        isSuspended = isLate;
        if (isLate) {
            invalidateAll();
        }
    }

    /** Invalidates everything, as nobody knows what of it is stale; any thread. */
    public void invalidateAll() {
        caches.queriesUnwatched(
                () -> watched.values().forEach(query -> query.keys().keySet().forEach(caches::invalidate)));
    }

    /**
     * Whether nothing may be cached; to be asked again after {@link #watch}, before an answer is
     * admitted to caches.
     */
    boolean isSuspended() {
        return isSuspended;
    }

    /**
     * Whoever entered a key before the query was forgotten asked for the ticket of its response
     * still earlier; who comes later enters it anew.
     */
    private void forget(String queryId, Consumer<String> invalidation) {
        caches.queriesUnwatched(() -> end(queryId, invalidation));
    }

    private void end(String queryId, Consumer<String> invalidation) {
        WatchedQuery forgotten = watched.remove(queryId);
        if (forgotten != null) {
            keys.addAndGet(-forgotten.keys().size());
            forgotten.keys().keySet().forEach(invalidation);
            forgotten.hold().onSuccess(QueryLease::release);
        }
    }

    /** Whether it is not worth while to try to watch the query. */
    boolean isRefused(MatchQuery query) {
        return refused.isKnown(query);
    }

    /** Takes note that the query cannot be watched. */
    void refuse(MatchQuery query) {
        refused.add(query.id());
    }

    /**
     * Lets go of keys, and then of queries, of which no cache holds a response any more; to be
     * called every few seconds.
     */
    public void sweep() {
        long now = clock.millis();
        watched.keySet().forEach(id -> watched.computeIfPresent(id, (same, query) -> unlessExpired(query, now)));
    }

    /** Lets older reads and matches count for less. */
    void age() {
        watched.values().forEach(WatchedQuery::age);
    }

    /** How many keys are kept, over all queries. */
    public int size() {
        return keys.get();
    }

    /** How many queries were given up for others. */
    long evicted() {
        return evicted.sum();
    }

    /** How many answers could be kept by nobody because nothing was watched in time. */
    long late() {
        return late.sum();
    }

    /** Takes note of such an answer. */
    void answeredLate() {
        late.increment();
    }

    /** Whether a key has a place here, for whatever is left of its life. */
    boolean isWatched(MatchQuery query, String key) {
        WatchedQuery known = watched.get(query.id());
        return known != null && known.keys().containsKey(key);
    }

    /**
     * Whether there is room for one more key, here and in the grid; if not, the query that is worth
     * least is given up for it, unless all are worth more than a newcomer. Copies of what is given
     * up are invalidated: nobody would notice their change.
     */
    boolean hasRoom(int places) {
        if (isRoom(places)) {
            return true;
        }
        Optional<String> given = places == 0 ? Optional.empty() : queryEvictionPolicy.next(clock.millis());
        given.ifPresent(this::evict);
        return given.isPresent() && isRoom(places);
    }

    private void evict(String queryId) {
        evicted.increment();
        forget(queryId, caches::invalidate);
    }

    private boolean isRoom(int places) {
        return keys.get() < places && matching.hasRoom();
    }

    /**
     * Whether a list of ids is the cheaper form of the query's result, by what is known of its
     * changes.
     */
    boolean prefersIds(MatchQuery query) {
        WatchedQuery known = watched.get(query.id());
        return known != null && known.prefersIds();
    }

    /**
     * Sees to it that from {@link QueryWatch#ready}'s success on a change of the query invalidates
     * {@code key}. Whatever comes of it, {@link QueryWatch#keepUntil} has to follow.
     *
     * @param showsMembershipOnly whether the response does not change while the same objects are in
     *     the result
     * @param members reads the query's whole result, if InvaliDB does not watch it yet
     */
    QueryWatch watch(
            MatchQuery query, String key, boolean showsMembershipOnly, Supplier<Future<List<StoredObject>>> members) {
        WatchedQuery entry = watched.compute(query.id(), (id, known) -> {
            WatchedQuery current = known != null && !known.hold().failed() ? known : replace(known, query, members);
            enter(current, key, showsMembershipOnly);
            return current;
        });
        entry.reads().increment();
        return new QueryWatch(entry, key, Contexts.on(vertx.getOrCreateContext(), inTime(entry.hold())));
    }

    /**
     * Whoever waits for longer learns nothing of it; the query becomes watched all the same, for
     * those who ask later.
     */
    private Future<Void> inTime(Future<QueryLease> hold) {
        Future<Void> ready = hold.mapEmpty();
        return ready.isComplete() ? ready : ready.timeout(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Whether it is in vain to wait for the query to be watched: somebody has waited long enough
     * already.
     */
    boolean isLate(MatchQuery query) {
        WatchedQuery known = watched.get(query.id());
        return known != null && known.isLate(clock.millis() - patience.toMillis());
    }

    private WatchedQuery replace(
            @Nullable WatchedQuery failed, MatchQuery query, Supplier<Future<List<StoredObject>>> members) {
        if (failed != null) {
            keys.addAndGet(-failed.keys().size());
        }
        return new WatchedQuery(matching.hold(query, members), clock.millis());
    }

    private void enter(WatchedQuery query, String key, boolean showsMembershipOnly) {
        KeyRetention known = query.keys().putIfAbsent(key, KeyRetention.begun(showsMembershipOnly));
        if (known == null) {
            keys.incrementAndGet();
        } else {
            query.keys().computeIfPresent(key, (same, use) -> use.begun());
        }
    }

    private @Nullable WatchedQuery unlessExpired(WatchedQuery query, long now) {
        query.keys().forEach((key, use) -> {
            if (use.isOver(now) && query.keys().remove(key, use)) {
                keys.decrementAndGet();
            }
        });
        if (!query.keys().isEmpty()) {
            return query;
        }
        query.hold().onSuccess(QueryLease::release);
        return null;
    }

    /**
     * The interest of one request in a cached key of a query that InvaliDB watches. It belongs to
     * the lease that it was made with, whatever replaces that.
     */
    static final class QueryWatch {
        private final WatchedQuery query;
        private final String key;
        private final Future<Void> ready;

        private QueryWatch(WatchedQuery query, String key, Future<Void> ready) {
            this.query = query;
            this.key = key;
            this.ready = ready;
        }

        /**
         * Succeeds when the query is watched, on the caller's context; fails if it cannot be, or
         * takes too long.
         */
        Future<Void> ready() {
            return ready;
        }

        /**
         * To be told of every read that this request's response answers; so many objects are in the
         * result.
         */
        LongAdder reads(int size) {
            query.size(size);
            return query.reads();
        }

        /**
         * No cache holds this request's response after that time, in milliseconds since 1970; to be
         * called once.
         */
        void keepUntil(long untilMillis) {
            query.keys().computeIfPresent(key, (same, use) -> use.done(untilMillis));
        }
    }
}
