package io.orestes.group;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for what other processes do. */
public final class Waiting {

    private static final Duration LONGEST = Duration.ofSeconds(60);

    private Waiting() {}

    /** Asks until the answer is right, and returns that one. */
    public static <T> T forAnswer(String what, Supplier<T> question, Predicate<T> isRight) {
        long end = System.nanoTime() + LONGEST.toNanos();
        T answer = question.get();
        while (!isRight.test(answer)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("Not within " + LONGEST + ": " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            answer = question.get();
        }
        return answer;
    }

    public static void until(String what, BooleanSupplier condition) {
        Boolean unused = forAnswer(what, condition::getAsBoolean, isSo -> isSo);
    }
}
