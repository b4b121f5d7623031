package io.invalidb.node;

import io.invalidb.grid.CellCounts;
import io.invalidb.grid.CellGrid;
import io.invalidb.grid.CellHost;
import io.invalidb.grid.UnresponsiveCellException;
import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.LastWrite;
import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.Retention;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.SortHorizon;
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
 * The facade of the matching cluster: takes committed writes and reports result changes of
 * subscribed queries. It has to receive every committed write. All methods may be called from any
 * thread, and none waits.
 *
 * <p>To subscribe without missing a write: ask for the {@link #position}, execute the query, then
 * {@link #subscribe} with its result. Writes that were published in between are replayed from the
 * retained write stream.
 */
public final class InvalidbCluster implements AutoCloseable {

    private static final System.Logger log = System.getLogger(InvalidbCluster.class.getName());

    private final MatchListener listener;
    private final CellGrid grid;
    private final Subscriptions subscriptions;
    private final ExpectedSubscriptions expectedSubscriptions;
    private final Set<SubscriberLease> leases = ConcurrentHashMap.newKeySet();
    private final AtomicLong sequence = new AtomicLong();
    private volatile boolean closed = false;

    private InvalidbCluster(GridOptions options, MatchListener listener, CellHost.Factory hosts) {
        Retention retention =
                new Retention(options.retention(), options.retainedWritesPerCell(), options.retainedBytesPerCell());
        this.listener = listener;
        this.grid = CellGrid.start(options.size(), retention, options.clock(), listener::onMatch, this::end, hosts);
        this.expectedSubscriptions = new ExpectedSubscriptions(options.retention(), options.clock());
        this.subscriptions = new Subscriptions(grid);
    }

    /** Starts a grid on threads of this process. */
    public static InvalidbCluster start(GridOptions options, MatchListener listener) {
        return start(options, listener, CellGrid.THREADS);
    }

    /** Starts a grid whose cells these hosts run. */
    public static InvalidbCluster start(GridOptions options, MatchListener listener, CellHost.Factory hosts) {
        return new InvalidbCluster(options, new GuardedListener(listener), hosts);
    }

    /** For an application server to subscribe with; it is to be renewed. */
    public SubscriberLease lease() {
        SubscriberLease subscriberLease = new SubscriberLease();
        leases.add(subscriberLease);
        return subscriberLease;
    }

    /** The other cells are told to forget the query before anybody can subscribe it again. */
    private void end(FailedQuery failed) {
        subscriptions.end(failed.query(), () -> listener.onFailure(failed));
    }

    /**
     * Where the write stream stands now; ask before executing the query on the bucket whose result
     * is then given to subscribe. From now on, and for as long as the retention says, writes to the
     * bucket are retained.
     */
    public StreamPosition position(String bucket) {
        expectedSubscriptions.announce(bucket);
        return new StreamPosition(sequence.get());
    }

    /**
     * Starts to watch a query. Its events may begin before the stage completes. Subscribing an id
     * that is active replaces nothing and completes when that subscription does; it lasts until the
     * last lease gives it up.
     *
     * @param subscriberLease who subscribes
     * @param since the position before the query was executed
     * @param result stamps of all objects in the result, by id
     * @return completes when every cell of the query's row holds it; fails with {@code
     *     RetentionExceededException} when the write stream since the position is no longer
     *     retained (execute the query again), and with what the filter throws on a retained write,
     *     with {@code LeaseExpiredException}, or with {@code UnresponsiveCellException}
     */
    public CompletionStage<Void> subscribe(
            SubscriberLease subscriberLease, QuerySpec query, StreamPosition since, Map<String, VersionStamp> result) {
        if (closed) {
            return refused();
        }
        CompletableFuture<Void> held = subscriptions.subscribe(subscriberLease, query, since, result);
        // Asked only now: when the lease ends later, its queries are looked for after that.
        return subscriberLease.isOver() ? givenUp(subscriberLease, query) : held.minimalCompletionStage();
    }

    private CompletionStage<Void> givenUp(SubscriberLease subscriberLease, QuerySpec query) {
        subscriptions.unsubscribe(subscriberLease, query.id());
        return CompletableFuture.failedFuture(new LeaseExpiredException());
    }

    /**
     * Gives up a query; does nothing if this lease does not hold it. Events on their way still
     * arrive.
     */
    public void unsubscribe(SubscriberLease subscriberLease, String queryId) {
        subscriptions.unsubscribe(subscriberLease, queryId);
    }

    /**
     * Lets a query forget objects of its result of which nobody needs to know when they leave it:
     * later writes to them are told as if they entered. An object that was written meanwhile is not
     * forgotten.
     *
     * @param states the last states that were told, by id
     */
    public void forget(String queryId, Map<String, VersionStamp> states) {
        grid.forget(queryId, states);
    }

    /**
     * Spares whoever keeps the order of a query's result the events of objects that come in behind
     * what he holds. Objects that are in the result given, or were told, are told of as before,
     * wherever they go.
     *
     * @param sortHorizon does not move away: behind it nothing is of interest as long as the query
     *     is subscribed
     */
    public void ignoreBehind(String queryId, SortHorizon sortHorizon) {
        grid.ignoreBehind(queryId, sortHorizon);
    }

    /**
     * Takes a committed write. Writes to one object may come in any order and several times; the
     * latest by stamp counts.
     *
     * @return completes when every cell that it concerns has matched it and the listener has
     *     returned for all its events; at once if no query on the bucket is subscribed
     */
    public CompletionStage<Void> publish(WriteEvent write) {
        if (closed) {
            return refused();
        }
        long number = sequence.incrementAndGet();
        if (!isWatched(write.bucket())) {
            grid.note(number, write);
            // Asked again: a query that entered before the note reached its cells has not been
            // refused by them.
            if (!isWatched(write.bucket())) {
                return CompletableFuture.completedFuture(null);
            }
        }
        return match(number, write);
    }

    /**
     * Whether somebody asks for writes to the bucket: a query, or one that is about to subscribe.
     */
    public boolean isWatched(String bucket) {
        return subscriptions.concern(bucket) || expectedSubscriptions.areExpected(bucket);
    }

    private CompletableFuture<Void> match(long number, WriteEvent write) {
        CompletableFuture<Void> matched = grid.write(number, write);
        // Asked only now: a query entered later gets this write by replay, before its own
        // subscription completes.
        if (!subscriptions.concern(write.bucket())) {
            return CompletableFuture.completedFuture(null);
        }
        grid.wake(write.id());
        return matched;
    }

    private static CompletionStage<Void> refused() {
        return CompletableFuture.failedFuture(new IllegalStateException("The cluster is closed"));
    }

    /**
     * The latest write of an object, as long as it is retained; fails with {@code
     * UnresponsiveCellException} if the cell that knows does not answer.
     */
    public CompletionStage<Optional<LastWrite>> latest(String bucket, String id) {
        return closed
                ? CompletableFuture.failedFuture(new IllegalStateException("The cluster is closed"))
                : grid.latest(bucket, id).minimalCompletionStage();
    }

    /**
     * Lets time pass; to be called every few seconds, by one thread at a time. Retained writes that
     * are too old are given up. Queries whose leases were not renewed for six ticks end, and so do
     * those of a row in which a cell has left three ticks unanswered: the listener is told, an
     * empty cell takes its place, and what waited for it is answered.
     *
     * @return completes when all cells have taken notice
     */
    public CompletionStage<Void> tick() {
        if (closed) {
            return refused();
        }
        leases.stream().filter(SubscriberLease::ages).forEach(this::expire);
        grid.silentRows().forEach(this::replaceSilent);
        return grid.tick();
    }

    private void expire(SubscriberLease subscriberLease) {
        leases.remove(subscriberLease);
        subscriptions
                .orphans(subscriberLease)
                .forEach(query -> end(new FailedQuery(query, new LeaseExpiredException())));
    }

    /**
     * Queries are collected before their cells are replaced, so that those subscribed to the new
     * ones are not among them.
     */
    private void replaceSilent(int row) {
        List<QuerySpec> lost = subscriptions.heldBy(row);
        log.log(Level.ERROR, "A cell of row {0} does not answer and is replaced; {1} queries end", row, lost.size());
        Runnable abandonment = grid.replaceSilent(row, sequence::get);
        lost.forEach(query -> end(new FailedQuery(query, new UnresponsiveCellException())));
        abandonment.run();
    }

    /** How many queries each row of cells holds; all cells of a row hold the same ones. */
    public List<Integer> queriesByRow() {
        return IntStream.range(0, grid.size().queryPartitions())
                .mapToObj(row -> subscriptions.heldBy(row).size())
                .toList();
    }

    /**
     * What each cell has done, row by row; one that took the place of a silent one begins at zero.
     */
    public List<List<CellCounts>> efforts() {
        return grid.efforts();
    }

    /** How many queries are subscribed or being subscribed. */
    public int activeQueries() {
        return subscriptions.size();
    }

    /** Finishes what was handed in before and ends the threads; later calls fail. */
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
