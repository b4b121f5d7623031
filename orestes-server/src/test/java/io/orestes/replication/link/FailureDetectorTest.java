package io.orestes.replication.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FailureDetectorTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final FailureDetector failureDetector = new FailureDetector(Duration.ofSeconds(2), 0);

    @Test
    void onMessage_oneSoundConnection_isNeverTooLong() {
        failureDetector.onConnected(0);
        failureDetector.onStateAcknowledged(SECOND / 10);

        for (long now = SECOND; now < 100 * SECOND; now += SECOND) {
            failureDetector.onMessage(now);
            assertThat(failureDetector.isSuspected(now)).isFalse();
        }
        assertThat(failureDetector.isSuspected(102 * SECOND)).isTrue();
    }

    @Test
    void onConnected_noDataEver_isTooLongAfterTheTimeLimitOverAllConnections() {
        for (long now = 0; now <= 2 * SECOND; now += SECOND / 2) {
            failureDetector.onConnected(now);
            failureDetector.onMessage(now);
            assertThat(failureDetector.isSuspected(now)).isFalse();
        }

        assertThat(failureDetector.isSuspected(2 * SECOND + 1)).isTrue();
    }

    @Test
    void onConnected_breaksRepeatedlyAfterSomeData_isTooLongAfterSomeTime() {
        long now = 0;
        while (!failureDetector.isSuspected(now) && now < 100 * SECOND) {
            failureDetector.onConnected(now);
            failureDetector.onStateAcknowledged(now);
            now += SECOND;
            failureDetector.onMessage(now);
        }

        assertThat(now).isEqualTo(7 * SECOND);
    }

    @Test
    void onConnected_brokeOnceAndStands_isNotTooLong() {
        failureDetector.onConnected(0);
        failureDetector.onStateAcknowledged(0);
        failureDetector.onMessage(SECOND);
        failureDetector.onConnected(2 * SECOND);
        failureDetector.onStateAcknowledged(2 * SECOND);

        for (long now = 3 * SECOND; now < 50 * SECOND; now += SECOND) {
            failureDetector.onMessage(now);
            assertThat(failureDetector.isSuspected(now)).isFalse();
        }
    }
}
