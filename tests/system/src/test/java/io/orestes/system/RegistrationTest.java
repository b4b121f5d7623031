package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.restassured.response.Response;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Registration of users, and what they may change of themselves (protocol §5.2). */
@ExtendWith(SharedBackend.class)
final class RegistrationTest {

    private final Backend backend;
    private final Client anonymous;
    private final Client root;

    RegistrationTest(Backend backend) {
        this.backend = backend;
        this.anonymous = backend.anonymous();
        this.root = backend.root();
    }

    @Test
    void register_withLogin_opensASession() {
        String name = Accounts.freshName();

        Response registered = Accounts.register(anonymous, name, true);

        String id = registered.path("id");
        Map<String, String> user = Map.of(id, "allow");
        registered
                .then()
                .statusCode(200)
                .body("username", equalTo(name))
                .body("acl", equalTo(Map.of("read", user, "write", user)))
                .body("version", equalTo(1))
                .body(not(containsString(Accounts.PASSWORD)))
                .body(not(containsString("argon2")))
                .body(not(containsString("password")));
        Client session = anonymous.withToken(Accounts.token(registered));
        session.given().when().get("/db/User/me").then().body("id", equalTo(id));
        session.given()
                .when()
                .get(id)
                .then()
                .body(not(containsString("argon2")))
                .body(not(containsString("password")));
        anonymous.given().when().get(id).then().statusCode(404);
        anonymous.login(name, Accounts.PASSWORD).given().when().get(id).then().statusCode(200);
    }

    /** The registration waits, like other writes, and is checked by the new schema. */
    @Test
    void register_whileAFieldOfAllUsersIsRenamed_isNotRefused() {
        try (Backend own = Backend.start()) {
            Client admin = own.root();
            admin.given()
                    .body("{\"class\":\"/db/User\",\"fields\":{\"nick\":{\"name\":\"nick\",\"type\":\"/db/String\"}}}")
                    .when()
                    .post("/schema")
                    .then()
                    .statusCode(200);
            // a write waits for five seconds at most, so a busy machine has to rename these in less
            String users = IntStream.range(0, 4_000)
                    .mapToObj("{\"id\":\"/db/User/u%1$d\",\"username\":\"u%1$d\",\"nick\":\"n\"}"::formatted)
                    .collect(Collectors.joining(",", "[", "]"));
            admin.given().body(users).when().put("/db/User").then().body("", empty());
            CompletableFuture<Answer> renamed = CompletableFuture.supplyAsync(() -> admin.post(
                    "/schema",
                    "{\"operation\":\"renameField\",\"bucket\":\"/db/User\",\"from\":\"nick\",\"to\":\"alias\"}"));

            do {
                Accounts.register(admin, Accounts.freshName(), false).then().statusCode(200);
            } while (!renamed.isDone());

            assertThat(renamed.join().status()).isEqualTo(200);
        }
    }

    @Test
    void register_withoutLogin_handsOutNoToken() {
        String name = Accounts.freshName();

        Accounts.register(anonymous, name, false)
                .then()
                .statusCode(200)
                .header("baqend-authorization-token", nullValue());
        Accounts.register(root, Accounts.freshName(), false).then().header("baqend-authorization-token", nullValue());
    }

    @Test
    void register_withAnInvalidToken_succeeds() {
        Accounts.register(anonymous.withToken("junk"), Accounts.freshName(), true)
                .then()
                .statusCode(200);
    }

    @Test
    void register_nameIsTaken_is409AndChangesNoUser() {
        Accounts.User user = Accounts.create(backend);

        Response refused = anonymous
                .given()
                .body("{\"user\":{\"username\":\"" + user.name() + "\"},\"password\":\"other\"}")
                .when()
                .post("/db/User/register");

        refused.then().statusCode(409).header("baqend-authorization-token", nullValue());
        assertThat(anonymous.login(user.name(), Accounts.PASSWORD)).isNotNull();
    }

    /** Names are case-sensitive: another case is another name. */
    @Test
    void register_nameInAnotherCase_isAnotherUser() {
        Accounts.User user = Accounts.create(backend);

        Accounts.register(anonymous, user.name().toUpperCase(Locale.ROOT), false)
                .then()
                .statusCode(200);
    }

