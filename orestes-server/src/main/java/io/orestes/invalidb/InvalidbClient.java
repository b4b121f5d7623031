package io.orestes.invalidb;

import io.invalidb.grid.UnresponsiveCellException;
import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.cell.LastWrite;
import io.invalidb.matching.cell.RetentionExceededException;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.node.GridOptions;
import io.invalidb.node.MatchListener;
import io.invalidb.node.MatchingService;
import io.invalidb.node.SubscriberLease;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.sort.SortHorizon;
import io.orestes.async.Contexts;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of InvaliDB: it publishes committed writes and keeps queries active while leases on
 * them exist. Several lessees of one query share one activation. May be called from any thread;
 * futures complete on the caller's context.
 */
public final class InvalidbClient {

    private static final Logger log = LoggerFactory.getLogger(InvalidbClient.class);

    /** Number of executions of a query that takes longer than the write stream is retained. */
    private static final int ATTEMPTS = 3;

    /** Maximum number of turns that a write may wait to be matched. */
    public static final int MAX_LAG_TICKS = LateMatchDetector.MAX_TICKS;

    private final Vertx vertx;
    private final MatchingService matchingService;
    private final SubscriberLease subscriberLease;
    private final int maxQueries;
    private final Map<String, Activation> active = new HashMap<>();
    private volatile BiConsumer<MatchEvent, PeriodicStepBudget> listener = (match, periodicStepBudget) -> {};
    private final LateMatchDetector lag = new LateMatchDetector();
    private final UnansweredWriteRegistry answers = new UnansweredWriteRegistry();
    private volatile BiConsumer<String, ApiException> failureListener = (queryId, failure) -> {};
    private volatile Consumer<Boolean> lagListener = isLate -> {};
    private volatile Runnable unmatchedListener = () -> {};
    private volatile LongConsumer latencyListener = nanos -> {};
    private volatile boolean isLate;
    private final LongAdder lags = new LongAdder();
    private final LongAdder unmatched = new LongAdder();

    private InvalidbClient(Vertx vertx, GridOptions options, int maxQueries) {
        this.vertx = vertx;
        this.maxQueries = maxQueries;
        this.matchingService = MatchingService.start(options, new GridListener());
        this.subscriberLease = matchingService.openLease();
    }

    /**
     * Starts a grid in this process.
     *
     * @param maxQueries maximum number of distinct active queries; further ones are refused
     */
    public static InvalidbClient start(Vertx vertx, GridOptions options, int maxQueries) {
        return new InvalidbClient(vertx, options, maxQueries);
    }

    /**
     * Sets the listener to match events, which is called on the grid's threads, in order for each
     * query and object. Must be called before any lease.
     *
     * @param listener also gets the budget of the grid's time that it may use for the event
     *     before it returns
     */
    public void listen(BiConsumer<MatchEvent, PeriodicStepBudget> listener) {
        this.listener = listener;
    }

    /**
     * Sets the listener to queries, by id, that ended because their filter failed on a write. It is
     * called on the grid's threads, before the write is answered. Leases on such a query have no
     * effect any more. Must be called before any lease.
     */
    public void listenToFailures(BiConsumer<String, ApiException> listener) {
        this.failureListener = listener;
    }

    /**
     * Sets the listener to lag: writes wait to be matched for longer than {@link #MAX_LAG_TICKS}
     * turns, or none does any more. In between it is unknown which results are stale. Must be
     * called before any lease.
     *
     * @param unmatched runs when a write could not be matched at all, before its publication
     *     fails
     */
    public void listenToLag(Consumer<Boolean> listener, Runnable unmatched) {
        this.lagListener = listener;
        this.unmatchedListener = unmatched;
    }

    /** Sets the listener to the matching latency, in ns, of writes to classes with queries. */
    void listenToLatency(LongConsumer listener) {
        this.latencyListener = listener;
    }

    /**
     * Checks the writes that wait to be matched. Must be called {@link #MAX_LAG_TICKS} times in
     * their maximum wait.
     */
    public void tick() {
        boolean wasLate = isLate;
        isLate = lag.tick();
        if (isLate && !wasLate) {
            lags.increment();
        }
        if (isLate != wasLate) {
            log.info(
                    isLate
                            ? "Writes are not matched in time: query results are not cached"
                            : "Writes are matched in time again");
            lagListener.accept(isLate);
        }
    }

    /**
     * Returns the published writes of this server, or those about to be, whose clients have no
     * response yet.
     */
    public UnansweredWriteRegistry unansweredWrites() {
        return answers;
    }

