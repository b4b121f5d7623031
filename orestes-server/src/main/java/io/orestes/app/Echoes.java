package io.orestes.app;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;

/**
 * Does at once, and some times more, what has to follow a write that nobody tells of: of a server that is gone the store may still get what it
 * sent last. Any thread.
 */
final class Echoes {

    /** For what the store has begun in time, and for what servers handed out that heard of the end later. */
    private static final Duration SOON = Duration.ofSeconds(2);

    /** The last one when no network delivers any more what was sent before it broke; a write is followed soon if it comes soon. */
    private static final List<Duration> LATER =
            List.of(SOON, Duration.ofSeconds(15), Duration.ofMinutes(1), Duration.ofMinutes(3));

    private final Vertx vertx;
    private final List<Duration> delays;
    private List<Long> timers = List.of();

    /** Where the store refuses what comes when its server is gone. */
    static Echoes ofTimelyWrites(Vertx vertx) {
        return new Echoes(vertx, List.of(SOON));
    }

    /** Where it does not. */
    static Echoes ofLateWrites(Vertx vertx) {
        return new Echoes(vertx, LATER);
    }

    Echoes(Vertx vertx, List<Duration> delays) {
        this.vertx = vertx;
        this.delays = delays;
    }

    /** @param consequence the same for all that are followed: those still to come of earlier ones give way to the later ones of this */
    synchronized void follow(Runnable consequence) {
        timers.forEach(vertx::cancelTimer);
        timers = delays.stream()
                .map(delay -> vertx.setTimer(delay.toMillis(), timer -> consequence.run()))
                .toList();
        consequence.run();
    }
}
