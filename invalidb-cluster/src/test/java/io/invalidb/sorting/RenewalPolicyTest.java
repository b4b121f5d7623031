package io.invalidb.sorting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class RenewalPolicyTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final RenewalPolicy pace = new RenewalPolicy(Duration.ofSeconds(1), 10, 35);

    @Test
    void delay_beforeTheFirst_isNone() {
        assertThat(pace.delay(START)).isZero();
    }

    @Test
    void delay_afterOne_isTheRestOfTheInterval() {
        assertThat(pace.startExecution(START)).isEqualTo(10);

        assertThat(pace.delay(START.plusMillis(300))).isEqualTo(Duration.ofMillis(700));
        assertThat(pace.delay(START.plusSeconds(5))).isZero();
    }

    @Test
    void delay_clockWasPutBack_isTheInterval() {
        assertThat(pace.startExecution(START)).isEqualTo(10);

        assertThat(pace.delay(START.minusSeconds(3_600))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void startExecution_inQuickSuccession_doublesTheSlackUpToABound() {
        assertThat(pace.startExecution(START)).isEqualTo(10);

        assertThat(pace.startExecution(START.plusSeconds(1))).isEqualTo(20);
        assertThat(pace.startExecution(START.plusSeconds(2))).isEqualTo(35);
        assertThat(pace.startExecution(START.plusSeconds(30))).isEqualTo(35);
    }

    @Test
    void startExecution_afterALongRest_halvesTheSlackDownToTheLeast() {
        assertThat(pace.startExecution(START)).isEqualTo(10);
        assertThat(pace.startExecution(START.plusSeconds(1))).isEqualTo(20);

        assertThat(pace.startExecution(START.plusSeconds(200))).isEqualTo(10);
        assertThat(pace.startExecution(START.plusSeconds(400))).isEqualTo(10);
    }
}
