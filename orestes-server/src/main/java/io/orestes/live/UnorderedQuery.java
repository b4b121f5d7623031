package io.orestes.live;

import io.invalidb.model.MatchEvent;
import io.invalidb.query.filter.Filter;
import io.invalidb.sorting.WindowEvent;
import io.orestes.invalidb.MatchQuery;
import io.orestes.invalidb.QueryLease;
import io.orestes.live.event.ClientView;
import io.orestes.live.event.EventId;
import io.orestes.live.event.LiveEvent;
import io.orestes.live.request.SubscriptionRequest;
import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A live query without an order, whose events are those of the filter stage. Its result is read
 * when a subscriber joins, unless events can make an earlier one current.
 */
final class UnorderedQuery extends LiveQuery {

    /**
     * Maximum number of views retained for clients that received results before all of their writes
     * were matched.
     */
    private static final int MAX_RETAINED_VIEWS = 64;

    private final UnorderedQueryJoiner joining;
    private final NavigableMap<Long, ClientView> retainedViews = new TreeMap<>();
    private long lastViewNumber;
    private @Nullable SharedQueryExecution sharedQueryExecution;
    private Future<QueryLease> lease = Future.failedFuture("not requested yet");

    UnorderedQuery(MatchQuery query, Filter readable, UnorderedQueryJoiner joining, LiveQueryEnvironment context) {
        super(query, readable, context);
        this.joining = joining;
    }

    @Override
    Future<Void> join(SubscriptionRequest request, Subscription subscription) {
        return joining.join(request, this, subscription);
    }

    @Override
    void release() {
        acquireLease(query -> Future.failedFuture("given up")).onSuccess(QueryLease::release);
    }

    /** Drops the shared result, because no subscriber is about to join any more. */
    @Override
    void onAllJoined() {
        sharedQueryExecution = null;
    }

    /** Returns the shared result if events can make it current; otherwise reads it now. */
    synchronized SharedQueryExecution obtainExecution(Function<MatchQuery, Future<List<StoredObject>>> execution) {
        SharedQueryExecution known = sharedQueryExecution;
        return known != null && !known.result().failed() && log().covers(known.afterSequence())
                ? known
                : startExecution(execution);
    }

    /** Starts an execution, which reads the result anew. */
    synchronized SharedQueryExecution startExecution(Function<MatchQuery, Future<List<StoredObject>>> execution) {
        SharedQueryExecution begun = new SharedQueryExecution(log().lastSequence(), execution.apply(query()));
        sharedQueryExecution = begun;
        return begun;
    }

    /** Returns the lease that keeps the query in the grid; requests another one after a failure. */
    synchronized Future<QueryLease> acquireLease(Function<MatchQuery, Future<QueryLease>> acquire) {
        if (lease.failed()) {
            lease = acquire.apply(query());
        }
        return lease;
    }

    /** Publishes a match event of InvaliDB; any thread. */
    synchronized void accept(MatchEvent match) {
        publish(WindowEvent.unordered(match));
    }

    /**
     * Joins with a result that was read after {@code since}; to be called on the subscription's
     * context.
     *
     * @return false if some events since then are evicted, and the result has to be read again
     */
    boolean join(Subscription subscription, List<StoredObject> result, long since) {
        Optional<PositionedResult<List<StoredObject>>> current = addWith(subscription, result, since);
        current.ifPresent(snapshot -> subscription.sendResult(snapshot.position(), snapshot.content()));
        return current.isPresent();
    }

    private synchronized Optional<PositionedResult<List<StoredObject>>> addWith(
            Subscription subscription, List<StoredObject> result, long since) {
        return log().fold(result, since).map(current -> {
            beginView(subscription, current);
            return new PositionedResult<>(addAtPosition(subscription), current);
        });
    }

    private void beginView(Subscription subscription, List<StoredObject> current) {
        ClientView view = ClientView.of(++lastViewNumber, log().lastSequence(), current);
        retainView(view);
        subscription.beginView(view.copy(), position(), this::evictView);
    }

    /** Drops a view, because its client has the final position, or left long ago. */
    synchronized void evictView(long number) {
        retainedViews.remove(number);
    }

    @Override
    boolean restoreView(Subscription subscription, EventId after) {
        return after.isResultShared() || restoreResultView(subscription, after);
    }

    /**
     * Reconstructs the view of a client that got a result and then the events up to its last one.
     */
    private boolean restoreResultView(Subscription subscription, EventId after) {
        ClientView retained = retainedViews.get(after.result());
        Optional<List<LiveEvent>> events = retained == null ? Optional.empty() : log().eventsAfter(retained.sequence());
        if (retained == null || events.isEmpty()) {
            return false;
        }
        ClientView view = retained.copy();
        events.get().stream()
                .filter(event -> event.id().sequence() <= after.sequence())
                .forEach(view::apply);
        subscription.beginView(view, after, this::evictView);
        return true;
    }

    private void retainView(ClientView view) {
        retainedViews.put(view.number(), view);
        if (retainedViews.size() > MAX_RETAINED_VIEWS) {
            retainedViews.pollFirstEntry();
        }
    }
}
