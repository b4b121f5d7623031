package io.orestes.live;

import io.invalidb.aggregation.AggregateLimits;
import io.invalidb.aggregation.AggregateSpec;
import io.invalidb.aggregation.GroupEvent;
import io.invalidb.aggregation.LiveAggregate;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.orestes.async.Contexts;
import io.orestes.invalidb.MatchQuery;
import io.orestes.live.execution.ActiveExecution;
import io.orestes.live.execution.LiveQueryExecutor;
import io.orestes.live.execution.LiveQueryMemoryBudget;
import io.orestes.live.execution.MaintainedResult;
import io.orestes.live.request.SubscriptionRequest;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.read.query.AggregateLimitErrors;
import io.orestes.read.response.JsonRenderer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A live query whose result is the groups of an aggregate, maintained incrementally by match
 * events. It is executed once. From then on the events of the filter stage maintain its rows, so
 * later subscribers need no execution. The query ends when it exceeds its size limit.
 */
final class AggregateQuery extends LiveQuery {

    private final Context home;
    private final AggregateSpec spec;
    private final AggregateLimits limits;
    private final LiveQueryExecutor liveQueryExecutor;
    private final JsonRenderer jsonRenderer;
    private final LiveQueryMemoryBudget.LiveQueryShare budgetShare;
    private Future<ActiveExecution<LiveAggregate>> execution = Future.failedFuture("not requested yet");
    private @Nullable RowsSnapshot rows;
    private volatile boolean isReleased;

    AggregateQuery(MatchQuery query, Filter readable, AggregateSpec spec, LiveQueryEnvironment context, Context home) {
        super(query, readable, context);
        this.home = home;
        this.spec = spec;
        this.limits = context.config().aggregates();
        this.liveQueryExecutor = context.executor();
        this.jsonRenderer = context.rendering();
        this.budgetShare = context.budget().share(full -> home.runOnContext(ignored -> abandon(full)));
    }

    AggregateSpec spec() {
        return spec;
    }

    @Override
    Future<Void> join(SubscriptionRequest request, Subscription subscription) {
        if (resume(subscription, request.options().resumeAfter())) {
            return Future.succeededFuture();
        }
        return Contexts.on(subscription.home(), obtainExecution()).map(begun -> {
            joinNow(request, subscription, begun.state());
            return null;
        });
    }

    private void joinNow(SubscriptionRequest request, Subscription subscription, LiveAggregate aggregate) {
        PositionedResult<RowsSnapshot> positionedResult = addWithRows(subscription, aggregate);
        if (request.isResultWanted()) {
            subscription.sendRows(
                    positionedResult.position(), positionedResult.content().text());
        } else {
            subscription.sendReady(positionedResult.position());
        }
    }

    private synchronized PositionedResult<RowsSnapshot> addWithRows(
            Subscription subscription, LiveAggregate aggregate) {
        if (isReleased) {
            throw ended();
        }
        if (rows == null) {
            rows = new RowsSnapshot(aggregate.rows());
        }
        return new PositionedResult<>(addAtPosition(subscription), rows);
    }

    /**
     * A snapshot of all rows at one position, rendered once for all subscribers that join there.
     * Thread-safe.
     */
    private final class RowsSnapshot {
        private final List<BsonDocument> rows;
        private @Nullable Buffer text;

        private RowsSnapshot(List<BsonDocument> rows) {
            this.rows = rows;
        }

        private synchronized Buffer text() {
            Buffer known = text == null ? jsonRenderer.rows(query().bucket(), spec, rows) : text;
            text = known;
            return known;
        }
    }

    /** Returns the execution; starts another one after a failure. */
    private synchronized Future<ActiveExecution<LiveAggregate>> obtainExecution() {
        if (isReleased) {
            return Future.failedFuture(ended());
        }
        if (execution.failed()) {
            execution = LiveQueryExecutor.withRetries(() -> liveQueryExecutor.executeFirst(query(), this::read))
                    .recover(failure -> {
                        budgetShare.reserve(0);
                        return Future.failedFuture(failure);
                    });
        }
        return execution;
    }

    private Future<MaintainedResult<LiveAggregate>> read() {
        LiveAggregate aggregate = new LiveAggregate(spec, limits);
        return context()
                .store()
                .visit(query().bucket(), query().filter(), object -> addObject(object, aggregate))
                .map(done -> new MaintainedResult<>(
                        aggregate,
                        aggregate.members(),
                        (match, periodicStepBudget) -> accept(aggregate, match, periodicStepBudget)));
    }

    /** Adds an object of the result; stops the iteration if the query was abandoned meanwhile. */
    private void addObject(StoredObject object, LiveAggregate aggregate) {
        if (isReleased) {
            throw ended();
        }
        AggregateLimitErrors.translateErrors(() -> aggregate.add(object.ref().id(), object.stamp(), object.document()));
        budgetShare.reserve(aggregate.bytes());
    }

    private void accept(LiveAggregate aggregate, MatchEvent match, PeriodicStepBudget periodicStepBudget) {
        try {
            AggregateLimitErrors.translateErrors(() -> apply(aggregate, match, periodicStepBudget));
        } catch (ApiException tooLarge) {
            abandon(tooLarge);
        }
    }

    private synchronized void apply(LiveAggregate aggregate, MatchEvent match, PeriodicStepBudget periodicStepBudget) {
        if (!isReleased) {
            aggregate.apply(match, periodicStepBudget).forEach(change -> publishGroup(change, match.write()));
            budgetShare.reserve(aggregate.bytes());
        }
    }

    private void publishGroup(GroupEvent change, WriteEvent cause) {
        rows = null;
        BsonDocument row = change.row();
        publish(change.type(), cause, row, () -> jsonRenderer.row(query().bucket(), spec, row));
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
        takeExecution().onSuccess(liveQueryExecutor::end);
    }

    private synchronized Future<ActiveExecution<LiveAggregate>> takeExecution() {
        Future<ActiveExecution<LiveAggregate>> begun = execution;
        execution = Future.failedFuture("given up");
        isReleased = true;
        budgetShare.end();
        return begun;
    }

    private static ApiException ended() {
        return new ApiException(ErrorCode.UNAVAILABLE, "The live query has ended; subscribe again");
    }
}