    /** Stops the grid; later publications fail. */
    public Future<Void> close() {
        return vertx.executeBlocking(() -> {
                    matchingService.close();
                    return true;
                })
                .mapEmpty();
    }

    /** Publishes a committed write; completes when every query result it changes was reported. */
    public Future<Void> publish(WriteOutcome outcome) {
        WriteEvent write = outcome.toEvent();
        int turn = lag.begin();
        boolean isWatched = matchingService.isWatched(write.bucket());
        long begin = System.nanoTime();
        return future(matchingService.publish(write).whenComplete((done, failure) -> {
            lag.end(turn);
            if (failure != null) {
                unmatched.increment();
                unmatchedListener.run();
            } else if (isWatched) {
                latencyListener.accept(System.nanoTime() - begin);
            }
        }));
    }

    /**
     * Keeps the query active until the lease is released. If it is not active yet, {@code execute}
     * reads its whole result; concurrent writes are matched too. The failure of another caller's
     * execution does not affect this one.
     *
     * @return fails with {@code TOO_MANY_REQUESTS} when too many queries are active, or as
     *     {@code execute} fails
     */
    public Future<QueryLease> acquire(MatchQuery query, Supplier<Future<List<StoredObject>>> execute) {
        return acquireByStamps(query, () -> execute.get().map(InvalidbClient::states));
    }

    /**
     * Keeps the query active for a caller that does not store the objects; {@code execute} returns
     * their states by id.
     */
    public Future<QueryLease> acquireByStamps(MatchQuery query, Supplier<Future<Map<String, VersionStamp>>> execute) {
        return acquire(query, execute, maxQueries);
    }

    /**
     * Keeps a query active that soon replaces an active one. There is always room for it; for a
     * while both are active.
     */
    public Future<QueryLease> acquireReplacement(
            MatchQuery query, Supplier<Future<Map<String, VersionStamp>>> execute) {
        return acquire(query, execute, Integer.MAX_VALUE);
    }

    private Future<QueryLease> acquire(
            MatchQuery query, Supplier<Future<Map<String, VersionStamp>>> execute, int maxQueries) {
        Context caller = vertx.getOrCreateContext();
        Activation own = new Activation(new QuerySpec(query.id(), query.bucket(), query.filter()));
        Activation entered = enter(query.id(), own, maxQueries);
        if (entered == null) {
            return Future.failedFuture(tooMany());
        }
        if (entered != own) {
            return Contexts.on(caller, leaseWhenReady(query.id(), entered))
                    .recover(notOurs -> acquire(query, execute, maxQueries));
        }
        Future.succeededFuture()
                .compose(begun -> activate(own.spec, execute, ATTEMPTS))
                .onComplete(done -> conclude(query.id(), own, done));
        return Contexts.on(caller, leaseWhenReady(query.id(), own));
    }

    private @Nullable Activation enter(String id, Activation own, int maxQueries) {
        synchronized (active) {
            Activation entered = active.getOrDefault(id, own);
            if (entered == own && active.size() >= maxQueries) {
                return null;
            }
            active.put(id, entered);
            entered.holders++;
            return entered;
        }
    }

    /**
     * Removes a failed activation before anyone observes the failure, so that the next one has
     * room.
     */
    private void conclude(String id, Activation activation, AsyncResult<Void> done) {
        if (done.failed()) {
            synchronized (active) {
                active.remove(id, activation);
            }
        }
        activation.ready.handle(done);
    }

    /**
     * Removes objects of a query's result from InvaliDB; the lessee does not need events of their
     * removal.
     */
    public void dropStates(MatchQuery query, Map<String, VersionStamp> states) {
        matchingService.releaseObjects(query.id(), states);
    }

    /**
     * Suppresses events of objects that enter a result behind the horizon, which does not move
     * away.
     */
    public void setHorizon(MatchQuery query, SortHorizon sortHorizon) {
        matchingService.setHorizon(query.id(), sortHorizon);
    }

    /**
     * Renews the queries of this server in InvaliDB, which evicts expired writes and cells that
     * stopped to respond. To be called every few seconds.
     */
    public void sweep() {
        subscriberLease.renew();
        var unused = matchingService.tick();
    }

    /** Returns the last write of an object that InvaliDB retains, if any. */
    public Future<Optional<LastWrite>> lastWrite(ObjectRef ref) {
        return Future.fromCompletionStage(matchingService.latest(ref.bucket(), ref.id()), vertx.getOrCreateContext())
                .recover(failure -> Future.failedFuture(toClientFailure(failure)));
    }

