package io.orestes.store.mongo.driver;

import com.mongodb.reactivestreams.client.ClientSession;
import io.orestes.async.Backoff;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The queue of this process's transactions without a response, which are aborted as soon as MongoDB
 * responds. A transaction whose last command has no response is aborted unless it is committed.
 * MongoDB may lock its objects for a minute, and no other transaction can write these meanwhile.
 * Used on the store's context only.
 */
final class AbandonedTransactions {

    private static final Duration MIN_PAUSE = Duration.ofMillis(20);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

    /**
     * Maximum age of a transaction. MongoDB aborts it by itself earlier, unless it is configured to
     * wait longer.
     */
    private static final Duration MAX_AGE = Duration.ofMinutes(2);

    private static final int MAX_SESSIONS_OF_COMMAND = 1_000;

    private final Vertx vertx;
    private final TransactionAborter open;
    private final Set<Abandoned> all = new LinkedHashSet<>();
    private final Backoff pauses = new Backoff(MIN_PAUSE, MAX_PAUSE, new SplittableRandom());
    private Promise<Void> drained = Promise.promise();
    private boolean isAborting;

    AbandonedTransactions(Vertx vertx, TransactionAborter open) {
        this.vertx = vertx;
        this.open = open;
        drained.complete();
    }

    /**
     * A session, and the time to close it whatever MongoDB responds, by {@link System#nanoTime}.
     */
    private record Abandoned(ClientSession session, long deadlineNanos) {}

    /**
     * Aborts the transaction of a session and closes the session, which must not be used any more.
     */
    void add(ClientSession session) {
        all.add(new Abandoned(session, System.nanoTime() + MAX_AGE.toNanos()));
        if (!isAborting) {
            isAborting = true;
            drained = Promise.promise();
            abort();
        }
    }

    /** Completes when no transaction is left. */
    Future<Void> drain() {
        return drained.future();
    }

    private void abort() {
        List<Abandoned> some = all.stream().limit(MAX_SESSIONS_OF_COMMAND).toList();
        open.abort(some.stream().map(Abandoned::session).toList()).onComplete(aborted -> aborted(some, aborted));
    }

    /**
     * Closes sessions whose transactions were aborted. Earlier the driver could give a session to
     * the next transaction.
     */
    private void aborted(List<Abandoned> some, AsyncResult<?> outcome) {
        boolean isAnswered = outcome.succeeded() || !MongoErrors.isTransient(outcome.cause());
        long now = System.nanoTime();
        some.stream()
                .filter(abandoned -> isAnswered || now - abandoned.deadlineNanos() > 0)
                .forEach(this::close);
        if (isAnswered) {
            pauses.reset();
        }
        if (all.isEmpty()) {
            isAborting = false;
            drained.complete();
        } else {
            vertx.setTimer(pauses.nextDelayMillis(), timer -> abort());
        }
    }

    private void close(Abandoned abandoned) {
        all.remove(abandoned);
        abandoned.session().close();
    }
}
