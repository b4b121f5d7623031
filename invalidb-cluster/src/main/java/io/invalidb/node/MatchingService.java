package io.invalidb.node;

import io.invalidb.grid.CellExecutor;
import io.invalidb.grid.CellGrid;
import io.invalidb.grid.CellListener;
import io.invalidb.grid.CellLoadCounters;
import io.invalidb.grid.UnresponsiveCellException;
import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.cell.LastWrite;
import io.invalidb.matching.cell.RetentionLimits;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.sort.SortHorizon;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The service that matches all committed writes against subscribed queries, and reports changes of
 * their results. All methods may be called from any thread, and none waits.
 *
 * <p>To subscribe without missing a write: read the {@link #position}, execute the query, then
 * {@link #subscribe} with its result. Writes published in between are replayed from the retained
 * write stream.
 */
public final class MatchingService implements AutoCloseable {

    private static final System.Logger log = System.getLogger(MatchingService.class.getName());

    private final MatchListener listener;
    private final CellGrid grid;
    private final Subscriptions subscriptions;
    private final ExpectedSubscriptionBuckets expectedSubscriptionBuckets;
    private final Set<SubscriberLease> leases = ConcurrentHashMap.newKeySet();
    private final AtomicLong sequence = new AtomicLong();
    private volatile boolean closed = false;

    private MatchingService(GridOptions options, MatchListener listener, CellExecutor.Factory executors) {
        RetentionLimits retention = new RetentionLimits(
                options.retention(), options.retainedWritesPerCell(), options.retainedBytesPerCell());
        this.listener = listener;
        this.grid = CellGrid.start(options.size(), retention, options.clock(), new GridEvents(), executors);
        this.expectedSubscriptionBuckets = new ExpectedSubscriptionBuckets(options.retention(), options.clock());
        this.subscriptions = new Subscriptions(grid);
    }

    /** Starts a grid on threads of this process. */
    public static MatchingService start(GridOptions options, MatchListener listener) {
        return start(options, listener, CellGrid.THREADS);
    }

    /** Starts a grid whose cells run on the given executors. */
    public static MatchingService start(GridOptions options, MatchListener listener, CellExecutor.Factory executors) {
        return new MatchingService(options, new GuardedListener(listener), executors);
    }

    /** Creates a lease for the subscriptions of an application server, which has to renew it. */
    public SubscriberLease openLease() {
        SubscriberLease subscriberLease = new SubscriberLease();
        leases.add(subscriberLease);
        return subscriberLease;
    }

    /** The passage of events from the cells to the listener. */
    private final class GridEvents implements CellListener {

        @Override
        public void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget) {
            listener.onMatch(event, periodicStepBudget);
        }

        @Override
        public void onFailure(FailedQuery failed) {
            end(failed);
        }
    }

    /** Ends a failed query. The other cells remove it before it can be subscribed again. */
    private void end(FailedQuery failed) {
        subscriptions.end(failed.query(), () -> listener.onFailure(failed));
    }

    /**
     * Returns the current position of the write stream. Read it before executing the query on the
     * bucket whose result is then given to subscribe. From now on, and for the retention time,
     * writes to the bucket are retained.
     */
    public StreamPosition position(String bucket) {
        expectedSubscriptionBuckets.expect(bucket);
        return new StreamPosition(sequence.get());
    }

    /**
     * Starts to watch a query. Its events may begin before the stage completes. Subscribing an id
     * that is active replaces nothing and completes when that subscription does; it ends when the
     * last lease releases it.
     *
     * @param subscriberLease lease of the subscriber
     * @param since the position before the query was executed
     * @param result stamps of all objects in the result, by id
     * @return completes when every cell of the query's row watches it; fails with {@code
     *     RetentionExceededException} when the write stream since the position is no longer
     *     retained (execute the query again), with an exception of the filter on a retained write,
     *     with {@code LeaseExpiredException}, or with {@code UnresponsiveCellException}
     */
    public CompletionStage<Void> subscribe(
            SubscriberLease subscriberLease, QuerySpec query, StreamPosition since, Map<String, VersionStamp> result) {
        if (closed) {
            return refused();
        }
        CompletableFuture<Void> held = subscriptions.subscribe(subscriberLease, query, since, result);
        // Checked only now: if the lease expires later, its queries are collected after that.
        return subscriberLease.isExpired() ? rejectExpired(subscriberLease, query) : held.minimalCompletionStage();
    }

    private CompletionStage<Void> rejectExpired(SubscriberLease subscriberLease, QuerySpec query) {
        subscriptions.unsubscribe(subscriberLease, query.id());
        return CompletableFuture.failedFuture(new LeaseExpiredException());
    }

    /**
     * Releases a query; does nothing if this lease does not have it. Events in progress still
     * arrive.
     */
    public void unsubscribe(SubscriberLease subscriberLease, String queryId) {
        subscriptions.unsubscribe(subscriberLease, queryId);
    }

    /**
     * Drops objects from a query's result whose removal need not be published: later writes to them
     * are published as additions. An object that was written meanwhile is retained.
     *
     * @param states the last published version stamps, by id
     */
    public void releaseObjects(String queryId, Map<String, VersionStamp> states) {
        grid.releaseObjects(queryId, states);
    }

    /**
     * Sets the horizon of a query's result, behind which new objects are not published to its
     * sorting stage. Objects in the given result, and published ones, are published as before,
     * wherever they move.
     *
     * @param sortHorizon never moves away: objects behind it are irrelevant as long as the query is
     *     subscribed
     */
    public void setHorizon(String queryId, SortHorizon sortHorizon) {
        grid.setHorizon(queryId, sortHorizon);
    }

    /**
     * Publishes a committed write. Writes to one object may arrive in any order and several times;
     * the latest by stamp counts.
     *
     * @return completes when every cell that it concerns has matched it and the listener has
     *     returned for all its events; immediately if no query on the bucket is subscribed
     */
    public CompletionStage<Void> publish(WriteEvent write) {
        if (closed) {
            return refused();
        }
        long number = sequence.incrementAndGet();
        if (!isWatched(write.bucket())) {
            grid.submitUnwatchedWrite(number, write);
            // Checked again: a query that entered before the note reached its cells has not been
            // refused by them.
            if (!isWatched(write.bucket())) {
                return CompletableFuture.completedFuture(null);
            }
        }
        return match(number, write);
    }

    /** Returns whether the bucket is watched: by a query, or by one that is about to subscribe. */
    public boolean isWatched(String bucket) {
        return subscriptions.isWatched(bucket) || expectedSubscriptionBuckets.isExpected(bucket);
    }

    private CompletableFuture<Void> match(long number, WriteEvent write) {
        CompletableFuture<Void> matched = grid.submitWrite(number, write);
        // Checked only now: a query that enters later gets this write by replay, before its own
        // subscription completes.
        if (!subscriptions.isWatched(write.bucket())) {
            return CompletableFuture.completedFuture(null);
        }
        grid.wakeColumn(write.id());
        return matched;
    }

    private static CompletionStage<Void> refused() {
        return CompletableFuture.failedFuture(new IllegalStateException("The cluster is closed"));
    }

    /**
     * Returns the latest write of an object, as long as it is retained; fails with {@code
     * UnresponsiveCellException} if its cell does not answer.
     */
    public CompletionStage<Optional<LastWrite>> latest(String bucket, String id) {
        return closed
                ? CompletableFuture.failedFuture(new IllegalStateException("The cluster is closed"))
                : grid.latest(bucket, id).minimalCompletionStage();
    }

    /**
     * Advances the time; to be called every few seconds, by one thread at a time. Retained writes
     * that are too old are evicted. Queries whose leases were not renewed for six ticks end. So do
     * those of a row in which a cell has left three ticks unanswered: the listener is notified, an
     * empty cell replaces it, and its open calls complete.
     *
     * @return completes when all cells have processed the tick
     */
    public CompletionStage<Void> tick() {
        if (closed) {
            return refused();
        }
        leases.stream().filter(SubscriberLease::tick).forEach(this::expire);
        grid.unresponsiveRows().forEach(this::replaceUnresponsive);
        return grid.tick();
    }

    private void expire(SubscriberLease subscriberLease) {
        leases.remove(subscriberLease);
        subscriptions
                .removeLease(subscriberLease)
                .forEach(query -> end(new FailedQuery(query, new LeaseExpiredException())));
    }

    /**
     * Replaces unresponsive cells. Queries are collected first, so that those subscribed to the new
     * cells are not among them.
     */
    private void replaceUnresponsive(int row) {
        List<QuerySpec> lost = subscriptions.inRow(row);
        log.log(Level.ERROR, "A cell of row {0} does not answer and is replaced; {1} queries end", row, lost.size());
        Runnable abandonment = grid.replaceUnresponsive(row, sequence::get);
        lost.forEach(query -> end(new FailedQuery(query, new UnresponsiveCellException())));
        abandonment.run();
    }

    /**
     * Returns the number of queries in each row of cells; all cells of a row have the same ones.
     */
    public List<Integer> queriesByRow() {
        return IntStream.range(0, grid.size().queryPartitions())
                .mapToObj(row -> subscriptions.inRow(row).size())
                .toList();
    }

    /**
     * Returns the work of each cell, row by row; a cell that replaced an unresponsive one begins at
     * zero.
     */
    public List<List<CellLoadCounters>> cellCounts() {
        return grid.cellCounts();
    }

    /** Returns the number of queries that are subscribed or being subscribed. */
    public int activeQueries() {
        return subscriptions.size();
    }

    /** Completes the submitted work and ends the threads; later calls fail. */
    @Override
    public void close() {
        closed = true;
        try {
            grid.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
