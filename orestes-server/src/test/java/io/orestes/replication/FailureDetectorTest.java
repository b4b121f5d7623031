package io.orestes.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FailureDetectorTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final FailureDetector failureDetector = new FailureDetector(Duration.ofSeconds(2), 0);

    @Test
    void onMessage_oneSoundConnection_isNeverTooLong() {
        failureDetector.connected(0);
        failureDetector.tookIn(SECOND / 10);

        for (long now = SECOND; now < 100 * SECOND; now += SECOND) {
            failureDetector.heard(now);
            assertThat(failureDetector.isTooLong(now)).isFalse();
        }
        assertThat(failureDetector.isTooLong(102 * SECOND)).isTrue();
    }

    @Test
    void onConnected_noDataEver_isTooLongAfterTheTimeLimitOverAllConnections() {
        for (long now = 0; now <= 2 * SECOND; now += SECOND / 2) {
            failureDetector.connected(now);
            failureDetector.heard(now);
            assertThat(failureDetector.isTooLong(now)).isFalse();
        }

        assertThat(failureDetector.isTooLong(2 * SECOND + 1)).isTrue();
    }

    @Test
    void onConnected_breaksRepeatedlyAfterSomeData_isTooLongAfterSomeTime() {
        long now = 0;
        while (!failureDetector.isTooLong(now) && now < 100 * SECOND) {
            failureDetector.connected(now);
            failureDetector.tookIn(now);
            now += SECOND;
            failureDetector.heard(now);
        }

        assertThat(now).isEqualTo(7 * SECOND);
    }

    @Test
    void onConnected_brokeOnceAndStands_isNotTooLong() {
        failureDetector.connected(0);
        failureDetector.tookIn(0);
        failureDetector.heard(SECOND);
        failureDetector.connected(2 * SECOND);
        failureDetector.tookIn(2 * SECOND);

        for (long now = 3 * SECOND; now < 50 * SECOND; now += SECOND) {
            failureDetector.heard(now);
            assertThat(failureDetector.isTooLong(now)).isFalse();
        }
    }
}
