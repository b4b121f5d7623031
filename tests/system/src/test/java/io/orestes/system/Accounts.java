package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.util.concurrent.atomic.AtomicInteger;

/** Users for tests, each with a name of its own. */
final class Accounts {

    static final String PASSWORD = "s3cret ü";

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private Accounts() {}

    /** A name that nobody has. */
    static String freshName() {
        return "user" + NUMBERS.incrementAndGet() + "@example.com";
    }

    static Answer register(Client client, String name, boolean login) {
        return client.post(
                "/db/User/register",
                "{\"user\":{\"username\":\"%s\"},\"password\":\"%s\",\"login\":%s}".formatted(name, PASSWORD, login));
    }

    /** A new user. */
    static User create(Backend backend) {
        String name = freshName();
        Answer registered = register(backend.anonymous(), name, true);
        assertThat(registered.status()).as(registered.text()).isEqualTo(200);
        return new User(
                name,
                registered.object().getString("id").getValue(),
                backend.anonymous().withToken(token(registered)));
    }

    /** The session that an answer hands out. */
    static String token(Answer answer) {
        return answer.header("baqend-authorization-token")
                .orElseThrow(() -> new AssertionError("no token: " + answer.text()));
    }

    static boolean hasToken(Answer answer) {
        return answer.header("baqend-authorization-token").isPresent();
    }

    /**
     * Somebody with an account.
     *
     * @param client what the user sends requests by
     */
    record User(String name, String id, Client client) {

        String key() {
            return id.substring("/db/User/".length());
        }
    }
}
