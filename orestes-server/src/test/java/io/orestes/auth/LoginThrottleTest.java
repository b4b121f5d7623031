package io.orestes.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.store.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoginThrottleTest {

    private static final ClientNetwork HOME = ClientNetwork.of("192.0.2.7");
    private static final ClientNetwork HERE = ClientNetwork.of("127.0.0.1");
    private static final ClientNetwork ELSEWHERE = ClientNetwork.of("198.51.100.9");

    private final ManualClock clock = new ManualClock();
    private final LoginThrottle throttle = new LoginThrottle(clock, RateLimits.DEFAULT);

    @Test
    void requireOpen_fiveFailuresOfOneName_closeItThereAndNowhereElse() {
        fail(4, "root", HOME);
        assertThat(isOpen("root", HOME)).isTrue();
        fail(1, "root", HOME);

        assertThat(isOpen("root", HOME)).isFalse();
        assertThat(isOpen("root", ELSEWHERE)).isTrue();
        assertThat(isOpen("ann", HOME)).isTrue();
    }

    @Test
    void requireOpen_fiftyFailuresOfManyNames_closeTheNetworkForAll() {
        for (int i = 0; i < 49; i++) {
            fail(1, "name " + i, HOME);
        }
        assertThat(isOpen("ann", HOME)).isTrue();
        fail(1, "name 49", HOME);

        assertThat(isOpen("ann", HOME)).isFalse();
        assertThat(isOpen("ann", ELSEWHERE)).isTrue();
    }

    @Test
    void requireOpen_manyFailuresOfManyNamesFromThisMachine_closeNothingUnlessItIsLimited() {
        LoginThrottle limited = new LoginThrottle(clock, limits(true, true));
        for (int i = 0; i < 200; i++) {
            throttle.failed("name " + i, HERE);
            limited.failed("name " + i, HERE);
        }

        assertThat(isOpen("ann", HERE)).isTrue();
        assertThat(isOpen(limited, "ann", HERE)).isFalse();
    }

    @Test
    void requireOpen_fiveFailuresOfOneNameFromThisMachine_closeIt() {
        fail(5, "root", HERE);

        assertThat(isOpen("root", HERE)).isFalse();
    }

    @Test
    void requireOpen_fiveMinutesWithoutAFailure_countAnew() {
        fail(4, "root", HOME);
        clock.advance(Duration.ofMinutes(5).toMillis());

        fail(4, "root", HOME);

        assertThat(isOpen("root", HOME)).isTrue();
    }

    @Test
    void succeeded_ownName_doesNotGiveTheNetworkNewGuesses() {
        for (int i = 0; i < 50; i++) {
            fail(1, "name " + i, HOME);
            throttle.succeeded("mine", HOME);
        }

        assertThat(isOpen("mine", HOME)).isFalse();
    }

    @Test
    void requireOpen_furtherFailures_doubleTheTimeUpTo32Seconds() {
        fail(4, "root", HOME);
        for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 32}) {
            fail(1, "root", HOME);
            clock.advance(seconds * 1_000L - 1);
            assertThat(isOpen("root", HOME)).as("after %s seconds", seconds).isFalse();
            clock.advance(1);
            assertThat(isOpen("root", HOME)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8:1:2:3:4:5:6, 2001:db8:1:2:ffff::1, true",
        "2001:db8:1:2:3:4:5:6, 2001:db8:1:3:3:4:5:6, false",
        "fe80::1%eth0, fe80::2%lo, true",
        "::ffff:192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.8, false",
        "somewhere, elsewhere, false"
    })
    void networkOf_twoAddresses_isTheSameForOneHost(String one, String other, boolean same) {
        assertThat(ClientNetwork.of(one).equals(ClientNetwork.of(other))).isEqualTo(same);
    }

    private void fail(int times, String name, ClientNetwork network) {
        for (int i = 0; i < times; i++) {
            throttle.failed(name, network);
        }
    }

    private static RateLimits limits(boolean on, boolean loopback) {
        RateLimits usual = RateLimits.DEFAULT;
        return new RateLimits(on, usual.requests(), usual.registrations(), usual.window(), usual.ban(), loopback);
    }

    private boolean isOpen(String name, ClientNetwork network) {
        return isOpen(throttle, name, network);
    }

    private static boolean isOpen(LoginThrottle throttle, String name, ClientNetwork network) {
        ApiException refusal = catchThrowableOfType(ApiException.class, () -> throttle.requireOpen(name, network));
        assertThat(refusal).satisfiesAnyOf(none -> assertThat(none).isNull(), some -> assertThat(some.code())
                .isEqualTo(ErrorCode.TOO_MANY_REQUESTS));
        return refusal == null;
    }

    @Test
    void requireOpen_turnedOff_isOpenWhateverFailed() {
        LoginThrottle off = new LoginThrottle(clock, limits(false, true));

        for (int i = 0; i < 200; i++) {
            off.failed("root", HOME);
        }

        assertThatCode(() -> off.requireOpen("root", HOME)).doesNotThrowAnyException();
    }

    @Test
    void requireOpen_closed_saysForHowLong() {
        fail(6, "root", HOME);

        assertThat(catchThrowableOfType(ApiException.class, () -> throttle.requireOpen("root", HOME))
                        .retryAfter())
                .contains(Duration.ofSeconds(2));
    }
}
