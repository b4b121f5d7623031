package io.orestes.notify;

import io.invalidb.model.MatchEvent;
import io.invalidb.query.Filter;
import io.invalidb.sorting.RenewalPace;
import io.invalidb.sorting.SortedWindow;
import io.invalidb.sorting.WindowEvent;
import io.invalidb.sorting.WindowSpec;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.read.Rendering;
import io.orestes.realtime.Contexts;
import io.orestes.realtime.MatchQuery;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A live query with an order. Its window is kept by the events of the filter stage, so who joins needs no execution. When the
 * window asks for renewal the query is executed again beside the running execution, and the difference between the two is
 * told. A renewal that fails ends the query.
 */
final class SortedQuery extends LiveQuery {

    private static final Logger log = LoggerFactory.getLogger(SortedQuery.class);

    /** How often it is executed again when that takes longer than the write stream is retained. */
    private static final int ATTEMPTS = 3;

    /** How many objects that are not held the filter stage may remember. */
    private static final int MOST_IGNORED = 64;

    private final Vertx vertx;
    private final Context home;
    private final WindowSpec spec;
    private final Executions executions;
    private final InstantSource clock;
    private final RenewalPace pace;
    private final Consumer<SortedQuery> onDeath;
    private @Nullable Generation current;
    private @Nullable Promise<Void> renewal;
    private boolean released;

    SortedQuery(
            MatchQuery query,
            Filter readable,
            WindowSpec spec,
            LiveConfig config,
            InstantSource clock,
            Rendering rendering,
            Runnable onEmpty,
            Consumer<SortedQuery> onDeath,
            Executions executions,
            Vertx vertx,
            Context home) {
        super(query, readable, config, clock, rendering, onEmpty);
        this.vertx = vertx;
        this.home = home;
        this.spec = spec;
        this.executions = executions;
        this.clock = clock;
        this.pace = new RenewalPace(config.renewalInterval(), config.slack(), config.maxWindow());
        this.onDeath = onDeath;
    }

    WindowSpec spec() {
        return spec;
    }

    @Override
    Future<Void> join(LiveRequest request, Subscription subscription) {
        if (request.resumeAfter().filter(after -> resume(subscription, after)).isPresent()) {
            return Future.succeededFuture();
        }
        return Contexts.on(subscription.home(), upToDate()).map(ready -> {
            joinNow(request, subscription);
            return null;
        });
    }

    private synchronized void joinNow(LiveRequest request, Subscription subscription) {
        if (released) {
            throw ended();
        }
        if (request.isResultWanted()) {
            add(subscription);
            subscription.sendResult(place(), content());
        } else {
            join(subscription);
        }
    }

    private List<StoredObject> content() {
        return current == null
                ? List.of()
                : current.window().content().stream().map(EventLog::stored).toList();
    }

    /** Completes when the window is there, and as long as it should be. */
    private synchronized Future<Void> upToDate() {
        if (released) {
            return Future.failedFuture(ended());
        }
        if (current == null || current.window().needsRenewal()) {
            renewSoon();
        }
        return renewal == null ? Future.succeededFuture() : renewal.future();
    }

    /** A change of one of its executions, found by InvaliDB; any thread. */
    synchronized void accept(SortedWindow window, MatchEvent match) {
        List<WindowEvent> changes = window.apply(match);
        if (current != null && current.window() == window) {
            changes.forEach(this::tell);
            tidy(current);
        }
    }

    private void tidy(Generation generation) {
        if (generation.window().ignored() >= MOST_IGNORED) {
            executions.forget(generation);
        }
        if (generation.window().needsRenewal()) {
            renewSoon();
        }
    }

    /** Has it executed as soon as the pace allows; under the lock. */
    private void renewSoon() {
        if (renewal == null && !released) {
            renewal = Promise.promise();
            Duration delay = pace.delay(clock.instant());
            home.runOnContext(ignored -> renewAfter(delay));
        }
    }

    private void renewAfter(Duration delay) {
        if (delay.isZero()) {
            renew(ATTEMPTS).onComplete(this::conclude);
        } else {
            vertx.setTimer(delay.toMillis() + 1, timer -> renew(ATTEMPTS).onComplete(this::conclude));
        }
    }

    private Future<Generation> renew(int attempts) {
        return execute()
                .recover(failure -> failure instanceof Executions.OutrunException && attempts > 1
                        ? renew(attempts - 1)
                        : Future.failedFuture(failure));
    }

    private synchronized Future<Generation> execute() {
        if (released) {
            return Future.failedFuture(ended());
        }
        int slack = pace.begin(clock.instant());
        return current == null ? executions.first(this, slack) : executions.another(this, slack, home);
    }

    private void conclude(AsyncResult<Generation> executed) {
        if (executed.succeeded()) {
            finish(replace(executed.result()));
        } else {
            giveUp(ApiException.of(executed.cause()));
        }
    }

    /** Goes on with another generation; tells what it changes, and returns the one to be ended. */
    private synchronized @Nullable Generation replace(Generation next) {
        if (released) {
            return next;
        }
        Generation old = current;
        current = next;
        if (old != null) {
            next.window().eventsSince(old.window()).forEach(this::tell);
        }
        return old;
    }

    private void finish(@Nullable Generation old) {
        if (old != null) {
            executions.end(old);
        }
        Promise<Void> done = takeRenewal();
        done.tryComplete();
    }

    private synchronized Promise<Void> takeRenewal() {
        Promise<Void> done = renewal == null ? Promise.promise() : renewal;
        renewal = null;
        if (current != null) {
            tidy(current);
        }
        return done;
    }

    private void giveUp(ApiException failure) {
        if (isRunning()) {
            log.warn("A live query on {} could not be executed again", query().bucket(), failure);
            fail(failure);
        }
        Promise<Void> done = takeRenewal();
        done.tryFail(failure);
    }

    private synchronized boolean isRunning() {
        return current != null;
    }

    /** Ends it for good: what it holds may be wrong by now. Whoever asks again gets a new one. */
    @Override
    void fail(ApiException failure) {
        onDeath.accept(this);
        super.fail(failure);
        release();
    }

    @Override
    void release() {
        Generation last = takeCurrent();
        if (last != null) {
            executions.end(last);
        }
    }

    private synchronized @Nullable Generation takeCurrent() {
        Generation last = current;
        current = null;
        released = true;
        return last;
    }

    private static ApiException ended() {
        return new ApiException(ErrorCode.UNAVAILABLE, "The live query has ended; subscribe again");
    }
}
