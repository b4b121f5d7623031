package io.orestes.auth.limit;

import java.time.Duration;

/**
 * The configuration of rate limits for requests, registrations and logins of one network (protocol
 * §17.5).
 *
 * @param on true if limits apply, those of failed log-ins included; {@code rate-limit}
 * @param requests maximum number of requests in a window; one more bans the network; {@code
 *     rate-limit.requests}
 * @param registrations maximum number of registrations in a window; {@code
 *     rate-limit.registrations}
 * @param window length of a window, from its first counted request; {@code rate-limit.window}
 * @param ban time for which a network is refused; {@code rate-limit.ban}
 * @param loopback true if requests from this machine count too; {@code rate-limit.loopback}
 * @param logins limits of failed log-ins; {@code rate-limit.login-*}
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
            throw new IllegalArgumentException("A limit has to be at least one request in at least a millisecond");
        }
    }
}
