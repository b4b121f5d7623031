package io.orestes.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LeaseTest {

    private final Lease lease = new Lease();

    @Test
    void isValid_onlyOnceItWasRenewed() {
        assertThat(lease.isValid()).isFalse();
        lease.renew(System.nanoTime(), Duration.ofHours(1));
        assertThat(lease.isValid()).isTrue();
        lease.end();
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void renew_withAnAnswerThatTookLongerThanTheLease_isOverAlready() {
        long longAgo = System.nanoTime() - Duration.ofSeconds(4).toNanos();

        lease.renew(longAgo, Duration.ofSeconds(3));

        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void renew_withAnOlderAnswer_doesNotShortenIt() {
        lease.renew(System.nanoTime(), Duration.ofHours(1));
        lease.renew(System.nanoTime() - Duration.ofMinutes(1).toNanos(), Duration.ofSeconds(1));

        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void config_sessionThatALeaseCouldOutlive_isRefused() {
        Duration second = Duration.ofSeconds(1);

        assertThatThrownBy(() -> new CoordinationConfig(second.multipliedBy(3), second, second.multipliedBy(4), second))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
