package io.orestes.notify;

import io.invalidb.model.MatchEvent;
import io.invalidb.query.Filter;
import io.orestes.auth.Authenticator;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.read.Rendering;
import io.orestes.realtime.Contexts;
import io.orestes.realtime.Hold;
import io.orestes.realtime.MatchQuery;
import io.orestes.realtime.QueryMatching;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * All live queries of this server. A query is shared by everybody who asks for the same objects with the same rights; it
 * lives on for the resume window after its last subscriber left. Thread-safe.
 */
public final class LiveQueries {

    /** A write is matched long before this, however busy the grid is. */
    private static final Duration SETTLING = Duration.ofSeconds(2);

    /** Timers and the clock may disagree by a few milliseconds. */
    private static final Duration TIMER_SLACK = Duration.ofMillis(100);

    private static final int ATTEMPTS = 3;

    private final Vertx vertx;
    private final QueryMatching matching;
    private final ObjectStore store;
    private final Rendering rendering;
    private final SubscriberRights rights;
    private final LiveConfig config;
    private final InstantSource clock;
    private final Map<String, LiveQuery> queries = new ConcurrentHashMap<>();

    public LiveQueries(
            Vertx vertx,
            QueryMatching matching,
            ObjectStore store,
            Rendering rendering,
            Authenticator authenticator,
            LiveConfig config,
            InstantSource clock) {
        this.vertx = vertx;
        this.matching = matching;
        this.store = store;
        this.rendering = rendering;
        this.rights = new SubscriberRights(vertx, authenticator, clock);
        this.config = config;
        this.clock = clock;
    }

    /** Passes a match event to the subscribers of its query, if it has any; any thread. */
    public void accept(MatchEvent match) {
        LiveQuery live = queries.get(match.queryId());
        if (live != null) {
            live.accept(match);
        }
    }

    /**
     * Opens a subscription; the listener is called on {@code home}, first with the result or readiness, then with each
     * change, and last, if the subscriber's rights go, with an error. Must be called on {@code home}'s thread.
     *
     * @return fails with {@code TOO_MANY_REQUESTS} when too many queries are active, with {@code QUERY_NOT_SUPPORTED} when
     *     the result is larger than a live query may have
     */
    public Future<Subscription> open(LiveRequest request, LiveListener listener, Context home) {
        Subscription subscription = enter(request, listener, home);
        return Future.succeededFuture()
                .compose(entered -> rights.watch(subscription))
                .compose(valid -> open(request, subscription, ATTEMPTS))
                .onFailure(failure -> subscription.close())
                .onComplete(done -> subscription.query().entered(subscription))
                .map(subscription);
    }

    /** To be told of every write to a user or role before it is answered: ends the subscriptions that it takes rights from. */
    public void rightsWritten(ObjectRef userOrRole) {
        rights.written(userOrRole);
    }

    /** Ends all subscriptions, e.g. when the server stops. */
    public void failAll(ApiException failure) {
        queries.values().forEach(live -> live.fail(failure));
    }

    /** Ends all subscriptions on one class: its subscribers may ask again, by the rules that hold now. */
    public void failAll(String bucket, ApiException failure) {
        queries.values().stream()
                .filter(live -> live.query().bucket().equals(bucket))
                .forEach(live -> live.fail(failure));
    }

    /** How many live queries there are, with or without subscribers. */
    public int size() {
        return queries.size();
    }

    private Subscription enter(LiveRequest request, LiveListener listener, Context home) {
        Filter readable = request.readable();
        MatchQuery query = MatchQuery.of(request.bucket(), request.filter().and(readable));
        AtomicReference<@Nullable Subscription> entered = new AtomicReference<>();
        queries.compute(query.id(), (id, known) -> {
            LiveQuery live = known != null ? known : create(query, readable);
            entered.set(live.enter(home, listener, request, rights::forget));
            return live;
        });
        return Objects.requireNonNull(entered.get());
    }

    private LiveQuery create(MatchQuery query, Filter readable) {
        return new LiveQuery(query, readable, config, clock, rendering, () -> giveUpLater(query.id()));
    }

    private Future<Void> open(LiveRequest request, Subscription subscription, int attempts) {
        LiveQuery live = subscription.query();
        Future<Hold> hold = live.holdBy(
                query -> matching.hold(query, () -> live.readAnew(this::execute).result()));
        return Contexts.on(subscription.home(), hold)
                .compose(held -> join(request, live, subscription))
                .compose(joined -> joined ? Future.succeededFuture() : again(request, subscription, attempts));
    }

    private Future<Void> again(LiveRequest request, Subscription subscription, int attempts) {
        return attempts > 1
                ? open(request, subscription, attempts - 1)
                : Future.failedFuture(
                        new ApiException(ErrorCode.TOO_MANY_REQUESTS, "The result changes faster than it can be read"));
    }

    private Future<Boolean> join(LiveRequest request, LiveQuery live, Subscription subscription) {
        if (request.resumeAfter()
                .filter(after -> live.resume(subscription, after))
                .isPresent()) {
            settleLater(live, subscription);
            return Future.succeededFuture(true);
        }
        if (!request.initial() && request.resumeAfter().isEmpty()) {
            live.join(subscription);
            return Future.succeededFuture(true);
        }
        Reading reading = live.read(this::execute);
        return Contexts.on(subscription.home(), reading.result())
                .map(result -> joinWith(result, live, subscription, reading.since()));
    }

    private boolean joinWith(List<StoredObject> result, LiveQuery live, Subscription subscription, long since) {
        boolean joined = live.join(subscription, result, since);
        if (joined) {
            settleLater(live, subscription);
        }
        return joined;
    }

    private void settleLater(LiveQuery live, Subscription subscription) {
        vertx.setTimer(
                SETTLING.toMillis(), timer -> subscription.home().runOnContext(ignored -> settle(live, subscription)));
    }

    private void settle(LiveQuery live, Subscription subscription) {
        subscription
                .settle()
                .ifPresent(
                        number -> vertx.setTimer(config.resumeWindow().toMillis(), timer -> live.forgetResult(number)));
    }

    private Future<List<StoredObject>> execute(MatchQuery query) {
        StoreQuery all = new StoreQuery(
                query.bucket(),
                query.filter(),
                StoreQuery.all(query.bucket(), query.filter()).sort(),
                0,
                config.maxResult() + 1);
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

    private void giveUpLater(String id) {
        vertx.setTimer(
                config.resumeWindow().plus(TIMER_SLACK).toMillis(),
                timer -> queries.computeIfPresent(id, (same, live) -> unlessIdle(live)));
    }

    private @Nullable LiveQuery unlessIdle(LiveQuery live) {
        if (!live.isIdleSince(clock.instant().minus(config.resumeWindow()))) {
            return live;
        }
        live.holdBy(query -> Future.failedFuture("given up")).onSuccess(Hold::release);
        return null;
    }
}
