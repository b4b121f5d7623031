package io.orestes.async;

import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * A timer that runs a task repeatedly, with at least the period between two runs. A periodic timer
 * makes up for the ticks that it missed while the process was suspended, in immediate succession. A
 * component that counts ticks would take that for time without responses.
 */
public final class FixedDelay {

    private final Vertx vertx;
    private final Duration period;
    private final Runnable action;

    private FixedDelay(Vertx vertx, Duration period, Runnable action) {
        this.vertx = vertx;
        this.period = period;
        this.action = action;
    }

    /** Starts one period from now, on the caller's context, and ends when Vert.x is closed. */
    public static void start(Vertx vertx, Duration period, Runnable action) {
        new FixedDelay(vertx, period, action).arm();
    }

    /** Sets the next timer before the task, which may throw. */
    private void arm() {
        vertx.setTimer(period.toMillis(), timer -> {
            arm();
            action.run();
        });
    }
}