    /** Returns whether writes wait too long to be matched. */
    public boolean isLate() {
        return isLate;
    }

    /** Returns the number of writes that wait to be matched. */
    public int waiting() {
        return lag.waiting();
    }

    /** Returns how often writes began to wait too long. */
    long lags() {
        return lags.sum();
    }

    /** Returns the number of writes that could not be matched. */
    long unmatched() {
        return unmatched.sum();
    }

    /** Returns the load of the cells; takes time linear in the queries. */
    public GridLoadReport load() {
        return new GridLoadReport(
                matchingService.queriesByRow(),
                matchingService.cellCounts().stream()
                        .map(row ->
                                row.stream().map(GridLoadReport.CellLoad::of).toList())
                        .toList());
    }

    /** Returns the number of distinct queries that are active or becoming so. */
    public int activeQueries() {
        synchronized (active) {
            return active.size();
        }
    }

    /** Returns whether one more distinct query may become active. */
    public boolean hasRoom() {
        return activeQueries() < maxQueries;
    }

    private Future<QueryLease> leaseWhenReady(String id, Activation activation) {
        QueryLease queryLease = new QueryLease(() -> release(id, activation));
        return activation.ready.future().map(queryLease).onFailure(failure -> queryLease.release());
    }

    private void release(String id, Activation activation) {
        synchronized (active) {
            activation.holders--;
            if (activation.holders == 0 && active.remove(id, activation)) {
                matchingService.unsubscribe(subscriberLease, id);
            }
        }
    }

    private Future<Void> activate(QuerySpec query, Supplier<Future<Map<String, VersionStamp>>> execute, int attempts) {
        StreamPosition before = matchingService.position(query.bucket());
        Future<Void> subscribed = execute.get()
                .compose(members -> future(matchingService.subscribe(subscriberLease, query, before, members)));
        return subscribed.recover(failure -> failure instanceof RetentionExceededException && attempts > 1
                ? activate(query, execute, attempts - 1)
                : Future.failedFuture(toClientFailure(failure)));
    }

    /** Returns the states of objects by id. */
    public static Map<String, VersionStamp> states(List<StoredObject> result) {
        Map<String, VersionStamp> states = new HashMap<>(result.size() * 2);
        result.forEach(object -> states.put(object.ref().id(), object.stamp()));
        return states;
    }

    private Future<Void> future(CompletionStage<Void> stage) {
        return stage.toCompletableFuture().isDone()
                        && !stage.toCompletableFuture().isCompletedExceptionally()
                ? Future.succeededFuture()
                : Future.fromCompletionStage(stage, vertx.getOrCreateContext()).recover(InvalidbClient::unwrapped);
    }

    /** Unwraps the failure of an earlier stage, which dependent stages wrap. */
    private static Future<Void> unwrapped(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return Future.failedFuture(cause == null ? failure : cause);
    }

    private static Throwable toClientFailure(Throwable failure) {
        if (failure instanceof BudgetExceededException exceeded) {
            return new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, exceeded.getMessage());
        }
        return failure instanceof UnresponsiveCellException
                ? new ApiException(ErrorCode.UNAVAILABLE, "Matching of the query was interrupted; subscribe again")
                : failure;
    }

    private static ApiException tooMany() {
        return new ApiException(ErrorCode.TOO_MANY_REQUESTS, "Too many queries are active on this server");
    }

    /** The listener to match events and failed queries of the grid. */
    private final class GridListener implements MatchListener {

        @Override
        public void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget) {
            listener.accept(event, periodicStepBudget);
        }

        @Override
        public void onFailure(FailedQuery failed) {
            if (ended(failed.query())) {
                ApiException failure = ApiException.of(toClientFailure(failed.cause()));
                if (failure.code() == ErrorCode.INTERNAL_SERVER_ERROR) {
                    log.error("Query {} was ended", failed.query().id(), failed.cause());
                }
                failureListener.accept(failed.query().id(), failure);
            }
        }

        /** Ends only this very activation: the query may have been released and activated again. */
        @SuppressWarnings("ReferenceEquality")
        private boolean ended(QuerySpec spec) {
            synchronized (active) {
                Activation activation = active.get(spec.id());
                return activation != null && activation.spec == spec && active.remove(spec.id(), activation);
            }
        }
    }

    /** One query in the grid; guarded by {@link #active}. */
    private static final class Activation {
        private final QuerySpec spec;
        private final Promise<Void> ready = Promise.promise();
        private int holders;

        private Activation(QuerySpec spec) {
            this.spec = spec;
        }
    }
}
