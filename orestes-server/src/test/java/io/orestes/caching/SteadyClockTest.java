package io.orestes.caching;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SteadyClockTest {

    private final ManualClock wall = new ManualClock();
    private final AtomicLong nanos = new AtomicLong(-7);
    private final SteadyClock clock = new SteadyClock(wall, nanos::get);
    private final long began = wall.millis();

    private void pass(Duration time) {
        wall.advance(time);
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void millis_asTimePasses_isTheTimeOfTheSystem() {
        pass(Duration.ofMinutes(3));

        assertThat(clock.millis()).isEqualTo(wall.millis());
        assertThat(clock.instant()).isEqualTo(wall.instant());
        assertThat(clock.isBehind()).isFalse();
    }

    @Test
    void millis_systemPutForward_goesOnEvenly() {
        wall.advance(Duration.ofHours(1));
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(20));

        assertThat(clock.millis()).isEqualTo(began + 20);
        assertThat(clock.isBehind()).isTrue();
    }

    @Test
    void millis_systemPutBack_goesOnEvenly() {
        wall.advance(Duration.ofHours(-1));
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(20));

        assertThat(clock.millis()).isEqualTo(began + 20);
        assertThat(clock.isBehind()).isFalse();
    }
}
