package io.orestes.histories.cluster;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other processes do. */
public final class Waiting {

    private static final Duration LONGEST = Duration.ofSeconds(90);

    private Waiting() {}

    public static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("Not within " + LONGEST + ": " + what);
            }
            pause(Duration.ofMillis(50));
        }
    }

    /** Part of what is played, not a way to wait for anything. */
    public static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
