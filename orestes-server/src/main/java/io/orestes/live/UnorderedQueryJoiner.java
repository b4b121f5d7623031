package io.orestes.live;

import io.invalidb.query.sort.SortOrder;
import io.orestes.async.Contexts;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.invalidb.MatchQuery;
import io.orestes.invalidb.QueryLease;
import io.orestes.live.request.LiveConfig;
import io.orestes.live.request.SubscriptionRequest;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;

/**
 * The procedure that adds a subscriber to an unordered live query: activate it, read its result,
 * wait until early writes are matched. Thread-safe.
 */
final class UnorderedQueryJoiner {

    /** Time after which every earlier write is matched, however busy the grid is. */
    private static final Duration SETTLING = Duration.ofSeconds(2);

    private static final int ATTEMPTS = 3;

    private final Vertx vertx;
    private final InvalidbClient matching;
    private final ObjectStore store;
    private final LiveConfig config;

    UnorderedQueryJoiner(Vertx vertx, InvalidbClient matching, ObjectStore store, LiveConfig config) {
        this.vertx = vertx;
        this.matching = matching;
        this.store = store;
        this.config = config;
    }

    /**
     * Joins; to be called on the subscription's context.
     *
     * @return fails with {@code TOO_MANY_REQUESTS} when too many queries are active or the result
     *     changes too fast, with {@code QUERY_NOT_SUPPORTED} when it is larger than a live query
     *     may have
     */
    Future<Void> join(SubscriptionRequest request, UnorderedQuery live, Subscription subscription) {
        return join(request, live, subscription, ATTEMPTS);
    }

    private Future<Void> join(
            SubscriptionRequest request, UnorderedQuery live, Subscription subscription, int attempts) {
        Future<QueryLease> lease = live.acquireLease(query ->
                matching.acquire(query, () -> live.startExecution(this::execute).result()));
        return Contexts.on(subscription.home(), lease)
                .compose(acquired -> joinAcquired(request, live, subscription))
                .compose(joined -> joined ? Future.succeededFuture() : again(request, live, subscription, attempts));
    }

    private Future<Void> again(
            SubscriptionRequest request, UnorderedQuery live, Subscription subscription, int attempts) {
        return attempts > 1
                ? join(request, live, subscription, attempts - 1)
                : Future.failedFuture(
                        new ApiException(ErrorCode.TOO_MANY_REQUESTS, "The result changes faster than it can be read"));
    }

    private Future<Boolean> joinAcquired(SubscriptionRequest request, UnorderedQuery live, Subscription subscription) {
        if (live.resume(subscription, request.options().resumeAfter())) {
            settleLater(live, subscription);
            return Future.succeededFuture(true);
        }
        if (!request.isResultWanted()) {
            live.join(subscription);
            return Future.succeededFuture(true);
        }
        SharedQueryExecution sharedQueryExecution = live.obtainExecution(this::execute);
        return Contexts.on(subscription.home(), sharedQueryExecution.result())
                .map(result -> joinWith(result, live, subscription, sharedQueryExecution.afterSequence()));
    }

    private boolean joinWith(List<StoredObject> result, UnorderedQuery live, Subscription subscription, long since) {
        boolean joined = live.join(subscription, result, since);
        if (joined) {
            settleLater(live, subscription);
        }
        return joined;
    }

    private void settleLater(UnorderedQuery live, Subscription subscription) {
        vertx.setTimer(
                SETTLING.toMillis(), timer -> subscription.home().runOnContext(ignored -> settle(live, subscription)));
    }

    private void settle(UnorderedQuery live, Subscription subscription) {
        subscription
                .confirmView()
                .ifPresent(number -> vertx.setTimer(config.resumeWindow().toMillis(), timer -> live.evictView(number)));
    }

    private Future<List<StoredObject>> execute(MatchQuery query) {
        StoreQuery all =
                new StoreQuery(query.bucket(), query.filter(), SortOrder.BY_ID, 0, config.maxResult() + 1).bounded();
        return store.query(all)
                .compose(result -> result.size() > config.maxResult()
                        ? Future.failedFuture(tooLarge())
                        : Future.succeededFuture(result));
    }

    private ApiException tooLarge() {
        return new ApiException(
                ErrorCode.QUERY_NOT_SUPPORTED,
                "The result of a live query may have at most " + config.maxResult() + " objects");
    }
}
