package io.orestes.app.config;

import io.orestes.auth.limit.LoginThrottleConfig;
import io.orestes.auth.limit.RateLimitConfig;
import io.orestes.config.Settings;
import java.time.Duration;

/** The reader of the configuration keys {@code rate-limit} and {@code rate-limit.*}. */
final class RateLimitConfigReader {

    private RateLimitConfigReader() {}

    static RateLimitConfig read(Settings in) {
        RateLimitConfig standard = RateLimitConfig.DEFAULT;
        Duration shortest = Duration.ofSeconds(1);
        return new RateLimitConfig(
                isOn(in, "rate-limit"),
                in.count("rate-limit.requests", standard.requests(), 1, 1_000_000_000),
                in.count("rate-limit.registrations", standard.registrations(), 1, 1_000_000_000),
                in.duration("rate-limit.window", standard.window(), shortest),
                in.duration("rate-limit.ban", standard.ban(), shortest),
                in.flag("rate-limit.loopback"),
                logins(in));
    }

    private static LoginThrottleConfig logins(Settings in) {
        LoginThrottleConfig standard = LoginThrottleConfig.DEFAULT;
        Duration shortest = Duration.ofSeconds(1);
        return new LoginThrottleConfig(
                in.count("rate-limit.login-failures", standard.failures(), 1, 1_000_000_000),
                in.count("rate-limit.login-failures-account", standard.accountFailures(), 1, 1_000_000_000),
                in.count("rate-limit.login-failures-address", standard.addressFailures(), 1, 1_000_000_000),
                in.duration("rate-limit.login-pause", standard.longestPause(), shortest),
                in.duration("rate-limit.login-window", standard.window(), shortest),
                in.duration("rate-limit.login-window-shared", standard.sharedWindow(), shortest));
    }

    private static boolean isOn(Settings in, String key) {
        String value = in.text(key, "on");
        if (!value.equals("on") && !value.equals("off")) {
            in.reject(key, "is neither on nor off: " + value);
        }
        return !value.equals("off");
    }
}
