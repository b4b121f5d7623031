package io.orestes.live;

import io.invalidb.model.MatchEvent;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.orestes.auth.rights.RightsChange;
import io.orestes.auth.token.Authenticator;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.invalidb.MatchQuery;
import io.orestes.live.event.EventLogBudget;
import io.orestes.live.event.LiveEvent;
import io.orestes.live.execution.LiveQueryExecutor;
import io.orestes.live.execution.LiveQueryMemoryBudget;
import io.orestes.live.request.LiveConfig;
import io.orestes.live.request.SubscriptionRequest;
import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.read.response.ReaderDependencies;
import io.orestes.store.ObjectStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The registry of all live queries of this server, shared by subscribers with equal queries and
 * rights. A query remains for the resume window after its last subscriber left. Thread-safe.
 */
public final class LiveQueries {

    private final Vertx vertx;
    private final InvalidbClient matching;
    private final UnorderedQueryJoiner joining;
    private final LiveQueryExecutor liveQueryExecutor;
    private final EventLogBudget memory;
    private final LiveQueryEnvironment context;
    private final SubscriptionRightsMonitor rights;
    private final LiveConfig config;
    private final InstantSource clock;
    private final Map<String, LiveQuery> queries = new ConcurrentHashMap<>();

    public LiveQueries(
            Vertx vertx,
            InvalidbClient matching,
            ReaderDependencies readerDependencies,
            Authenticator authenticator,
            LiveConfig config) {
        ObjectStore store = readerDependencies.store();
        this.vertx = vertx;
        this.matching = matching;
        this.joining = new UnorderedQueryJoiner(vertx, matching, store, config);
        this.liveQueryExecutor = new LiveQueryExecutor(vertx, matching);
        this.memory = new EventLogBudget(config.retainedBytes(), config.resumeWindow());
        this.context = new LiveQueryEnvironment(
                vertx,
                store,
                liveQueryExecutor,
                readerDependencies.renderer(),
                config,
                memory,
                new LiveQueryMemoryBudget(config.maxResultBytes()),
                readerDependencies.clock(),
                this::releaseLater,
                this::remove);
        this.clock = readerDependencies.clock();
        this.rights = new SubscriptionRightsMonitor(
                vertx, authenticator, new PermissionRoleReferences(readerDependencies.schemas(), store), clock);
        this.config = config;
    }

    /**
     * Passes a match event to the subscribers of its query, if it has any; any thread.
     *
     * @param periodicStepBudget budget for the work on groups and windows
     */
    public void accept(MatchEvent match, PeriodicStepBudget periodicStepBudget) {
        LiveQuery live = queries.get(match.queryId());
        if (live instanceof UnorderedQuery filter) {
            filter.accept(match);
        } else {
            liveQueryExecutor.accept(match, periodicStepBudget);
        }
    }

    /**
     * Ends all subscriptions of a query that is not matched any more; any thread. A client that
     * subscribes again gets a new query.
     */
    public void fail(String queryId, ApiException failure) {
        LiveQuery live = queries.remove(liveQueryExecutor.owner(queryId).orElse(queryId));
        if (live != null) {
            live.fail(failure);
            live.release();
        }
    }

    /**
     * Opens a subscription. The listener is called on {@code home}: first with the result or
     * readiness, then with each change. If the subscriber loses its rights or the query fails, the
     * last call is an error. Must be called on {@code home}'s thread.
     *
     * @return fails with {@code TOO_MANY_REQUESTS} when too many queries are active, with
     *     {@code QUERY_NOT_SUPPORTED} when the result is larger than a live query may have
     */
    public Future<Subscription> open(SubscriptionRequest request, SubscriptionListener listener, Context home) {
        Subscription subscription = enter(request, listener, home);
        return Future.succeededFuture()
                .compose(entered -> rights.watch(subscription))
                .compose(valid -> subscription.query().join(request, subscription))
                .onFailure(failure -> subscription.close())
                .onComplete(done -> subscription.query().onJoined(subscription))
                .map(subscription);
    }

