package io.orestes.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SilenceTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Silence silence = new Silence(Duration.ofSeconds(2), 0);

    @Test
    void heard_oneSoundConnection_isNeverTooLong() {
        silence.connected(0);
        silence.tookIn(SECOND / 10);

        for (long now = SECOND; now < 100 * SECOND; now += SECOND) {
            silence.heard(now);
            assertThat(silence.isTooLong(now)).isFalse();
        }
        assertThat(silence.isTooLong(102 * SECOND)).isTrue();
    }

    @Test
    void connected_neverTakesInAnything_isTooLongAfterThePatienceOverAllConnections() {
        for (long now = 0; now <= 2 * SECOND; now += SECOND / 2) {
            silence.connected(now);
            silence.heard(now);
            assertThat(silence.isTooLong(now)).isFalse();
        }

        assertThat(silence.isTooLong(2 * SECOND + 1)).isTrue();
    }

    @Test
    void connected_breaksAgainAndAgainHavingTakenIn_isTooLongAfterSomeOfThat() {
        long now = 0;
        while (!silence.isTooLong(now) && now < 100 * SECOND) {
            silence.connected(now);
            silence.tookIn(now);
            now += SECOND;
            silence.heard(now);
        }

        assertThat(now).isEqualTo(7 * SECOND);
    }

    @Test
    void connected_brokeOnceAndStands_isNotTooLong() {
        silence.connected(0);
        silence.tookIn(0);
        silence.heard(SECOND);
        silence.connected(2 * SECOND);
        silence.tookIn(2 * SECOND);

        for (long now = 3 * SECOND; now < 50 * SECOND; now += SECOND) {
            silence.heard(now);
            assertThat(silence.isTooLong(now)).isFalse();
        }
    }
}
