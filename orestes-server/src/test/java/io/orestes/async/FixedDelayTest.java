package io.orestes.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FixedDelayTest {

    private static final Duration PERIOD = Duration.ofMillis(20);
    private static final int BEATS = 5;

    private final Vertx vertx = Vertx.vertx();
    private final List<Long> beats = new CopyOnWriteArrayList<>();
    private final CountDownLatch enough = new CountDownLatch(BEATS);

    @AfterEach
    void close() {
        vertx.close().await();
    }

    /** Simulates a stopped process: the timers' thread is blocked for ten periods. */
    @Test
    void start_timersWereDelayed_missedBeatsAreNotRepeated() throws InterruptedException {
        vertx.runOnContext(begun -> {
            FixedDelay.start(vertx, PERIOD, this::beat);
            holdUp(PERIOD.multipliedBy(10));
        });

        assertThat(enough.await(60, TimeUnit.SECONDS)).isTrue();
        for (int i = 1; i < BEATS; i++) {
            assertThat(beats.get(i) - beats.get(i - 1)).isGreaterThanOrEqualTo(PERIOD.toNanos());
        }
    }

    @Test
    void start_beatThrows_theNextComesAllTheSame() throws InterruptedException {
        vertx.runOnContext(begun -> FixedDelay.start(vertx, PERIOD, () -> {
            beat();
            assertThat(beats).as("the first beat fails").hasSizeGreaterThan(1);
        }));

        assertThat(enough.await(60, TimeUnit.SECONDS)).isTrue();
    }

    private void beat() {
        beats.add(System.nanoTime());
        enough.countDown();
    }

    private static void holdUp(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
