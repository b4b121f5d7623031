package io.orestes.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
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

    /** Refused reservations never exclude others, since they are at no time counted. */
    @Test
    void tryReserve_fromManyThreads_grantsExactlyTheLimit() throws Exception {
        int threads = 8;
        int attempts = 10_000;
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            var granted = IntStream.range(0, threads)
                    .mapToObj(thread -> pool.submit(() -> {
                        start.await();
                        return IntStream.range(0, attempts)
                                .filter(attempt -> budget.tryReserve(1, attempts))
                                .count();
                    }))
                    .toList();
            start.countDown();
            long sum = 0;
            for (Future<Long> one : granted) {
                sum += one.get();
            }
            assertThat(sum).isEqualTo(attempts);
            assertThat(budget.usedBytes()).isEqualTo(attempts);
        } finally {
            pool.shutdownNow();
        }
    }
}
