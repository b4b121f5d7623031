package io.orestes.transaction;

import io.orestes.async.Backoff;
import io.orestes.coordination.GroupLocks;
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
import java.util.SplittableRandom;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of in-doubt commits, which retain their locks until the commit log determines their
 * outcome. These commits failed while the store does not answer, so they may still be committed.
 * Other commits must not proceed before the outcome is certain, so the locks stay. If this server
 * fails, any server that meets the locks queries the {@link CommitOutcomeLog} itself. While the
 * store does not answer, one commit at a time probes it for all of them, with growing back-off. A
 * commit is given up after the retention of the log, because the log has no outcome any more.
 * Guarded by its monitor.
 */
public final class InDoubtCommits {

    private static final Logger log = LoggerFactory.getLogger(InDoubtCommits.class);

    /** Maximum number of in-doubt commits, each of which takes some kilobytes for the locks. */
    private static final int MAX_COMMITS = 10_000;

    private static final int BATCH_SIZE = 50;
    private static final Duration MIN_RETRY_DELAY = Duration.ofSeconds(1);
    private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(10);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(10);

    private final Vertx vertx;
    private final Function<String, Future<Void>> resolution;
    private final InstantSource clock;
    private final InDoubtLimits limits;
    private final Backoff backoff;
    private final Queue<InDoubtCommit> waiting = new ArrayDeque<>();
    /** Number of commits that wait or are being resolved. */
    private int number;

    private boolean isRetrying;

    /**
     * Creates an empty queue.
     *
     * @param resolution completes when a transaction was committed as a whole or will never be
     * @param backoff delays between queries of the log that fail
     */
    InDoubtCommits(
            Vertx vertx,
            Function<String, Future<Void>> resolution,
            InstantSource clock,
            InDoubtLimits limits,
            Backoff backoff) {
        this.vertx = vertx;
        this.resolution = resolution;
        this.clock = clock;
        this.limits = limits;
        this.backoff = backoff;
    }

    /** Creates an empty queue of commits that have their outcomes in the log. */
    public static InDoubtCommits of(Vertx vertx, CommitOutcomeLog commitOutcomeLog, InstantSource clock) {
        return new InDoubtCommits(
                vertx,
                commitOutcomeLog::resolve,
                clock,
                new InDoubtLimits(commitOutcomeLog.retention(), MAX_COMMITS),
                new Backoff(MIN_RETRY_DELAY, MAX_RETRY_DELAY, new SplittableRandom()));
    }

    /**
     * The limits of the queue.
     *
     * @param maxTimeInDoubt time after which a commit is given up
     * @param maxCommits number of commits from which on no further one may begin
     */
    record InDoubtLimits(Duration maxTimeInDoubt, int maxCommits) {}

    /** @param since when it failed, in milliseconds since 1970 */
    private record InDoubtCommit(String tid, GroupLocks.Lock lock, long since) {}

    /** Fails with {@code UNAVAILABLE} if too many commits are in doubt for another one to begin. */
    synchronized void requireCapacity() {
        if (number >= limits.maxCommits()) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "Too many transactions are in doubt; try again")
                    .withRetryAfter(RETRY_DELAY);
        }
    }

    /**
     * Releases the locks as soon as the outcome is known. Completes if the first query of the log
     * succeeds, and fails otherwise.
     */
    Future<Void> resolve(String tid, GroupLocks.Lock lock) {
        InDoubtCommit commit = new InDoubtCommit(tid, lock, clock.millis());
        return requestOutcome(commit).onSuccess(known -> lock.release()).onFailure(unknown -> {
            if (enqueue(commit)) {
                retryAfterDelay(unknown);
            }
        });
    }

    private Future<Void> requestOutcome(InDoubtCommit one) {
        return Future.succeededFuture(one.tid).compose(resolution);
    }

    /** Adds a commit, and returns true if no retry is scheduled yet. */
    private synchronized boolean enqueue(InDoubtCommit one) {
        boolean isFirst = !isRetrying;
        waiting.add(one);
        number++;
        isRetrying = true;
        return isFirst;
    }

    private void retryAfterDelay(Throwable unknown) {
        log.warn(
                "The outcome of transactions is not known yet: {}",
                ApiException.of(unknown).message());
        long unused = vertx.setTimer(backoff.nextDelayMillis(), over -> retry(1));
    }

    private void retry(int many) {
        List<InDoubtCommit> some = next(many);
        if (!some.isEmpty()) {
            Future.join(some.stream().map(this::retryOne).toList())
                    .onSuccess(known -> retryAll())
                    .onFailure(this::retryAfterDelay);
        }
    }

    /** Retries the other commits, because the store answers again. */
    private void retryAll() {
        backoff.reset();
        retry(BATCH_SIZE);
    }

    /** Takes the next commits from the queue; if there are none, retrying ends. */
    private synchronized List<InDoubtCommit> next(int many) {
        List<InDoubtCommit> some = new ArrayList<>();
        while (some.size() < many && !waiting.isEmpty()) {
            some.add(waiting.remove());
        }
        isRetrying = !some.isEmpty();
        return some;
    }

    private Future<Void> retryOne(InDoubtCommit one) {
        return requestOutcome(one).onSuccess(known -> remove(one)).onFailure(unknown -> {
            if (clock.millis() - one.since < limits.maxTimeInDoubt().toMillis()) {
                requeue(one);
            } else {
                log.warn("The outcome of the transaction {} remains unknown", one.tid);
                remove(one);
            }
        });
    }

    /** Moves a commit to the end of the queue, so that it does not delay others. */
    private synchronized void requeue(InDoubtCommit one) {
        waiting.add(one);
    }

    private void remove(InDoubtCommit one) {
        synchronized (this) {
            number--;
        }
        one.lock.release();
    }
}
