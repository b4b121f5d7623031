package io.orestes.auth.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.auth.password.Credential;
import io.orestes.auth.password.PasswordHash;
import io.orestes.model.ObjectRef;
import io.orestes.store.ManualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenServiceTest {

    private static final ObjectRef USER = new ObjectRef("User", "17");
    private static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final ManualClock clock = new ManualClock();
    private final TokenService tokens = new TokenService(SECRET, Duration.ofDays(30), clock);

    @Test
    void issue_anyUser_hasTheFormThatClientsRead() {
        String token = tokens.issue(USER);

        assertThat(token).matches("[0-9a-f]{16}[0-9A-Za-z_-]*[0-9a-f]{40}");
        assertThat(Long.parseLong(token.substring(0, 8), 16))
                .isEqualTo(clock.instant().getEpochSecond());
        assertThat(Long.parseLong(token.substring(8, 16), 16))
                .isEqualTo(clock.instant().getEpochSecond() + 30 * 86_400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "17", "ü/?", "a%20b", "😀", "5f0c1d9e-7a42-4c1b-9b0e-3d2a6f8e1c77"})
    void verify_ownToken_isItsUser(String key) {
        ObjectRef user = new ObjectRef("User", key);

        assertThat(tokens.verify(tokens.issue(user)))
                .get()
                .extracting(Session::user)
                .isEqualTo(user);
    }

    @Test
    void verify_anyCharacterChanged_isEmpty() {
        String token = tokens.issue(USER);

        for (int i = 0; i < token.length(); i++) {
            for (char other : new char[] {'0', 'f', 'F', 'z', '-', 'ü', '\0'}) {
                String changed = token.substring(0, i) + other + token.substring(i + 1);
                assertThat(tokens.verify(changed).isPresent()).isEqualTo(changed.equals(token));
            }
        }
    }

    @Test
    void verify_partsMovedOrMissing_isEmpty() {
        String token = tokens.issue(USER);

        assertThat(tokens.verify(token.substring(1))).isEmpty();
        assertThat(tokens.verify(token.substring(0, token.length() - 1))).isEmpty();
        assertThat(tokens.verify(token + "0")).isEmpty();
        assertThat(tokens.verify(token.toUpperCase(Locale.ROOT))).isEmpty();
        assertThat(tokens.verify(token.substring(8, 16) + token.substring(0, 8) + token.substring(16)))
                .isEmpty();
    }

    @Test
    void verify_tokenOfAnotherSecret_isEmpty() {
        TokenService others = new TokenService(new byte[32], Duration.ofDays(30), clock);

        assertThat(tokens.verify(others.issue(USER))).isEmpty();
    }

    @Test
    void verify_garbage_isEmpty() {
        Random random = new Random(1);

        for (int i = 0; i < 2000; i++) {
            String garbage = random.ints(random.nextInt(120), 0, random.nextBoolean() ? 0x80 : 0x10000)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            assertThat(tokens.verify(garbage)).isEmpty();
        }
        assertThat(tokens.verify("0".repeat(1_000_000))).isEmpty();
    }

    @Test
    void verify_expiredToken_isEmpty() {
        String token = tokens.issue(USER);

        clock.advance(Duration.ofDays(30).toMillis() - 1);
        assertThat(tokens.verify(token)).isPresent();
        clock.advance(1);

        assertThat(tokens.verify(token)).isEmpty();
    }

    @Test
    void renew_sessionOfLessThanASecond_isEmpty() {
        Session session = tokens.verify(tokens.issue(USER)).orElseThrow();

        clock.advance(999);
        assertThat(tokens.renew(session)).isEmpty();
        clock.advance(1);

        assertThat(tokens.renew(session)).isPresent();
    }

    @Test
    void renew_afterTheLifetimeWasShortened_neverExpiresEarlier() {
        Session session = tokens.verify(tokens.issue(USER)).orElseThrow();
        clock.advance(5000);

        String renewed = new TokenService(SECRET, Duration.ofHours(1), clock)
                .renew(session)
                .orElseThrow();

        assertThat(tokens.verify(renewed)).get().extracting(Session::expires).isEqualTo(session.expires());
    }

    @Test
    void issue_lifetimeBeyondTheRange_expiresAtItsEnd() {
        TokenService eternal = new TokenService(SECRET, Duration.ofDays(365_000), clock);

        assertThat(eternal.issue(USER).substring(8, 16)).isEqualTo("ffffffff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"team", "1", "ü/?", "😀", "a%20b"})
    void restrictToRole_anyRole_isTheUserWithThatRole(String key) {
        ObjectRef role = new ObjectRef("Role", key);
        Session session = tokens.verify(tokens.issue(USER)).orElseThrow();

        Session narrowed = tokens.verify(tokens.restrictToRole(session, role)).orElseThrow();

        assertThat(narrowed.user()).isEqualTo(USER);
        assertThat(narrowed.role()).contains(role);
        clock.advance(1000);
        assertThat(tokens.renew(narrowed).flatMap(tokens::verify).flatMap(Session::role))
                .contains(role);
    }

    @Test
    void restrictToRole_longestKeys_fitIntoAToken() {
        ObjectRef user = new ObjectRef("User", "日".repeat(512));
        Session session = tokens.verify(tokens.issue(user)).orElseThrow();

        String token = tokens.restrictToRole(session, new ObjectRef("Role", "本".repeat(512)));

        assertThat(tokens.verify(token)).map(Session::user).contains(user);
    }

    @Test
    void issueUnlimited_anyUser_lastsAndIsNotRenewed() {
        String token = tokens.issueUnlimited(USER, Credential.NONE);

        clock.advance(Duration.ofDays(10_000).toMillis());

        assertThat(token.substring(8, 16)).isEqualTo("ffffffff");
        Session session = tokens.verify(token).orElseThrow();
        assertThat(tokens.renew(session)).isEmpty();
        assertThat(tokens.currentToken(session)).isEqualTo(token);
    }

    @Test
    void issueFor_aWhile_endsThenAndNothingMadeOfItLastsLonger() {
        Session session = tokens.verify(tokens.issueFor(Duration.ofMinutes(10), USER, Credential.NONE))
                .orElseThrow();
        String next = tokens.reissue(session, Credential.NONE);
        String same = tokens.currentToken(session);

        clock.advance(Duration.ofMinutes(9).toMillis());
        assertThat(tokens.verify(next)).isPresent();
        assertThat(tokens.renew(session)).isEmpty();
        clock.advance(Duration.ofMinutes(2).toMillis());

        assertThat(tokens.verify(same)).isEmpty();
        assertThat(tokens.verify(next)).isEmpty();
    }

    @Test
    void fingerprint_anyChangeOfTheCredential_isAnother() {
        Credential first = Credential.NONE.with(new PasswordHash("a"));
        Credential second = first.with(new PasswordHash("b"));

        assertThat(Stream.of(
                                Credential.NONE,
                                first,
                                second,
                                second.revoked(),
                                second.revoked().revoked(),
                                second.withoutPassword())
                        .map(tokens::fingerprint))
                .doesNotHaveDuplicates();
    }
}
