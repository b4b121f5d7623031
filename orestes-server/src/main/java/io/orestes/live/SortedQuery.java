package io.orestes.live;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.invalidb.sorting.RenewalPolicy;
import io.invalidb.sorting.SortedWindow;
import io.invalidb.sorting.WindowEvent;
import io.invalidb.sorting.WindowSpec;
import io.orestes.async.Contexts;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.invalidb.MatchQuery;
import io.orestes.live.event.EventLog;
import io.orestes.live.execution.ActiveExecution;
import io.orestes.live.execution.LiveQueryExecutor;
import io.orestes.live.execution.LiveQueryMemoryBudget;
import io.orestes.live.execution.MaintainedResult;
import io.orestes.live.request.LiveConfig;
import io.orestes.live.request.SubscriptionRequest;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.store.StoreQuery;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A live query with an order. Events of the filter stage maintain its window, so later subscribers
 * need no execution. When the window needs renewal, the query is executed again beside the running
 * execution, and the differences are published as events. A renewal that the store cannot do now is
 * repeated later, as it affects all subscribers. Another failure of a renewal ends the query.
 */
final class SortedQuery extends LiveQuery {

    private static final Logger log = LoggerFactory.getLogger(SortedQuery.class);

    /** Maximum number of objects outside of memory that the filter stage may track. */
    private static final int MAX_IGNORED_OBJECTS = 64;

    /**
     * Maximum number of postponements of a renewal, each twice as long as the last: about a minute
     * in all.
     */
    private static final int MAX_POSTPONEMENTS = 6;

    private final Context home;
    private final WindowSpec spec;
    private final LiveQueryExecutor liveQueryExecutor;
    private final RenewalPolicy renewalPolicy;
    private final LiveQueryMemoryBudget.LiveQueryShare budgetShare;
    private @Nullable ActiveExecution<SortedWindow> current;
    private @Nullable Promise<Void> renewal;
    private @Nullable ApiException postponementCause;
    private int postponements;
    private long renewals;

    /** Estimated bytes of the next window. */
    private long nextWindowBytes;

    private boolean isReleased;

    SortedQuery(MatchQuery query, Filter readable, WindowSpec spec, LiveQueryEnvironment context, Context home) {
        super(query, readable, context);
        LiveConfig config = context.config();
        this.home = home;
        this.spec = spec;
        this.liveQueryExecutor = context.executor();
        this.budgetShare = context.budget().share(full -> home.runOnContext(ignored -> abandon(full)));
        this.renewalPolicy = new RenewalPolicy(config.renewalInterval(), config.slack(), config.maxWindow());
    }

    @Override
    Future<Void> join(SubscriptionRequest request, Subscription subscription) {
        if (resume(subscription, request.options().resumeAfter())) {
            return Future.succeededFuture();
        }
        return Contexts.on(subscription.home(), ensureCurrent()).map(ready -> {
            joinNow(request, subscription);
            return null;
        });
    }

    private void joinNow(SubscriptionRequest request, Subscription subscription) {
        PositionedResult<List<StoredObject>> positionedResult = addWithContent(subscription);
        if (request.isResultWanted()) {
            subscription.sendResult(positionedResult.position(), positionedResult.content());
        } else {
            subscription.sendReady(positionedResult.position());
        }
    }

    private synchronized PositionedResult<List<StoredObject>> addWithContent(Subscription subscription) {
        if (isReleased) {
            throw ended();
        }
        return new PositionedResult<>(addAtPosition(subscription), content());
    }

    /** Returns the present state of the window. */
    synchronized LiveQueryReport.WindowState window() {
        return new LiveQueryReport.WindowState(
                spec.order().toString(),
                spec.offset(),
                spec.limit(),
                current == null ? 0 : current.state().size(),
                current == null ? 0 : current.state().slack(),
                renewals);
    }

    private List<StoredObject> content() {
        return current == null
                ? List.of()
                : current.state().content().stream().map(EventLog::stored).toList();
    }

    /** Completes when the window exists and has its full length. */
    private synchronized Future<Void> ensureCurrent() {
        if (isReleased) {
            return Future.failedFuture(ended());
        }
        if (postponementCause != null) {
            return Future.failedFuture(postponementCause);
        }
        if (current == null || current.state().needsRenewal()) {
            renewSoon();
        }
        return renewal == null ? Future.succeededFuture() : renewal.future();
    }

