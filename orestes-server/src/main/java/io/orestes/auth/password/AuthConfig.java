package io.orestes.auth.password;

import java.time.Duration;

/**
 * The configuration of sessions and password hashing: session lifetime, Argon2 memory and passes.
 *
 * @param sessionLifetime lifetime of a session without activity; default 30 days
 * @param argonMemoryKib memory of one password hash, KiB; default 7168
 * @param argonPasses passes over that memory; default 5, which OWASP counts as equal to two passes
 *     over 19456 KiB
 */
public record AuthConfig(Duration sessionLifetime, int argonMemoryKib, int argonPasses) {

    public static final AuthConfig DEFAULT = new AuthConfig(Duration.ofDays(30), 7_168, 5);

    public AuthConfig {
        if (sessionLifetime.compareTo(Duration.ofSeconds(1)) < 0 || argonMemoryKib < 8 || argonPasses < 1) {
            throw new IllegalArgumentException(
                    "Sessions last a second at least, hashes take 8 KiB and one pass at least");
        }
    }
}
