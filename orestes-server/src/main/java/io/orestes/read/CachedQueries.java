package io.orestes.read;

import io.invalidb.model.MatchEvent;
import io.orestes.caching.Caches;
import io.orestes.model.StoredObject;
import io.orestes.realtime.Contexts;
import io.orestes.realtime.Hold;
import io.orestes.realtime.MatchQuery;
import io.orestes.realtime.QueryMatching;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which cached responses each watched query stands behind. A response is only cached while InvaliDB watches its query, and
 * any change of the query's whole result invalidates it, whatever part of the result it shows. A key is forgotten when no
 * cache holds its response any more, and a query with its last key. Thread-safe.
 */
public final class CachedQueries {

    private final Vertx vertx;
    private final Caches caches;
    private final QueryMatching matching;
    private final InstantSource clock;
    private final Map<String, Watched> watched = new ConcurrentHashMap<>();
    private final AtomicInteger keys = new AtomicInteger();
    private final UnwatchableQueries refused;

    public CachedQueries(Vertx vertx, Caches caches, QueryMatching matching, InstantSource clock) {
        this.vertx = vertx;
        this.caches = caches;
        this.matching = matching;
        this.clock = clock;
        this.refused = new UnwatchableQueries(clock);
    }

    /** Invalidates what the event makes stale; any thread. */
    public void accept(MatchEvent match) {
        Watched query = watched.get(match.queryId());
        if (query != null) {
            query.responses.keySet().forEach(caches::queryChanged);
        }
    }

    /** Forgets a query that is not matched any more, and invalidates what it stood behind; any thread. */
    public void fail(String queryId) {
        refused.add(queryId);
        AtomicReference<@Nullable Watched> failed = new AtomicReference<>();
        watched.computeIfPresent(queryId, (id, query) -> {
            failed.set(query);
            return null;
        });
        forget(failed.get());
    }

    /** Whoever entered a key before the query was forgotten asked for the ticket of its response still earlier. */
    private void forget(@Nullable Watched failed) {
        if (failed != null) {
            keys.addAndGet(-failed.responses.size());
            failed.responses.keySet().forEach(caches::queryChanged);
            failed.hold.onSuccess(Hold::release);
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

    /** Lets go of keys, and then of queries, of which no cache holds a response any more; to be called every few seconds. */
    public void sweep() {
        long now = clock.millis();
        watched.keySet().forEach(id -> watched.computeIfPresent(id, (same, query) -> unlessExpired(query, now)));
    }

    /** How many keys are kept, over all queries. */
    public int size() {
        return keys.get();
    }

    /** Whether a key has a place here, for whatever is left of its life. */
    boolean isWatched(MatchQuery query, String key) {
        Watched known = watched.get(query.id());
        return known != null && known.responses.containsKey(key);
    }

    /**
     * Sees to it that from {@link Watch#ready}'s success on a change of the query invalidates {@code key}. Whatever comes of
     * it, {@link Watch#keepUntil} has to follow.
     *
     * @param members reads the query's whole result, if InvaliDB does not watch it yet
     */
    Watch watch(MatchQuery query, String key, Supplier<Future<List<StoredObject>>> members) {
        Watched entry = watched.compute(query.id(), (id, known) -> {
            Watched current = known != null && !known.hold.failed() ? known : replace(known, query, members);
            enter(current, key);
            return current;
        });
        return new Watch(
                entry, key, Contexts.on(vertx.getOrCreateContext(), entry.hold).mapEmpty());
    }

    private Watched replace(@Nullable Watched failed, MatchQuery query, Supplier<Future<List<StoredObject>>> members) {
        if (failed != null) {
            keys.addAndGet(-failed.responses.size());
        }
        return new Watched(matching.hold(query, members));
    }

    private void enter(Watched query, String key) {
        Use known = query.responses.putIfAbsent(key, new Use(1, 0));
        if (known == null) {
            keys.incrementAndGet();
        } else {
            query.responses.computeIfPresent(key, (same, use) -> use.begun());
        }
    }

    private @Nullable Watched unlessExpired(Watched query, long now) {
        query.responses.forEach((key, use) -> {
            if (use.isOver(now) && query.responses.remove(key, use)) {
                keys.decrementAndGet();
            }
        });
        if (!query.responses.isEmpty()) {
            return query;
        }
        query.hold.onSuccess(Hold::release);
        return null;
    }

    /** One request's interest in a key of a query; belongs to the hold it was made with, whatever replaces that. */
    static final class Watch {
        private final Watched query;
        private final String key;
        private final Future<Void> ready;

        private Watch(Watched query, String key, Future<Void> ready) {
            this.query = query;
            this.key = key;
            this.ready = ready;
        }

        /** Succeeds when the query is watched, on the caller's context; fails if it cannot be. */
        Future<Void> ready() {
            return ready;
        }

        /** No cache holds this request's response after that time, in milliseconds since 1970; to be called once. */
        void keepUntil(long untilMillis) {
            query.responses.computeIfPresent(key, (same, use) -> use.done(untilMillis));
        }
    }

    /** A query under one hold. Keys come and go only inside the atomic steps of {@link #watched}. */
    private static final class Watched {
        private final Future<Hold> hold;
        private final Map<String, Use> responses = new ConcurrentHashMap<>();

        private Watched(Future<Hold> hold) {
            this.hold = hold;
        }
    }

    /**
     * How long a key is needed.
     *
     * @param pending requests that may yet fill a cache
     * @param untilMillis when the last copy expires
     */
    private record Use(int pending, long untilMillis) {

        Use begun() {
            return new Use(pending + 1, untilMillis);
        }

        Use done(long until) {
            return new Use(pending - 1, Math.max(untilMillis, until));
        }

        boolean isOver(long now) {
            return pending == 0 && untilMillis <= now;
        }
    }
}
