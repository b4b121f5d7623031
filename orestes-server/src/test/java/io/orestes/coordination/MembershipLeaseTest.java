package io.orestes.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class MembershipLeaseTest {

    private final MembershipLease membershipLease = new MembershipLease();

    @Test
    void isValid_onlyOnceItWasRenewed() {
        assertThat(membershipLease.isValid()).isFalse();
        membershipLease.renew(System.nanoTime(), Duration.ofHours(1));
        assertThat(membershipLease.isValid()).isTrue();
        membershipLease.end();
        assertThat(membershipLease.isValid()).isFalse();
    }

    @Test
    void renew_withAResponseThatTookLongerThanTheLease_hasEndedAlready() {
        long longAgo = System.nanoTime() - Duration.ofSeconds(4).toNanos();

        membershipLease.renew(longAgo, Duration.ofSeconds(3));

        assertThat(membershipLease.isValid()).isFalse();
    }

    @Test
    void renew_withAnOlderAnswer_doesNotShortenIt() {
        membershipLease.renew(System.nanoTime(), Duration.ofHours(1));
        membershipLease.renew(System.nanoTime() - Duration.ofMinutes(1).toNanos(), Duration.ofSeconds(1));

        assertThat(membershipLease.isValid()).isTrue();
    }

    @Test
    void config_sessionThatALeaseCouldOutlive_isRefused() {
        Duration second = Duration.ofSeconds(1);

        assertThatThrownBy(
                        () -> new CoordinationTimeouts(second.multipliedBy(3), second, second.multipliedBy(4), second))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
