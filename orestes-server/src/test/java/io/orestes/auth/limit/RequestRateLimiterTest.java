package io.orestes.auth.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.store.ManualClock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestRateLimiterTest {

    private static final String HOME = "192.0.2.7";
    private static final Principal ANN = new Principal(Set.of("/db/Role/3", "/db/User/ann"), false);
    private static final Duration WINDOW = Duration.ofMinutes(5);
    private static final Duration BAN = Duration.ofMinutes(30);

    private final ManualClock clock = new ManualClock();
    private final RequestRateLimiter limits = limits(true, false);

    @Test
    void admits_oneMoreThanFree_bansTheNetworkForAWhile() {
        assertThat(admitted(limits, HOME, 10)).isEqualTo(10);
        assertThat(limits.bannedFor(HOME)).isZero();

        assertThat(limits.admits(HOME)).isFalse();

        assertThat(limits.bannedFor(HOME)).isEqualTo(BAN);
        assertThat(limits.admits("192.0.2.8")).isTrue();
        clock.advance(BAN.toMillis() - 1);
        assertThat(limits.admits(HOME)).isFalse();
        clock.advance(1);
        assertThat(admitted(limits, HOME, 20)).isEqualTo(10);
    }

    @Test
    void admits_freeAgainWithTheNextWindow() {
        assertThat(admitted(limits, HOME, 10)).isEqualTo(10);

        clock.advance(WINDOW.toMillis());

        assertThat(admitted(limits, HOME, 10)).isEqualTo(10);
    }

    @Test
    void admits_firstRequestAfterIdleTime_beginsAWindow() {
        assertThat(limits.admits(HOME)).isTrue();
        clock.advance(WINDOW.toMillis() * 3 / 2);
        assertThat(admitted(limits, HOME, 10)).isEqualTo(10);

        clock.advance(WINDOW.toMillis() - 1);

        assertThat(limits.admits(HOME)).isFalse();
    }

    @Test
    void admits_addressesOfOneIpv6Network_areCountedTogether() {
        for (int i = 0; i < 10; i++) {
            assertThat(limits.admits("2001:db8:1:2::" + i)).isTrue();
        }

        assertThat(limits.admits("2001:db8:1:2:ffff::1")).isFalse();
        assertThat(limits.admits("2001:db8:1:3::1")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.9.9.9", "::1", "0:0:0:0:0:0:0:1%lo", "::ffff:127.0.0.1", ""})
    void admits_loopback_isFreeUnlessConfigured(String address) {
        assertThat(admitted(limits, address, 30)).isEqualTo(30);
        assertThatCode(() -> register(limits, address, 30)).doesNotThrowAnyException();
    }

    @Test
    void admits_loopbackIfConfigured_isCounted() {
        assertThat(admitted(limits(true, true), "127.0.0.1", 30)).isEqualTo(10);
    }

    @Test
    void turnedOff_nothingIsCounted() {
        RequestRateLimiter off = limits(false, true);

        assertThat(admitted(off, HOME, 30)).isEqualTo(30);
        assertThatCode(() -> register(off, HOME, 30)).doesNotThrowAnyException();
    }

    @Test
    void refund_requestsOfAdmins_countForNothing() {
        for (int i = 0; i < 50; i++) {
            assertThat(limits.admits(HOME)).isTrue();
            limits.refund(HOME);
        }

        assertThat(admitted(limits, HOME, 20)).isEqualTo(10);
    }

    @Test
    void unban_bannedNetwork_isFreeAtOnce() {
        assertThat(admitted(limits, HOME, 20)).isEqualTo(10);
        limits.unban(HOME);
        assertThat(admitted(limits, HOME, 20)).isEqualTo(10);
        limits.unbanAll();

        assertThat(limits.bannedFor(HOME)).isZero();
    }

    @Test
    void requireRegistration_tooMany_isRefusedUntilTheWindowEndsAndNotBanned() {
        register(limits, HOME, 3);
        clock.advance(1000);

        ApiException refusal = catchThrowableOfType(ApiException.class, () -> limits.requireRegistration(HOME));

        assertThat(refusal.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        assertThat(refusal.retryAfter()).contains(WINDOW.minusSeconds(1));
        assertThat(limits.bannedFor(HOME)).isZero();
        clock.advance(WINDOW.toMillis() - 1000);
        assertThatCode(() -> limits.requireRegistration(HOME)).doesNotThrowAnyException();
    }

    @Test
    void countingKey_usersAndOthers_areUserOrNetwork() {
        assertThat(limits.countingKey(ANN, HOME)).hasValue("/db/User/ann");
        assertThat(limits.countingKey(ANN, "127.0.0.1")).hasValue("/db/User/ann");
        assertThat(limits.countingKey(Principal.ANONYMOUS, HOME)).hasValue(HOME);
        assertThat(limits.countingKey(Principal.ANONYMOUS, "2001:db8:1:2::1"))
                .isEqualTo(limits.countingKey(Principal.ANONYMOUS, "2001:db8:1:2:ffff::1"))
                .isNotEqualTo(limits.countingKey(Principal.ANONYMOUS, "2001:db8:1:3::1"));
        assertThat(limits(true, true).countingKey(Principal.ANONYMOUS, "127.0.0.1"))
                .hasValue("127.0.0.1");
    }

    @Test
    void countingKey_thoseWhoAreNotLimited_isNothing() {
        Principal admin = new Principal(Set.of("/db/User/root", Principal.ADMIN_ROLE), true);

        assertThat(limits.countingKey(admin, HOME)).isEmpty();
        assertThat(limits.countingKey(Principal.ANONYMOUS, "127.0.0.1")).isEmpty();
        assertThat(limits(false, true).countingKey(Principal.ANONYMOUS, HOME)).isEmpty();
        assertThat(limits(false, true).countingKey(ANN, HOME)).isEmpty();
    }

    @Test
    void admits_manyThreads_countExactly() throws Exception {
        AtomicInteger admitted = new AtomicInteger();
        Thread[] threads = IntStream.range(0, 8)
                .mapToObj(i -> new Thread(() -> admitted.addAndGet(admitted(limits, HOME, 100))))
                .toArray(Thread[]::new);
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(admitted).hasValue(10);
    }

    private RequestRateLimiter limits(boolean on, boolean loopback) {
        return new RequestRateLimiter(
                new RateLimitConfig(on, 10, 3, WINDOW, BAN, loopback, LoginThrottleConfig.DEFAULT), clock);
    }

    private static int admitted(RequestRateLimiter limits, String address, int requests) {
        return (int)
                IntStream.range(0, requests).filter(i -> limits.admits(address)).count();
    }

    private static void register(RequestRateLimiter limits, String address, int times) {
        for (int i = 0; i < times; i++) {
            limits.requireRegistration(address);
        }
    }
}
