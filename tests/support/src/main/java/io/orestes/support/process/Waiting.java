package io.orestes.support.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits for a condition, by Awaitility with one set of settings everywhere. The calling thread
 * polls at once and then every 20 ms. An exception of the condition ends the wait, and so do 60 s.
 */
public final class Waiting {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private Waiting() {}

    /** Polls until the answer satisfies the condition, and returns it. */
    public static <T> T forAnswer(String what, Supplier<T> question, Predicate<T> isRight) {
        return wait(what, LIMIT).until(question::get, isRight);
    }

    /** Waits until a condition holds. */
    public static void until(String what, BooleanSupplier condition) {
        until(what, LIMIT, condition);
    }

    /** Waits with another limit, for work whose time depends on the machine. */
    public static void until(String what, Duration limit, BooleanSupplier condition) {
        wait(what, limit).until(condition::getAsBoolean);
    }

    /** Lets time pass that a test is about. Not for waiting for a condition. */
    public static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Ignores exceptions of other threads, which Awaitility would throw here. */
    private static ConditionFactory wait(String what, Duration limit) {
        return Awaitility.with()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(INTERVAL)
                .and()
                .dontCatchUncaughtExceptions()
                .await(what)
                .atMost(limit);
    }
}
