package io.orestes.auth;

import java.time.Duration;

/**
 * The configuration of rate limits for requests, registrations and logins of one network (protocol
 * §17.5).
 *
 * @param on whether anything is limited at all, failed log-ins included; {@code rate-limit}
 * @param requests most requests in a window, one more is banned; {@code rate-limit.requests}
 * @param registrations most registrations in a window; {@code rate-limit.registrations}
 * @param window from the first request that counts; {@code rate-limit.window}
 * @param ban how long a network is refused; {@code rate-limit.ban}
 * @param loopback whether requests from this machine count too; {@code rate-limit.loopback}
 * @param logins how many log-ins may fail; {@code rate-limit.login-*}
 */
public record RateLimitConfig(
        boolean on,
        int requests,
        int registrations,
        Duration window,
        Duration ban,
        boolean loopback,
        LoginThrottleConfig logins) {

    public static final RateLimitConfig DEFAULT = new RateLimitConfig(
            true, 1000, 5, Duration.ofMinutes(5), Duration.ofMinutes(30), false, LoginThrottleConfig.DEFAULT);

    public RateLimitConfig {
        if (requests < 1 || registrations < 1 || window.toMillis() < 1 || ban.toMillis() < 1) {
            throw new IllegalArgumentException("A limit is one request at least, in a millisecond at least");
        }
    }
}
