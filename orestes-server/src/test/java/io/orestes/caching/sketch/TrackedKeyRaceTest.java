package io.orestes.caching.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A report races the end of an entry, repeatedly on two threads in step. */
final class TrackedKeyRaceTest {

    private static final int ROUNDS = 100_000;

    private final List<TrackedKey> keys =
            Stream.generate(() -> new TrackedKey("/db/Todo/a", 1)).limit(ROUNDS).toList();
    private final AtomicIntegerArray reached = new AtomicIntegerArray(2);

    @Test
    @Timeout(120)
    void extendCachedUntil_whileRetired_exactlyOneOfThemSucceeds() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);

        Future<boolean[]> held = threads.submit(() -> inStep(0, key -> key.extendCachedUntil(9)));
        Future<boolean[]> retired = threads.submit(() -> inStep(1, key -> key.retire(5)));

        boolean[] expected = held.get().clone();
        for (int i = 0; i < ROUNDS; i++) {
            expected[i] = !expected[i];
        }
        assertThat(retired.get()).isEqualTo(expected);
        threads.shutdown();
    }

    @SuppressWarnings("ThreadPriorityCheck") // on a single core the other thread needs the processor
    private boolean[] inStep(int thread, Predicate<TrackedKey> action) {
        boolean[] outcomes = new boolean[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            reached.set(thread, i);
            for (int spins = 0; reached.get(1 - thread) < i; spins++) {
                if (spins > 1000) {
                    Thread.yield();
                }
            }
            outcomes[i] = action.test(keys.get(i));
        }
        return outcomes;
    }
}
