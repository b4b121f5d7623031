package io.orestes.invalidb;

import io.invalidb.grid.UnresponsiveCellException;
import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.LastWrite;
import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.RetentionExceededException;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteOperation;
import io.invalidb.node.GridOptions;
import io.invalidb.node.InvalidbCluster;
import io.invalidb.node.MatchListener;
import io.invalidb.node.SubscriberLease;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.CellBudget;
import io.invalidb.query.SortHorizon;
import io.orestes.async.Contexts;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
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
 * them exist. Several holders of one query share one activation. May be called from any thread;
 * futures complete on the caller's context.
 */
public final class InvalidbClient {

    private static final Logger log = LoggerFactory.getLogger(InvalidbClient.class);

    /**
     * How often a query is executed again when it takes longer than the write stream is retained.
     */
    private static final int ATTEMPTS = 3;

    /** How many turns a write may wait to be matched. */
    public static final int LAG_TURNS = MatchingLag.TURNS;

    private final Vertx vertx;
    private final InvalidbCluster cluster;
    private final SubscriberLease subscriberLease;
    private final int maxQueries;
    private final Map<String, Activation> active = new HashMap<>();
    private volatile BiConsumer<MatchEvent, CellBudget> listener = (match, cellBudget) -> {};
    private final MatchingLag lag = new MatchingLag();
    private final UnacknowledgedWrites answers = new UnacknowledgedWrites();
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
        this.cluster = InvalidbCluster.start(options, new GridListener());
        this.subscriberLease = cluster.lease();
    }

    /**
     * Starts a grid in this process.
     *
     * @param maxQueries most distinct queries to keep active at once; further ones are refused
     */
    public static InvalidbClient start(Vertx vertx, GridOptions options, int maxQueries) {
        return new InvalidbClient(vertx, options, maxQueries);
    }

    /**
     * Says who gets match events, on the grid's threads; in order for each query and object. To be
     * called before any hold.
     *
     * @param listener also gets what it may take of the grid's time for the event, before it
     *     returns
     */
    public void listen(BiConsumer<MatchEvent, CellBudget> listener) {
        this.listener = listener;
    }

    /**
     * Says who is told of queries, by id, that have ended because their filter failed on a write:
     * on the grid's threads, before the write is answered. Holds on such a query keep nothing
     * active any more. To be called before any hold.
     */
    public void listenToFailures(BiConsumer<String, ApiException> listener) {
        this.failureListener = listener;
    }

    /**
     * Says who is told when writes have been waiting for longer than {@link #LAG_TURNS} turns to be
     * matched, and when none does any more. In between nobody knows which results are stale. To be
     * called before any hold.
     *
     * @param unmatched told of a write that could not be matched at all, before its publication
     *     fails
     */
    public void listenToLag(Consumer<Boolean> listener, Runnable unmatched) {
        this.lagListener = listener;
        this.unmatchedListener = unmatched;
    }

    /**
     * Says who is told in nanoseconds how long it took to match a write to a class that some query
     * is about.
     */
    void listenToLatency(LongConsumer listener) {
        this.latencyListener = listener;
    }

    /**
     * Looks after writes that wait to be matched; to be called as often in the longest time they
     * may wait as there are turns.
     */
    public void turn() {
        boolean wasLate = isLate;
        isLate = lag.turn();
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

    /** The writes of this server that have been published, or are about to be, and not answered. */
    public UnacknowledgedWrites answers() {
        return answers;
    }

    /** Stops the grid; later writes fail to be published. */
    public Future<Void> close() {
        return vertx.executeBlocking(() -> {
                    cluster.close();
                    return true;
                })
                .mapEmpty();
    }

    /**
     * Tells InvaliDB of an insert or update; completes when every query result it changes was
     * reported.
     */
    public Future<Void> publish(StoredObject stored, WriteOperation writeOperation) {
        return publish(new WriteEvent.Upsert(
                stored.ref().bucket(), stored.ref().id(), stored.stamp(), writeOperation, stored.document()));
    }

    /**
     * Tells InvaliDB of a deletion; completes as {@link #publish(StoredObject, WriteOperation)}
     * does.
     */
    public Future<Void> publish(Tombstone deleted) {
        return publish(
                new WriteEvent.Delete(deleted.ref().bucket(), deleted.ref().id(), deleted.stamp()));
    }

    /**
     * Keeps the query active until the hold is released. If it is not active yet, {@code execute}
     * is asked for its whole result; writes that happen meanwhile are matched too. A holder does
     * not suffer from the failure of another one's execution.
     *
     * @return fails with {@code TOO_MANY_REQUESTS} when too many queries are active, or as {@code
     *     execute} fails
     */
    public Future<QueryLease> hold(MatchQuery query, Supplier<Future<List<StoredObject>>> execute) {
        return holdMembers(query, () -> execute.get().map(InvalidbClient::states));
    }

    /** The same for who does not hold the objects: {@code execute} tells their states by id. */
    public Future<QueryLease> holdMembers(MatchQuery query, Supplier<Future<Map<String, VersionStamp>>> execute) {
        return hold(query, execute, maxQueries);
    }

    /**
     * The same for a query that soon takes the place of one that is held: there is always room for
     * it, for a while there are both.
     */
    public Future<QueryLease> holdInstead(MatchQuery query, Supplier<Future<Map<String, VersionStamp>>> execute) {
        return hold(query, execute, Integer.MAX_VALUE);
    }

    private Future<QueryLease> hold(MatchQuery query, Supplier<Future<Map<String, VersionStamp>>> execute, int most) {
        Context caller = vertx.getOrCreateContext();
        Activation own = new Activation(new QuerySpec(query.id(), query.bucket(), query.filter()));
        Activation entered = enter(query.id(), own, most);
        if (entered == null) {
            return Future.failedFuture(tooMany());
        }
        if (entered != own) {
            return Contexts.on(caller, held(query.id(), entered)).recover(notOurs -> hold(query, execute, most));
        }
        Future.succeededFuture()
                .compose(begun -> activate(own.spec, execute, ATTEMPTS))
                .onComplete(done -> conclude(query.id(), own, done));
        return Contexts.on(caller, held(query.id(), own));
    }

    private @Nullable Activation enter(String id, Activation own, int most) {
        synchronized (active) {
            Activation entered = active.getOrDefault(id, own);
            if (entered == own && active.size() >= most) {
                return null;
            }
            active.put(id, entered);
            entered.holders++;
            return entered;
        }
    }

    /** A failed activation makes room for the next before anybody hears of it. */
    private void conclude(String id, Activation activation, AsyncResult<Void> done) {
        if (done.failed()) {
            synchronized (active) {
                active.remove(id, activation);
            }
        }
        activation.ready.handle(done);
    }

    /**
     * Spares InvaliDB to remember objects of a query's result whose holder does not care when they
     * leave it.
     */
    public void forget(MatchQuery query, Map<String, VersionStamp> states) {
        cluster.forget(query.id(), states);
    }

    /**
     * Spares the holder of a query the objects that come into its result behind the horizon, which
     * does not move away.
     */
    public void ignoreBehind(MatchQuery query, SortHorizon sortHorizon) {
        cluster.ignoreBehind(query.id(), sortHorizon);
    }

    /**
     * Tells InvaliDB that this server still wants its queries, and lets it give up what it retained
     * for too long and cells that have stopped to answer; to be called every few seconds.
     */
    public void sweep() {
        subscriberLease.renew();
        var unused = cluster.tick();
    }

    /** The last write of an object that InvaliDB retains, if it retains one. */
    public Future<Optional<LastWrite>> lastWrite(ObjectRef ref) {
        return Future.fromCompletionStage(cluster.latest(ref.bucket(), ref.id()), vertx.getOrCreateContext())
                .recover(failure -> Future.failedFuture(forClients(failure)));
    }

    /** Whether writes wait too long to be matched. */
    public boolean isLate() {
        return isLate;
    }

    /** How many writes wait to be matched. */
    public int waiting() {
        return lag.waiting();
    }

    /** How often they began to. */
    long lags() {
        return lags.sum();
    }

    /** How many writes could not be matched. */
    long unmatched() {
        return unmatched.sum();
    }

    /** What the cells hold and do; takes time linear in the queries. */
    public GridLoad load() {
        return new GridLoad(
                cluster.queriesByRow(),
                cluster.efforts().stream()
                        .map(row -> row.stream().map(GridLoad.CellLoad::of).toList())
                        .toList());
    }

    /** How many distinct queries are active or becoming so. */
    public int activeQueries() {
        synchronized (active) {
            return active.size();
        }
    }

    /** Whether one more distinct query may become active. */
    public boolean hasRoom() {
        return activeQueries() < maxQueries;
    }

    private Future<QueryLease> held(String id, Activation activation) {
        QueryLease queryLease = new QueryLease(() -> release(id, activation));
        return activation.ready.future().map(queryLease).onFailure(failure -> queryLease.release());
    }

    private void release(String id, Activation activation) {
        synchronized (active) {
            activation.holders--;
            if (activation.holders == 0 && active.remove(id, activation)) {
                cluster.unsubscribe(subscriberLease, id);
            }
        }
    }

    private Future<Void> activate(QuerySpec query, Supplier<Future<Map<String, VersionStamp>>> execute, int attempts) {
        StreamPosition before = cluster.position(query.bucket());
        Future<Void> subscribed =
                execute.get().compose(members -> future(cluster.subscribe(subscriberLease, query, before, members)));
        return subscribed.recover(failure -> failure instanceof RetentionExceededException && attempts > 1
                ? activate(query, execute, attempts - 1)
                : Future.failedFuture(forClients(failure)));
    }

    /** The states of objects by id. */
    public static Map<String, VersionStamp> states(List<StoredObject> result) {
        Map<String, VersionStamp> states = new HashMap<>(result.size() * 2);
        result.forEach(object -> states.put(object.ref().id(), object.stamp()));
        return states;
    }

    private Future<Void> publish(WriteEvent write) {
        int turn = lag.begun();
        boolean isWatched = cluster.isWatched(write.bucket());
        long begin = System.nanoTime();
        return future(cluster.publish(write).whenComplete((done, failure) -> {
            lag.ended(turn);
            if (failure != null) {
                unmatched.increment();
                unmatchedListener.run();
            } else if (isWatched) {
                latencyListener.accept(System.nanoTime() - begin);
            }
        }));
    }

    private Future<Void> future(CompletionStage<Void> stage) {
        return stage.toCompletableFuture().isDone()
                        && !stage.toCompletableFuture().isCompletedExceptionally()
                ? Future.succeededFuture()
                : Future.fromCompletionStage(stage, vertx.getOrCreateContext()).recover(InvalidbClient::unwrapped);
    }

    /** A stage that depends on another one tells that one's failure in a wrapping. */
    private static Future<Void> unwrapped(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return Future.failedFuture(cause == null ? failure : cause);
    }

    private static Throwable forClients(Throwable failure) {
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
        public void onMatch(MatchEvent event, CellBudget cellBudget) {
            listener.accept(event, cellBudget);
        }

        @Override
        public void onFailure(FailedQuery failed) {
            if (ended(failed.query())) {
                ApiException failure = ApiException.of(forClients(failed.cause()));
                if (failure.code() == ErrorCode.INTERNAL_SERVER_ERROR) {
                    log.error("Query {} was ended", failed.query().id(), failed.cause());
                }
                failureListener.accept(failed.query().id(), failure);
            }
        }

        /** Only this very activation: the query may have been released and be held again. */
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
