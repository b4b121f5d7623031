package io.orestes.async;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The backoff between attempts at a conflicting write: the first retry is immediate, later ones are
 * delayed. The first retry usually succeeds, because it reads the conflicting write. Later delays
 * grow up to a quarter of a second, so that writers do not block each other for ever.
 * Single-threaded.
 */
public final class ConflictBackoff {

    private static final Duration MIN_DELAY = Duration.ofMillis(2);
    private static final Duration MAX_DELAY = Duration.ofMillis(250);

    private final Vertx vertx;
    private final long end;
    private final Backoff backoff;
    private boolean isRepetition;

    /** @param end end of the time for attempts, by {@link System#nanoTime()} */
    public ConflictBackoff(Vertx vertx, long end, RandomGenerator random) {
        this.vertx = vertx;
        this.end = end;
        this.backoff = new Backoff(MIN_DELAY, MAX_DELAY, random);
    }

    /** Returns whether the time for attempts has ended. */
    public boolean isExpired() {
        return millisLeft() <= 0;
    }

    /** Succeeds when the next attempt is due; the last one is at the end of the time. */
    public Future<Void> awaitNext() {
        boolean isFirst = !isRepetition;
        isRepetition = true;
        return isFirst
                ? Future.succeededFuture()
                : vertx.timer(Math.max(1, Math.min(backoff.nextDelayMillis(), millisLeft())));
    }

    private long millisLeft() {
        return TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
}
