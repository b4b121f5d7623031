package io.orestes.transaction;

import io.orestes.async.Backoff;
import io.orestes.coordination.Locks;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of in-doubt commits, which keep their locks until the commit log determines their
 * outcome. These commits failed while the store does not answer, so they may still be done. Other
 * commits must not go on before the outcome is certain, so the locks stay. If this server fails,
 * any server that meets the locks asks the {@link CommitLog} itself. While the store does not
 * answer, one of the commits asks it for all of them, after breaks that grow. A commit is given up
 * after the time for which the log remembers outcomes, since the log could not know more of it.
 * Guarded by its monitor.
 */
final class InDoubtCommits {

    private static final Logger log = LoggerFactory.getLogger(InDoubtCommits.class);

    private static final int AT_ONCE = 50;
    private static final Duration TRY_AGAIN_AFTER = Duration.ofSeconds(10);

    private final Vertx vertx;
    private final Function<String, Future<Void>> resolution;
    private final InstantSource clock;
    private final Duration longest;
    private final int most;
    private final Backoff breaks;
    private final Queue<Unsettled> waiting = new ArrayDeque<>();
    /** Of those who wait and those who ask. */
    private int number;

    private boolean isAsking;

    /**
     * None yet.
     *
     * @param resolution completes when a transaction was committed as a whole or will never be
     * @param longest time after which one is given up
     * @param most with so many no further commit may begin
     * @param breaks between questions that are not answered
     */
    InDoubtCommits(
            Vertx vertx,
            Function<String, Future<Void>> resolution,
            InstantSource clock,
            Duration longest,
            int most,
            Backoff breaks) {
        this.vertx = vertx;
        this.resolution = resolution;
        this.clock = clock;
        this.longest = longest;
        this.most = most;
        this.breaks = breaks;
    }

    /** @param since when it failed, in milliseconds since 1970 */
    private record Unsettled(String tid, Locks.Lock lock, long since) {}

    /** Fails with {@code UNAVAILABLE} if there are so many that no further one may come. */
    synchronized void requireFew() {
        if (number >= most) {
            throw new ApiException(
                            ErrorCode.UNAVAILABLE, "What became of too many transactions is not known yet; try again")
                    .after(TRY_AGAIN_AFTER);
        }
    }

    /**
     * Gives its locks back as soon as it is settled; completes when that is so, or fails when it
     * takes longer.
     */
    Future<Void> settle(String tid, Locks.Lock lock) {
        Unsettled failed = new Unsettled(tid, lock, clock.millis());
        return resolved(failed).onSuccess(known -> lock.release()).onFailure(unknown -> {
            if (isFirst(failed)) {
                askAfterBreak(unknown);
            }
        });
    }

    private Future<Void> resolved(Unsettled one) {
        return Future.succeededFuture(one.tid).compose(resolution);
    }

    /** Adds one, and says whether nobody asks for the others. */
    private synchronized boolean isFirst(Unsettled one) {
        boolean isFirst = !isAsking;
        waiting.add(one);
        number++;
        isAsking = true;
        return isFirst;
    }

    private void askAfterBreak(Throwable unknown) {
        log.warn(
                "What became of transactions is not known yet: {}",
                ApiException.of(unknown).message());
        long unused = vertx.setTimer(breaks.nextMillis(), over -> ask(1));
    }

    private void ask(int many) {
        List<Unsettled> some = next(many);
        if (!some.isEmpty()) {
            Future.join(some.stream().map(this::askedAgain).toList())
                    .onSuccess(known -> goOn())
                    .onFailure(this::askAfterBreak);
        }
    }

    /** The store answers, so the others ask as well. */
    private void goOn() {
        breaks.reset();
        ask(AT_ONCE);
    }

    /** Nobody asks any more if there are none. */
    private synchronized List<Unsettled> next(int many) {
        List<Unsettled> some = new ArrayList<>();
        while (some.size() < many && !waiting.isEmpty()) {
            some.add(waiting.remove());
        }
        isAsking = !some.isEmpty();
        return some;
    }

    private Future<Void> askedAgain(Unsettled one) {
        return resolved(one).onSuccess(known -> end(one)).onFailure(unknown -> {
            if (clock.millis() - one.since < longest.toMillis()) {
                moveBehindAllOthers(one);
            } else {
                log.warn("What became of the transaction {} was never known", one.tid);
                end(one);
            }
        });
    }

    /** So that it is in nobody's way. */
    private synchronized void moveBehindAllOthers(Unsettled one) {
        waiting.add(one);
    }

    private void end(Unsettled one) {
        synchronized (this) {
            number--;
        }
        one.lock.release();
    }
}