    @Test
    void register_sixteenAtOnceUnderOneName_oneSucceedsAndCanLogIn() throws Exception {
        String name = Accounts.freshName();
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<Future<Response>> attempts = IntStream.range(0, 16)
                    .mapToObj(i -> threads.submit(() -> Accounts.register(anonymous, name, true)))
                    .toList();

            int created = 0;
            for (Future<Response> attempt : attempts) {
                boolean isFirst = attempt.get().statusCode() == 200;
                created += isFirst ? 1 : 0;
                assertThat(attempt.get().asString())
                        .contains(isFirst ? name : "\"status\":409,\"className\":\"ObjectExists\"");
            }

            assertThat(created).isEqualTo(1);
            root.given()
                    .when()
                    .get(Client.queryPath("User", "{\"username\":\"" + name + "\"}"))
                    .then()
                    .body("id", hasSize(1));
            assertThat(anonymous.login(name, Accounts.PASSWORD)).isNotNull();
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"user\":{\"username\":\"x\"}}",
                "{\"user\":{\"username\":\"x\"},\"password\":\"\"}",
                "{\"user\":{\"username\":\"x\"},\"password\":7}",
                "{\"user\":{\"username\":\"\"},\"password\":\"p\"}",
                "{\"user\":{\"username\":null},\"password\":\"p\"}",
                "{\"user\":{\"username\":{\"a\":1}},\"password\":\"p\"}",
                "{\"user\":{},\"password\":\"p\"}",
                "{\"user\":\"x\",\"password\":\"p\"}",
                "{\"user\":{\"username\":\"a\\u0000b\"},\"password\":\"p\"}",
                "{\"user\":{\"username\":\"a\\nb\"},\"password\":\"p\"}",
                "{\"user\":{\"username\":\"\\ud800\"},\"password\":\"p\"}",
                "{\"user\":{\"username\":\"fine\"},\"password\":\"\\udc00\"}",
                "[]"
            })
    void register_withoutAProperNameAndPassword_is400(String body) {
        anonymous.given().body(body).when().post("/db/User/register").then().statusCode(400);
    }

    @Test
    void register_hugeNameOrPassword_is400() {
        String huge = "x".repeat(100_000);

        Accounts.register(anonymous, huge, true).then().statusCode(400);
        anonymous
                .given()
                .body("{\"user\":{\"username\":\"y\"},\"password\":\"" + huge + "\"}")
                .when()
                .post("/db/User/register")
                .then()
                .statusCode(400);
    }

    @Test
    void register_customFields_areCheckedAndStored() {
        root.given()
                .body("{\"class\":\"/db/User\",\"fields\":{\"nick\":{\"name\":\"nick\",\"type\":\"/db/String\"}}}")
                .when()
                .post("/schema/User")
                .then()
                .statusCode(200);
        String wrong = "{\"user\":{\"username\":\"%s\",\"nick\":7},\"password\":\"p\"}";
        String right = "{\"user\":{\"username\":\"%s\",\"nick\":\"n\",\"inactive\":true,"
                + "\"acl\":{\"read\":{},\"write\":{}},\"createdAt\":null},\"password\":\"p\"}";
        String name = Accounts.freshName();

        anonymous
                .given()
                .body(wrong.formatted(name))
                .when()
                .post("/db/User/register")
                .then()
                .statusCode(463);
        Response user = anonymous.given().body(right.formatted(name)).when().post("/db/User/register");

        user.then().body("nick", equalTo("n")).body("inactive", equalTo(false));
        anonymous.given().when().get(user.<String>path("id")).then().statusCode(404);
    }

    @Test
    void register_classDoesNotAllowInserts_is466ButForAdmins() {
        String closed = "{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/User\",\"acl\":{\"insert\":%s}}";
        root.given()
                .body(closed.formatted("{\"/db/Role/1\":\"allow\"}"))
                .when()
                .post("/schema")
                .then()
                .statusCode(200);
        try {
            Accounts.register(anonymous, Accounts.freshName(), true).then().statusCode(466);
            Accounts.register(root, Accounts.freshName(), false).then().statusCode(200);
            explain("").then().body("granted", equalTo(false));
            explain("/db/User/1").then().body("granted", equalTo(true));
        } finally {
            root.given()
                    .body(closed.formatted("{}"))
                    .when()
                    .post("/schema")
                    .then()
                    .statusCode(200);
        }
    }

    private Response explain(String user) {
        return root.given().when().get("/-/explain?operation=register&ref=/db/User&caller=" + user);
    }

    @Test
    void insert_ofAUser_is466ForEveryCaller() {
        for (Client client : List.of(anonymous, root)) {
            Response refused =
                    client.given().body("{\"username\":\"x\"}").when().post("/db/User");
            refused.then().statusCode(466).body("message", containsString("are not allowed"));
            client.given()
                    .body("{\"username\":\"x\"}")
                    .when()
                    .put("/db/User/chosen")
                    .then()
                    .statusCode(466);
        }
    }

    @Test
    void update_byTheUser_retainsNameAndState() {
        Accounts.User user = Accounts.create(backend);
        String acl = "\"acl\":{\"read\":{\"%1$s\":\"allow\"},\"write\":{\"%1$s\":\"allow\"}}".formatted(user.id());

        Response forced = user.client()
                .given()
                .body("{\"username\":\"root\",\"inactive\":true," + acl + "}")
                .when()
                .put(user.id());
        Response versioned = user.client()
                .given()
                .body("{\"username\":null," + acl + "}")
                .header("If-Match", "\"2\"")
                .when()
                .put(user.id());

        forced.then().statusCode(200).body("username", equalTo(user.name()));
        versioned.then().body("username", equalTo(user.name())).body("inactive", equalTo(false));
        anonymous.given().body("{}").when().put(user.id()).then().statusCode(466);
    }

    @Test
    void update_byAdmin_deactivatesAndRenames() {
        Accounts.User user = Accounts.create(backend);
        String other = Accounts.freshName();

        root.update(user.id(), "{\"username\":\"" + other + "\",\"inactive\":true}");

        user.client().given().when().get("/db/User/me").then().statusCode(404);
        user.client().given().when().get(user.id()).then().statusCode(460);
        Response login = anonymous
                .given()
                .body("{\"username\":\"%s\",\"password\":\"%s\"}".formatted(other, Accounts.PASSWORD))
                .when()
                .post("/db/User/login");
        login.then().statusCode(460).body("message", equalTo("The account is not active"));
    }

    @Test
    void insert_whereTheServerAssignsIds_ignoresTheGivenOne() {
        for (String bucket : List.of("Role", "logs.AppLog")) {
            Response inserted = anonymous
                    .given()
                    .body("{\"id\":\"/db/" + bucket + "/chosen\"}")
                    .when()
                    .post("/db/" + bucket);

            inserted.then()
                    .statusCode(201)
                    .body("id", startsWith("/db/" + bucket + "/"))
                    .body("id", not(endsWith("chosen")));
        }
        anonymous
                .given()
                .body("{\"name\":\"x\"}")
                .when()
                .put("/db/Role/chosen")
                .then()
                .statusCode(466);
    }

    @Test
    void appLog_isWrittenByAnybodyAndReadByAdmins() {
        Response logged = anonymous
                .given()
                .body("{\"date\":\"2026-01-02T03:04:05.006Z\",\"message\":\"m\",\"level\":\"info\","
                        + "\"data\":{\"a.b\":1}}")
                .when()
                .post("/db/logs.AppLog");
        String id = logged.path("id");

        anonymous.given().when().get(id).then().statusCode(466);
        anonymous
                .given()
                .when()
                .get(Client.queryPath("logs.AppLog", "{}"))
                .then()
                .statusCode(466);
        root.given()
                .when()
                .get(Client.queryPath("logs.AppLog", "{\"message\":\"m\"}"))
                .then()
                .statusCode(200)
                .body("id", hasItems(id));
        anonymous.given().body("{}").when().put(id).then().statusCode(466);
        anonymous.given().when().delete(id).then().statusCode(466);
    }

    /** New users change query results and caches like other objects. */
    @Test
    void register_isSeenByQueriesThatWereCachedBefore() {
        String name = Accounts.freshName();
        root.given()
                .when()
                .get(Client.queryPath("User", "{\"username\":\"" + name + "\"}"))
                .then()
                .body("", empty());

        Accounts.register(anonymous, name, false).then().statusCode(200);

        root.given()
                .when()
                .get(Client.queryPath("User", "{\"username\":\"" + name + "\"}"))
                .then()
                .body("id", hasSize(1));
    }
}
