package io.orestes.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ByteBudgetTest {

    private final ByteBudget budget = new ByteBudget();

    @Test
    void tryReserve_upToTheLimit_isGranted() {
        assertThat(budget.tryReserve(60, 100)).isTrue();
        assertThat(budget.tryReserve(40, 100)).isTrue();

        assertThat(budget.usedBytes()).isEqualTo(100);
    }

    @Test
    void tryReserve_beyondTheLimit_isRefusedAndReservesNothing() {
        assertThat(budget.tryReserve(60, 100)).isTrue();

        assertThat(budget.tryReserve(41, 100)).isFalse();
        assertThat(budget.usedBytes()).isEqualTo(60);
    }

    @Test
    void tryReserve_withAHigherLimit_usesWhatLowerOnesLeave() {
        assertThat(budget.tryReserve(90, 90)).isTrue();

        assertThat(budget.tryReserve(1, 90)).isFalse();
        assertThat(budget.tryReserve(10, 100)).isTrue();
    }

    @Test
    void tryReserve_noBytes_isGrantedAlsoBeyondTheLimit() {
        assertThat(budget.tryReserveAlone(200)).isTrue();

        assertThat(budget.tryReserve(0, 100)).isTrue();
    }

    @Test
    void tryReserveAlone_whileOthersReserve_isRefused() {
        assertThat(budget.tryReserve(1, 100)).isTrue();

        assertThat(budget.tryReserveAlone(200)).isFalse();
        budget.release(1);
        assertThat(budget.tryReserveAlone(200)).isTrue();
        assertThat(budget.usedBytes()).isEqualTo(200);
    }

    @Test
    void tryReserve_fromManyThreads_grantsExactlyTheLimit() throws Exception {
        int attempts = 10_000;

        long granted = sum(inThreads(8, () -> IntStream.range(0, attempts)
                .filter(attempt -> budget.tryReserve(1, attempts))
                .count()));

        assertThat(granted).isEqualTo(attempts);
        assertThat(budget.usedBytes()).isEqualTo(attempts);
    }

    @Test
    void tryReserve_fromManyThreadsWithEnoughRoom_grantsAll() throws Exception {
        int attempts = 100_000;

        long granted = sum(inThreads(4, () -> IntStream.range(0, attempts)
                .filter(attempt -> budget.tryReserve(1, Long.MAX_VALUE))
                .count()));

        assertThat(granted).isEqualTo(4L * attempts);
    }

    /** A refused reservation is at no time counted, so it never excludes others. */
    @Test
    void tryReserve_whileALargerOneIsRefused_isGranted() throws Exception {
        assertThat(budget.tryReserve(1, 100)).isTrue();
        AtomicBoolean isDone = new AtomicBoolean();
        AtomicInteger threads = new AtomicInteger();

        long refused = sum(inThreads(2, () -> {
            if (threads.getAndIncrement() == 0) {
                return LongStream.generate(() -> budget.tryReserve(100, 100) ? 1 : 0)
                        .takeWhile(granted -> !isDone.get())
                        .sum();
            }
            long count = IntStream.range(0, 300_000)
                    .filter(attempt -> !reserveAndRelease(1, 100))
                    .count();
            isDone.set(true);
            return count;
        }));

        assertThat(refused).isZero();
        assertThat(budget.usedBytes()).isEqualTo(1);
    }

    private boolean reserveAndRelease(long bytes, long maxUsedBytes) {
        boolean isGranted = budget.tryReserve(bytes, maxUsedBytes);
        if (isGranted) {
            budget.release(bytes);
        }
        return isGranted;
    }

    private static <T> List<T> inThreads(int count, Callable<T> work) throws Exception {
        CountDownLatch start = new CountDownLatch(count);
        ExecutorService pool = Executors.newFixedThreadPool(count);
        try {
            List<Callable<T>> together = Collections.nCopies(count, () -> {
                start.countDown();
                start.await();
                return work.call();
            });
            List<T> outcomes = new ArrayList<>();
            for (Future<T> one : pool.invokeAll(together)) {
                outcomes.add(one.get());
            }
            return outcomes;
        } finally {
            pool.shutdownNow();
        }
    }

    private static long sum(List<Long> counts) {
        return counts.stream().mapToLong(Long::longValue).sum();
    }
}
