package io.orestes.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PasswordHashTest {

    private static final AuthConfig CHEAP = new AuthConfig(Duration.ofDays(1), 64, 1);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Argon2 ARGON = Argon2.fastest();

    @Test
    void matches_onlyThePasswordItself() {
        PasswordHash hash = PasswordHash.of("secret", CHEAP, RANDOM, ARGON);

        assertThat(hash.matches("secret", ARGON)).isTrue();
        assertThat(hash.matches("secre", ARGON)).isFalse();
        assertThat(hash.matches("Secret", ARGON)).isFalse();
        assertThat(hash.matches("", ARGON)).isFalse();
    }

    @Test
    void of_samePasswordTwice_differsBySalt() {
        assertThat(PasswordHash.of("secret", CHEAP, RANDOM, ARGON))
                .isNotEqualTo(PasswordHash.of("secret", CHEAP, RANDOM, ARGON));
    }

    @Test
    void of_defaults_reportTheirParameters() {
        assertThat(PasswordHash.of("secret", AuthConfig.DEFAULT, RANDOM, ARGON).text())
                .matches("\\$argon2id\\$v=19\\$m=7168,t=5,p=1\\$[A-Za-z0-9+/]{22}\\$[A-Za-z0-9+/]{43}");
    }

    /**
     * The hash was made by the reference implementation, with
     * {@code argon2 somesalt -id -t 2 -m 16 -p 1} of "password".
     */
    @Test
    void matches_hashOfTheReferenceImplementation() {
        PasswordHash hash = new PasswordHash(
                "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc");

        assertThat(hash.matches("password", ARGON)).isTrue();
        assertThat(hash.matches("passwort", ARGON)).isFalse();
    }

    @Test
    void matches_hashMadeByTheOtherLibrary() {
        Argon2 java = new JavaArgon2();

        assertThat(PasswordHash.of("secret", CHEAP, RANDOM, java).matches("secret", ARGON))
                .isTrue();
        assertThat(PasswordHash.of("secret", CHEAP, RANDOM, ARGON).matches("secret", java))
                .isTrue();
    }

    @Test
    void matches_damagedHash_isAServerFault() {
        assertThatThrownBy(() -> new PasswordHash("$argon2id$").matches("x", ARGON))
                .isInstanceOf(IllegalStateException.class);
    }
}
