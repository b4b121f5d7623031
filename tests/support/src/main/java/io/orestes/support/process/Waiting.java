package io.orestes.support.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits for a condition, by Awaitility with the same settings everywhere. The calling thread asks,
 * at once and then every 20 ms. What the condition throws ends the wait, and so do 60 s.
 */
public final class Waiting {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private Waiting() {}

    /** Asks until the answer is right, and returns that one. */
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

    /** Lets time pass that a test is about. It is no way to wait for anything. */
    public static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** The exceptions of other threads are their own matter, which Awaitility would throw here. */
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
