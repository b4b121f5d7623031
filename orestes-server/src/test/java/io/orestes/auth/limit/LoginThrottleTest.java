package io.orestes.auth.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.auth.limit.LoginThrottle.Guess;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.store.ManualClock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoginThrottleTest {

    private static final ClientNetwork HOME = ClientNetwork.of("192.0.2.7");
    private static final ClientNetwork HERE = ClientNetwork.of("127.0.0.1");
    private static final ClientNetwork ELSEWHERE = ClientNetwork.of("198.51.100.9");

    private final ManualClock clock = new ManualClock();
    private final LoginThrottle throttle = new LoginThrottle(clock, RateLimitConfig.DEFAULT);

    @Test
    void admit_fiveFailuresOfOneName_closeItThereAndNowhereElse() {
        fail(4, "root", HOME);
        assertThat(isOpen("root", HOME)).isTrue();
        fail(1, "root", HOME);

        assertThat(isOpen("root", HOME)).isFalse();
        assertThat(isOpen("root", ELSEWHERE)).isTrue();
        assertThat(isOpen("ann", HOME)).isTrue();
    }

    @Test
    void admit_fiftyFailuresOfManyNames_closeTheNetworkForAll() {
        for (int i = 0; i < 49; i++) {
            fail(1, "name " + i, HOME);
        }
        assertThat(isOpen("ann", HOME)).isTrue();
        fail(1, "name 49", HOME);

        assertThat(isOpen("ann", HOME)).isFalse();
        assertThat(isOpen("ann", ELSEWHERE)).isTrue();
    }

    @Test
    void admit_manyFailuresOfManyNamesFromThisMachine_closeNothingUnlessItIsLimited() {
        LoginThrottle limited = new LoginThrottle(clock, limits(true, true));
        for (int i = 0; i < 200; i++) {
            fail(throttle, "name " + i, HERE);
            fail(limited, "name " + i, HERE);
        }

        assertThat(isOpen("ann", HERE)).isTrue();
        assertThat(isOpen(limited, "ann", HERE)).isFalse();
    }

    @Test
    void admit_fiveFailuresOfOneNameFromThisMachine_closeIt() {
        fail(5, "root", HERE);

        assertThat(isOpen("root", HERE)).isFalse();
    }

    @Test
    void admit_fiveMinutesWithoutAFailure_countAnew() {
        fail(4, "root", HOME);
        clock.advance(Duration.ofMinutes(5).toMillis());

        fail(4, "root", HOME);

        assertThat(isOpen("root", HOME)).isTrue();
    }

    @Test
    void succeeded_ownName_doesNotGiveTheNetworkNewGuesses() {
        for (int i = 0; i < 50; i++) {
            fail(1, "name " + i, HOME);
            succeed("mine", HOME);
        }

        assertThat(isOpen("mine", HOME)).isFalse();
    }

    @Test
    void admit_furtherFailures_doubleTheTimeUpTo32Seconds() {
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

    /**
     * Each network has free failures of its own. Without a bound per name, many networks could
     * guess at one name.
     */
    @Test
    void admit_fiftyFailuresOfOneNameFromManyNetworks_closeItForNetworksThatAreNotKnown() {
        succeed("ann", HOME);
        for (int i = 0; i < 49; i++) {
            fail(1, "ann", network(i));
        }
        assertThat(isOpen("ann", ELSEWHERE)).isTrue();
        fail(1, "ann", network(49));

        assertThat(isOpen("ann", ELSEWHERE)).isFalse();
        assertThat(isOpen("ann", network(0))).isFalse();
        assertThat(isOpen("ann", HOME)).isTrue();
        assertThat(isOpen("bob", ELSEWHERE)).isTrue();
    }

    @Test
    void admit_aNameClosedByManyNetworks_opensForOneGuessAfterABackOffOf32SecondsAtMost() {
        for (int i = 0; i < 80; i++) {
            fail(1, "ann", network(i));
            clock.advance(32_000);
        }

        Guess only = begin(1, "ann", network(100)).get(0);
        Future<Guess> owner = begin("ann", HOME);
        boolean waited = !owner.isComplete();
        only.complete(Future.succeededFuture(false));

        assertThat(waited).isTrue();
        assertThat(owner.failed()).isTrue();
        clock.advance(32_000);
        assertThat(isOpen("ann", HOME)).isTrue();
    }

    @Test
    void succeeded_whileOthersGuess_makesThatNetworkKnownAndClearsNoFailureOfTheirs() {
        for (int i = 0; i < 49; i++) {
            fail(1, "ann", network(i));
        }
        succeed("ann", HOME);
        fail(1, "ann", network(49));

        assertThat(isOpen("ann", HOME)).isTrue();
        assertThat(isOpen("ann", ELSEWHERE)).isFalse();
    }

    @Test
    void admit_knownNetwork_isLimitedLikeAnyByItsOwnFailuresAndKnownFor30Days() {
        succeed("ann", HOME);
        fail(5, "ann", HOME);
        assertThat(isOpen("ann", HOME)).isFalse();

        clock.advance(Duration.ofDays(30).toMillis());
        for (int i = 0; i < 50; i++) {
            fail(1, "ann", network(i));
        }
        assertThat(isOpen("ann", HOME)).isFalse();
    }

    @Test
    void admit_otherLimits_apply() {
        LoginThrottleConfig strict =
                new LoginThrottleConfig(2, 3, 4, Duration.ofSeconds(3), Duration.ofSeconds(10), Duration.ofSeconds(20));
        LoginThrottle limited = new LoginThrottle(clock, limits(strict));

        fail(limited, "ann", HOME);
        assertThat(isOpen(limited, "ann", HOME)).isTrue();
        fail(limited, "ann", HOME);
        assertThat(isOpen(limited, "ann", HOME)).isFalse();
        assertThat(isOpen(limited, "ann", ELSEWHERE)).isTrue();
        fail(limited, "ann", ELSEWHERE);
        assertThat(isOpen(limited, "ann", ELSEWHERE)).isFalse();
        fail(limited, "bob", HOME);
        fail(limited, "eve", HOME);
        assertThat(isOpen(limited, "dan", HOME)).isFalse();
        clock.advance(2_000);
        fail(limited, "ann", HOME);
        clock.advance(2_000);
        fail(limited, "ann", HOME);
        assertThat(refusal(limited, "ann", HOME).flatMap(ApiException::retryAfter))
                .contains(Duration.ofSeconds(3));
        clock.advance(10_000);
        fail(limited, "ann", network(1));
        assertThat(isOpen(limited, "ann", network(2))).isFalse();
        clock.advance(20_000);
        fail(limited, "ann", network(1));
        assertThat(isOpen(limited, "ann", network(2))).isTrue();
    }

    private static ClientNetwork network(int number) {
        return ClientNetwork.of("203.0.113." + number);
    }

    @Test
    void admit_moreAtOnceThanMayFail_waitForTheOthers() {
        List<Guess> first = begin(5, "root", HOME);

        Future<Guess> sixth = begin("root", HOME);
        boolean waited = !sixth.isComplete();
        first.get(0).complete(Future.succeededFuture(true));

        assertThat(waited).isTrue();
        assertThat(sixth.succeeded()).isTrue();
    }

    @Test
    void admit_othersUnderWayFail_isRefusedWithThem() {
        List<Guess> first = begin(5, "root", HOME);
        Future<Guess> sixth = begin("root", HOME);

        first.forEach(guess -> guess.complete(Future.succeededFuture(false)));

        assertThat(sixth.failed()).isTrue();
        assertThat(isOpen("root", HOME)).isFalse();
    }

    @Test
    void admit_afterABackOff_letsOneGuessPassAtATime() {
        fail(5, "root", HOME);
        clock.advance(1_000);

        Guess only = begin(1, "root", HOME).get(0);
        List<Future<Guess>> others =
                Stream.generate(() -> begin("root", HOME)).limit(20).toList();
        only.complete(Future.succeededFuture(false));

        assertThat(others).allMatch(Future::failed);
    }

    @Test
    void admit_afterABackOffWithTheRightPasswordInManyTabs_letsAllPass() {
        fail(7, "ann", HOME);
        clock.advance(32_000);

        Guess first = begin(1, "ann", HOME).get(0);
        List<Future<Guess>> others =
                Stream.generate(() -> begin("ann", HOME)).limit(5).toList();
        first.complete(Future.succeededFuture(true));

        assertThat(others).allMatch(Future::succeeded);
    }

    @Test
    void admit_manyUnderWayElsewhereOrUnderAnotherName_delaysNoOther() {
        var unused = begin(5, "root", ELSEWHERE);

        assertThat(begin("root", ELSEWHERE).isComplete()).isFalse();
        assertThat(begin("root", HOME).succeeded()).isTrue();
        assertThat(begin("ann", ELSEWHERE).succeeded()).isTrue();
    }

    @Test
    void admit_fiftyNamesOfOneNetworkUnderWay_waits() {
        for (int i = 0; i < 50; i++) {
            assertThat(begin("name " + i, HOME).succeeded()).isTrue();
            assertThat(begin("name " + i, HERE).succeeded()).isTrue();
        }

        assertThat(begin("ann", HOME).isComplete()).isFalse();
        assertThat(begin("ann", HERE).succeeded()).isTrue();
        assertThat(begin("ann", ELSEWHERE).succeeded()).isTrue();
    }

    @Test
    void ended_withoutAResult_countsAsNoFailure() {
        for (int i = 0; i < 20; i++) {
            begin(1, "root", HOME).get(0).complete(Future.failedFuture("too much to do"));
        }

        assertThat(isOpen("root", HOME)).isTrue();
    }

    @Test
    void admit_tooManyWaiting_isRefusedWithoutEffectOnOthers() {
        var unused = begin(5, "root", HOME);
        List<Future<Guess>> waiting =
                Stream.generate(() -> begin("root", HOME)).limit(128).toList();

        assertThat(begin("root", HOME).failed()).isTrue();
        assertThat(waiting).noneMatch(Future::isComplete);
        assertThat(isOpen("root", ELSEWHERE)).isTrue();
    }

    private Future<Guess> begin(String name, ClientNetwork network) {
        return throttle.admit(name, network, Runnable::run);
    }

    private List<Guess> begin(int times, String name, ClientNetwork network) {
        return Stream.generate(() -> begin(name, network).result()).limit(times).toList();
    }

    private void fail(int times, String name, ClientNetwork network) {
        for (int i = 0; i < times; i++) {
            fail(throttle, name, network);
        }
    }

    /** Lets one guess fail, unless it is refused. */
    private static void fail(LoginThrottle throttle, String name, ClientNetwork network) {
        throttle.admit(name, network, Runnable::run).onSuccess(guess -> guess.complete(Future.succeededFuture(false)));
    }

    private void succeed(String name, ClientNetwork network) {
        begin(name, network).onSuccess(guess -> guess.complete(Future.succeededFuture(true)));
    }

    private static RateLimitConfig limits(boolean on, boolean loopback) {
        RateLimitConfig usual = RateLimitConfig.DEFAULT;
        return new RateLimitConfig(
                on, usual.requests(), usual.registrations(), usual.window(), usual.ban(), loopback, usual.logins());
    }

    private static RateLimitConfig limits(LoginThrottleConfig logins) {
        RateLimitConfig usual = RateLimitConfig.DEFAULT;
        return new RateLimitConfig(
                true, usual.requests(), usual.registrations(), usual.window(), usual.ban(), false, logins);
    }

    private boolean isOpen(String name, ClientNetwork network) {
        return isOpen(throttle, name, network);
    }

    private static boolean isOpen(LoginThrottle throttle, String name, ClientNetwork network) {
        return refusal(throttle, name, network).isEmpty();
    }

    private static Optional<ApiException> refusal(LoginThrottle throttle, String name, ClientNetwork network) {
        Future<Guess> begun = throttle.admit(name, network, Runnable::run)
                .onSuccess(guess -> guess.complete(Future.failedFuture("only a question")));
        Optional<ApiException> refusal = Optional.ofNullable(begun.cause()).map(ApiException::of);
        refusal.ifPresent(known -> assertThat(known.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS));
        return refusal;
    }

    @Test
    void admit_turnedOff_isOpenWhateverFailed() {
        LoginThrottle off = new LoginThrottle(clock, limits(false, true));

        for (int i = 0; i < 200; i++) {
            fail(off, "root", HOME);
        }

        assertThat(isOpen(off, "root", HOME)).isTrue();
    }

    @Test
    void admit_closed_saysForHowLong() {
        fail(5, "root", HOME);
        clock.advance(1_000);
        fail(1, "root", HOME);

        assertThat(refusal(throttle, "root", HOME).flatMap(ApiException::retryAfter))
                .contains(Duration.ofSeconds(2));
    }
}