    /** Applies a match event of InvaliDB to one of its executions; any thread. */
    private void accept(SortedWindow window, MatchEvent match, PeriodicStepBudget periodicStepBudget) {
        try {
            apply(window, match, periodicStepBudget);
        } catch (BudgetExceededException tooLong) {
            abandon(new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, tooLong.getMessage()));
        } catch (ApiException tooLarge) {
            abandon(tooLarge);
        }
    }

    private synchronized void apply(SortedWindow window, MatchEvent match, PeriodicStepBudget periodicStepBudget) {
        if (isReleased) {
            return;
        }
        List<WindowEvent> changes = window.apply(match, periodicStepBudget);
        if (current != null && current.state() == window) {
            changes.forEach(this::publish);
            maintainWindow(current);
            budgetShare.reserve(windowBytes() + nextWindowBytes);
        }
    }

    private void maintainWindow(ActiveExecution<SortedWindow> activeExecution) {
        if (activeExecution.state().ignoredCount() >= MAX_IGNORED_OBJECTS) {
            liveQueryExecutor.dropStates(
                    activeExecution, activeExecution.state().drainIgnored());
            ignoreBehindHorizon(activeExecution);
        }
        if (activeExecution.state().needsRenewal()) {
            renewSoon();
        }
    }

    private void ignoreBehindHorizon(ActiveExecution<SortedWindow> activeExecution) {
        activeExecution.state().horizon().ifPresent(horizon -> liveQueryExecutor.setHorizon(activeExecution, horizon));
    }

    /** Schedules a renewal as soon as the interval allows; under the lock. */
    private void renewSoon() {
        if (renewal == null && !isReleased) {
            renewal = Promise.promise();
            Duration delay = renewalPolicy.delay(context().clock().instant());
            home.runOnContext(ignored -> renewAfter(delay));
        }
    }

    private void renewAfter(Duration delay) {
        if (delay.isZero()) {
            renew();
        } else {
            context().vertx().setTimer(delay.toMillis() + 1, timer -> renew());
        }
    }

    private void renew() {
        LiveQueryExecutor.withRetries(this::execute).onComplete(this::handleExecution);
    }

    private synchronized Future<ActiveExecution<SortedWindow>> execute() {
        if (isReleased) {
            return Future.failedFuture(ended());
        }
        int slack = renewalPolicy.startExecution(context().clock().instant());
        return current == null
                ? liveQueryExecutor.executeFirst(query(), () -> read(slack))
                : liveQueryExecutor.executeReplacement(query(), () -> read(slack), home);
    }

    /** Reads the result, with the minimum slack if a larger one exceeds the limit of results. */
    private Future<MaintainedResult<SortedWindow>> read(int slack) {
        int least = context().config().slack();
        return readWith(slack)
                .recover(failure -> slack > least && ApiException.of(failure).code() == ErrorCode.QUERY_NOT_SUPPORTED
                        ? readWith(least)
                        : Future.failedFuture(failure));
    }

    private Future<MaintainedResult<SortedWindow>> readWith(int slack) {
        int capacity = SortedWindow.capacity(spec, slack);
        StoreQuery first = new StoreQuery(query().bucket(), query().filter(), spec.order(), 0, capacity).bounded();
        return context()
                .store()
                .query(first, result -> context().vertx().executeBlocking(() -> createWindow(slack, result), false));
    }

    /**
     * Creates the window. Takes up to a second if sort keys are expensive; not on an event loop.
     */
    private MaintainedResult<SortedWindow> createWindow(int slack, List<StoredObject> result) {
        SortedWindow window = new SortedWindow(
                spec, slack, result.stream().map(SortedQuery::untouched).toList());
        reserve(window);
        return new MaintainedResult<>(
                window,
                InvalidbClient.states(result),
                (match, periodicStepBudget) -> accept(window, match, periodicStepBudget));
    }

    private synchronized void reserve(SortedWindow next) {
        budgetShare.reserve(windowBytes() + next.bytes());
        nextWindowBytes = next.bytes();
    }

    private long windowBytes() {
        return current == null ? 0 : current.state().bytes();
    }

    private static Upsert untouched(StoredObject object) {
        return new Upsert(
                object.ref().bucket(), object.ref().id(), object.stamp(), WriteOperation.NONE, object.document());
    }

    private void handleExecution(AsyncResult<ActiveExecution<SortedWindow>> executed) {
        if (executed.succeeded()) {
            finish(replace(executed.result()));
        } else {
            postponeOrGiveUp(ApiException.of(executed.cause()));
        }
    }

    private void postponeOrGiveUp(ApiException failure) {
        Promise<Void> awaited = postpone(failure);
        if (awaited == null) {
            giveUp(failure);
        } else {
            awaited.tryFail(failure);
            context().vertx().setTimer(delay().toMillis(), timer -> renew());
        }
    }

    /**
     * Postpones a renewal that fails for lack of resources. Present subscribers keep their result,
     * and waiting ones are refused by the returned promise. Null if it cannot be postponed.
     */
    private synchronized @Nullable Promise<Void> postpone(ApiException failure) {
        if (failure.code() != ErrorCode.UNAVAILABLE
                || current == null
                || isReleased
                || postponements == MAX_POSTPONEMENTS) {
            return null;
        }
        Promise<Void> awaited = renewal;
        renewal = Promise.promise();
        postponementCause = failure;
        postponements++;
        nextWindowBytes = 0;
        budgetShare.reserve(windowBytes());
        return awaited;
    }

    private synchronized Duration delay() {
        return context().config().renewalInterval().multipliedBy(1L << (postponements - 1));
    }

    /** Replaces the execution and publishes the differences; returns the one to be ended. */
    private synchronized @Nullable ActiveExecution<SortedWindow> replace(ActiveExecution<SortedWindow> next) {
        if (isReleased) {
            return next;
        }
        ActiveExecution<SortedWindow> old = current;
        current = next;
        ignoreBehindHorizon(next);
        if (old != null) {
            renewals++;
            next.state().eventsSince(old.state()).forEach(this::publish);
        }
        return old;
    }

    private void finish(@Nullable ActiveExecution<SortedWindow> old) {
        if (old != null) {
            liveQueryExecutor.end(old);
        }
        Promise<Void> done = takeRenewal();
        try {
            reapplyLimits();
            done.tryComplete();
        } catch (ApiException tooLarge) {
            abandon(tooLarge);
            done.tryFail(tooLarge);
        }
    }

    private synchronized Promise<Void> takeRenewal() {
        Promise<Void> done = renewal == null ? Promise.promise() : renewal;
        renewal = null;
        postponementCause = null;
        postponements = 0;
        return done;
    }

    /** Applies the limits again, because concurrent writes may have enlarged the window. */
    private synchronized void reapplyLimits() {
        nextWindowBytes = 0;
        budgetShare.reserve(windowBytes());
        if (current != null) {
            maintainWindow(current);
        }
    }

    private void giveUp(ApiException failure) {
        if (isRunning()) {
            log.warn("A live query on {} could not be executed again", query().bucket(), failure);
            fail(failure);
        }
        Promise<Void> done = takeRenewal();
        reapplyLimits();
        done.tryFail(failure);
    }

    private synchronized boolean isRunning() {
        return current != null;
    }

    /** Stops all events; the rest of the failure is handled outside of the grid's thread. */
    private synchronized void abandon(ApiException failure) {
        if (!isReleased) {
            isReleased = true;
            home.runOnContext(ignored -> fail(failure));
        }
    }

    /**
     * Ends the query permanently, because its state may be wrong. A later subscriber gets a new
     * query.
     */
    @Override
    void fail(ApiException failure) {
        context().onEnded().accept(this);
        super.fail(failure);
        release();
    }

    @Override
    void release() {
        ActiveExecution<SortedWindow> last = takeCurrent();
        if (last != null) {
            liveQueryExecutor.end(last);
        }
    }

    private synchronized @Nullable ActiveExecution<SortedWindow> takeCurrent() {
        ActiveExecution<SortedWindow> last = current;
        current = null;
        isReleased = true;
        budgetShare.end();
        return last;
    }

    private static ApiException ended() {
        return new ApiException(ErrorCode.UNAVAILABLE, "The live query has ended; subscribe again");
    }
}
