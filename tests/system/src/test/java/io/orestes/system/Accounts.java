package io.orestes.system;

import static org.hamcrest.Matchers.notNullValue;

import io.orestes.support.http.Client;
import io.restassured.response.Response;
import java.util.concurrent.atomic.AtomicInteger;

/** Users of tests, each with a name of its own. */
final class Accounts {

    static final String PASSWORD = "s3cret ü";

    private static final String TOKEN = "baqend-authorization-token";

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private Accounts() {}

    /** Returns an unused name. */
    static String freshName() {
        return "user" + NUMBERS.incrementAndGet() + "@example.com";
    }

    static Response register(Client client, String name, boolean login) {
        return client.given()
                .body("{\"user\":{\"username\":\"%s\"},\"password\":\"%s\",\"login\":%s}"
                        .formatted(name, PASSWORD, login))
                .when()
                .post("/db/User/register");
    }

    /** Creates a user. */
    static User create(Backend backend) {
        String name = freshName();
        Response registered = register(backend.anonymous(), name, true);
        registered.then().statusCode(200);
        return new User(name, registered.path("id"), backend.anonymous().withToken(token(registered)));
    }

    /** Returns the session token in an answer. */
    static String token(Response answer) {
        return answer.then().header(TOKEN, notNullValue()).extract().header(TOKEN);
    }

    /**
     * A user with an account.
     *
     * @param client sends requests of the user
     */
    record User(String name, String id, Client client) {

        String key() {
            return id.substring("/db/User/".length());
        }
    }
}