    /** Succeeds when the write of an event has been answered, or has no waiting client here. */
    public Future<Void> awaitAcknowledged(LiveEvent event) {
        return matching.unansweredWrites().awaitAcknowledged(event.objectId(), event.stamp());
    }

    /**
     * Ends the subscriptions that a write to a user or role affects. Must be called for every such
     * write before it is answered.
     */
    public void onRightsChange(RightsChange change) {
        rights.onRightsChange(change);
    }

    /**
     * Checks whether the rules of a written object refer to changed roles. Must be called for every
     * write of an object before it is matched.
     */
    public void onRulesWritten(StoredObject object) {
        rights.onRulesWritten(object);
    }

    /** Ends all subscriptions, e.g. when the server stops. */
    public void failAll(ApiException failure) {
        queries.values().forEach(live -> live.fail(failure));
    }

    /**
     * Drops all queries without events, because writes were missed. A client that subscribes from
     * now on gets a new query, even with the id of an event. The connections of all subscribers
     * must be closed afterwards.
     */
    public void discardAll() {
        abandon(live -> true);
    }

    /** Drops all queries on one class, because writes to it were missed. */
    public void discardAll(String bucket) {
        abandon(live -> live.query().bucket().equals(bucket));
    }

    private void abandon(Predicate<LiveQuery> concerned) {
        queries.values().stream().filter(concerned).toList().forEach(live -> {
            if (queries.remove(live.query().id(), live)) {
                live.release();
            }
        });
    }

    /**
     * Ends all subscriptions on one class; its subscribers may subscribe again under the present
     * rules.
     */
    public void failAll(String bucket, ApiException failure) {
        queries.values().stream()
                .filter(live -> live.query().bucket().equals(bucket))
                .forEach(live -> live.fail(failure));
    }

    /** Evicts events that are too old; to be called every few seconds. */
    public void sweep() {
        memory.evict(clock.instant());
    }

    /**
     * Returns the events about an object for subscribers of this request; empty if there is none
     * now or recently.
     */
    Optional<ObjectEventHistory> history(SubscriptionRequest request, ObjectRef object) {
        return Optional.ofNullable(queries.get(request.query().id())).map(live -> live.history(object.id()));
    }

    /** Returns all live queries, with or without subscribers. */
    Collection<LiveQuery> all() {
        return queries.values();
    }

    /** Returns the number of live queries, with or without subscribers. */
    public int size() {
        return queries.size();
    }

    private Subscription enter(SubscriptionRequest request, SubscriptionListener listener, Context home) {
        MatchQuery query = request.query();
        AtomicReference<@Nullable Subscription> entered = new AtomicReference<>();
        queries.compute(query.id(), (id, known) -> {
            LiveQuery live = known != null ? known : create(request, query, home);
            entered.set(live.announce(home, listener, request, rights::unwatch));
            return live;
        });
        return Objects.requireNonNull(entered.get());
    }

    private LiveQuery create(SubscriptionRequest request, MatchQuery query, Context home) {
        Filter readable = request.readable();
        if (request.window() != null) {
            return new SortedQuery(query, readable, request.window(), context, home);
        }
        return request.aggregate() != null
                ? new AggregateQuery(query, readable, request.aggregate(), context, home)
                : new UnorderedQuery(query, readable, joining, context);
    }

    private void remove(LiveQuery ended) {
        queries.remove(ended.query().id(), ended);
    }

    /** Uses timers instead of the clock, which may be put back meanwhile. */
    private void releaseLater(LiveQuery idle) {
        long departures = idle.departures();
        vertx.setTimer(
                Math.max(1, config.resumeWindow().toMillis()),
                timer -> queries.computeIfPresent(
                        idle.query().id(),
                        (same, live) -> live == idle && live.isIdleSince(departures) ? released(live) : live));
    }

    private static @Nullable LiveQuery released(LiveQuery idle) {
        idle.release();
        return null;
    }
}
