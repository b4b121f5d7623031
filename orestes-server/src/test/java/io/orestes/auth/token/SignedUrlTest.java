package io.orestes.auth.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.TestVectors;
import io.orestes.model.ObjectRef;
import io.orestes.model.UriComponent;
import io.orestes.store.ManualClock;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens that clients derive for one path (protocol §5.9). */
final class SignedUrlTest {

    private static final ObjectRef USER = new ObjectRef("User", "17");
    private static final String PATH = "/v1/db/Todo/a%20b";

    private final ManualClock clock = new ManualClock();
    private final TokenService tokens = new TokenService(new byte[32], Duration.ofDays(30), clock);

    static Stream<Arguments> vectors() {
        return TestVectors.list("resource-tokens.json");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("vectors")
    void derive_givenVectors_isWhatClientsDerive(String name, JsonObject given, String expected) {
        String path = UriComponent.canonicalPath(given.getString("path")).orElseThrow();
        String data = given.getString("data");

        assertThat(data + TokenService.derive(given.getString("signature"), path, data))
                .as(name)
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/db/Todo/a%20b", "/v1/db/Todo/%61%20b", "/v1/db/T%6fdo/a%20%62"})
    void verify_anySpellingOfThePath_isTheSessionItWasDerivedFrom(String path) {
        Optional<Session> session = tokens.verify(new SignedUrl(derived(tokens.issue(USER)), path));

        assertThat(session).map(Session::user).contains(USER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/db/Todo/a", "/v1/db/Todo/a%20b/", "/v1/db/Todo%2Fa%20b", "/v1/db/Todo/a%2", "", "/"})
    void verify_anotherPath_isEmpty(String path) {
        assertThat(tokens.verify(new SignedUrl(derived(tokens.issue(USER)), path)))
                .isEmpty();
    }

    @Test
    void verify_asAWholeToken_isEmpty() {
        String token = tokens.issue(USER);

        assertThat(tokens.verify(derived(token))).isEmpty();
        assertThat(tokens.verify(new SignedUrl(token, PATH))).isEmpty();
    }

    @Test
    void verify_afterTheExpiryOfItsToken_isEmpty() {
        SignedUrl url = new SignedUrl(derived(tokens.issue(USER)), PATH);
        assertThat(tokens.verify(url)).isPresent();

        clock.advance(Duration.ofDays(30).toMillis());

        assertThat(tokens.verify(url)).isEmpty();
    }

    @Test
    void verify_garbage_isEmpty() {
        Random random = new Random(3);

        for (int i = 0; i < 1000; i++) {
            String garbage = random.ints(random.nextInt(150), 0, random.nextBoolean() ? 0x80 : 0x10000)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            assertThat(tokens.verify(new SignedUrl(garbage, PATH))).isEmpty();
        }
    }

    private static String derived(String token) {
        int end = token.length() - 40;
        String data = token.substring(0, end);
        return data + TokenService.derive(token.substring(end), PATH, data);
    }
}
