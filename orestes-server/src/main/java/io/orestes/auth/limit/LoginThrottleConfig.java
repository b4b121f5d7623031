package io.orestes.auth.limit;

import java.time.Duration;

/**
 * The configuration of the login throttle: failures until back-off, its longest pause and its
 * windows. The last free failure starts the back-off with one second, and every further failure
 * doubles it.
 *
 * @param failures of one name from one network; {@code rate-limit.login-failures}
 * @param accountFailures of one name from all networks that it did not log in from lately; {@code
 *     rate-limit.login-failures-account}
 * @param addressFailures of one network whatever the names; {@code
 *     rate-limit.login-failures-address}
 * @param longestPause maximum time between two guesses; {@code rate-limit.login-pause}
 * @param window time without a failure after which the failures of one name from one network
 *     expire; {@code rate-limit.login-window}
 * @param sharedWindow time without a failure after which the failures of a name from all networks,
 *     and of a network, expire; {@code rate-limit.login-window-shared}
 */
public record LoginThrottleConfig(
        int failures,
        int accountFailures,
        int addressFailures,
        Duration longestPause,
        Duration window,
        Duration sharedWindow) {

    /**
     * Default limits. A client that waits until failures expire and starts again has fewer guesses
     * than one that continues at one in 32 seconds.
     */
    public static final LoginThrottleConfig DEFAULT =
            new LoginThrottleConfig(5, 50, 50, Duration.ofSeconds(32), Duration.ofMinutes(5), Duration.ofHours(1));

    public LoginThrottleConfig {
        if (failures < 1 || accountFailures < 1 || addressFailures < 1) {
            throw new IllegalArgumentException("At least one failure has to be free");
        }
        if (longestPause.toSeconds() < 1 || window.toSeconds() < 1 || sharedWindow.toSeconds() < 1) {
            throw new IllegalArgumentException("The back-off and the windows have to be at least a second");
        }
    }
}
