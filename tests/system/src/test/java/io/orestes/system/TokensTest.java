package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.instanceOf;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.orestes.support.http.Client;
import io.orestes.support.process.Waiting;
import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Passwords, tokens and roles over HTTP (protocol §5.3, §5.4, §5.8, §5.9). */
@ExtendWith(SharedBackend.class)
final class TokensTest {

    private final Backend backend;
    private final Client anonymous;
    private final Client root;
    private final Accounts.User user;

    TokensTest(Backend backend) {
        this.backend = backend;
        this.anonymous = backend.anonymous();
        this.root = backend.root();
        this.user = Accounts.create(backend);
    }

    @Test
    void password_changedByItsUser_endsEarlierTokensAndReturnsANewOne() {
        Client elsewhere = anonymous.login(user.name(), Accounts.PASSWORD);

        Response wrong = change(user.client(), "wrong", "new");
        wrong.then().statusCode(460).body("message", equalTo("User name or password is incorrect"));
        user.client().given().when().get("/db/User/validate").then().statusCode(200);

        Response changed = change(user.client(), Accounts.PASSWORD, "new");

        changed.then()
                .statusCode(200)
                .body("id", equalTo(user.id()))
                .body(not(containsString("argon2")))
                .body(not(containsString("password")));
        user.client().given().when().get(user.id()).then().statusCode(460);
        elsewhere.given().when().get("/db/User/me").then().statusCode(404);
        anonymous
                .withToken(Accounts.token(changed))
                .given()
                .when()
                .get(user.id())
                .then()
                .statusCode(200);
        assertThat(anonymous.login(user.name(), "new")).isNotNull();
    }

    @Test
    void password_changedByAdmin_handsOutNoToken() {
        Response changed = change(root, "", "given");

        changed.then().statusCode(200).header("baqend-authorization-token", nullValue());
        user.client().given().when().get("/db/User/validate").then().statusCode(460);
        root.given().when().get("/db/User/validate").then().statusCode(200);
        assertThat(anonymous.login(user.name(), "given")).isNotNull();
    }

    @Test
    void password_changedByAnotherUser_isRefused() {
        Accounts.User other = Accounts.create(backend);

        change(other.client(), "", "stolen").then().statusCode(460);
        change(anonymous, "guess", "stolen").then().statusCode(460);
        change(anonymous.withToken("junk"), Accounts.PASSWORD, "new").then().statusCode(460);
        change(anonymous, Accounts.PASSWORD, "").then().statusCode(400);
        anonymous
                .given()
                .body("{\"token\":\"t\",\"newPassword\":\"n\"}")
                .when()
                .post("/db/User/password")
                .then()
                .statusCode(501);
        assertThat(anonymous.login(user.name(), Accounts.PASSWORD)).isNotNull();
    }

    @Test
    void password_removed_leavesTheSessionOnly() {
        anonymous.given().when().delete("/db/User/password").then().statusCode(466);

        Response removed = user.client().given().when().delete("/db/User/password");

        removed.then().statusCode(204);
        anonymous
                .withToken(Accounts.token(removed))
                .given()
                .when()
                .get("/db/User/me")
                .then()
                .statusCode(200);
        anonymous
                .given()
                .body("{\"username\":\"%s\",\"password\":\"%s\"}".formatted(user.name(), Accounts.PASSWORD))
                .when()
                .post("/db/User/login")
                .then()
                .statusCode(460);
    }

    @Test
    void apiToken_lastsUntilItIsRevokedAndIsNotRenewed() {
        Response issued = root.given().body("").when().post("/db/User/" + user.key() + "/token");
        String token = issued.path("token");
        Client program = anonymous.withToken(token);

        issued.then().statusCode(200).header("baqend-authorization-token", nullValue());
        assertThat(token.substring(8, 16)).isEqualTo("ffffffff");
        awaitNextSecond(token);
        program.given().when().get("/db/User/me").then().header("baqend-authorization-token", nullValue());
        program.given().body("{}").when().put(user.id()).then().header("baqend-authorization-token", nullValue());
        program.given().when().get("/connect").then().body("token", equalTo(token));

        root.given().when().delete("/db/User/" + user.key() + "/token").then().statusCode(204);

        program.given().when().get(user.id()).then().statusCode(460);
        user.client().given().when().get(user.id()).then().statusCode(460);
        assertThat(anonymous.login(user.name(), Accounts.PASSWORD)).isNotNull();
    }

    @Test
    void apiToken_forAWhile_expires() {
        Response issued = root.given().body("").when().post("/db/User/" + user.key() + "/token?lifetime=600");
        String token = issued.path("token");
        Client program = anonymous.withToken(token);

        assertThat(Long.parseLong(token.substring(8, 16), 16))
                .isEqualTo(Long.parseLong(token.substring(0, 8), 16) + 600);
        program.given().when().get(user.id()).then().statusCode(200);
        program.given().body("").when().post("/db/Role/3/assume").then().statusCode(466);
        for (String wrong : List.of("", "0", "-1", "86401", "1h", "99999999999")) {
            root.given()
                    .body("")
                    .when()
                    .post("/db/User/" + user.key() + "/token?lifetime=" + wrong)
                    .then()
                    .statusCode(400);
        }
        Response misplaced = root.given().body("{\"lifetime\":60}").when().post("/db/User/" + user.key() + "/token");
        misplaced.then().statusCode(400);
        user.client()
                .given()
                .body("")
                .when()
                .post("/db/User/" + user.key() + "/token?lifetime=600")
                .then()
                .statusCode(466);
    }

    @Test
    void apiToken_forAWhile_createsNoLongerLivedTokens() {
        String id = root.given().when().get("/db/User/me").path("id");
        Response issued = root.given().body("").when().post(id + "/token?lifetime=600");
        Client admin = anonymous.withToken(issued.path("token"));
        String password = "{\"username\":\"%s\",\"newPassword\":\"another\"}".formatted(user.name());

        admin.given().when().get("/-/settings").then().statusCode(200);
        admin.given()
                .body("")
                .when()
                .post("/db/User/" + user.key() + "/token")
                .then()
                .statusCode(466);
        admin.given()
                .body("")
                .when()
                .post("/db/User/" + user.key() + "/token?lifetime=600")
                .then()
                .statusCode(466);
        admin.given().body(password).when().post("/db/User/password").then().statusCode(466);
        admin.given().when().delete("/db/User/password").then().statusCode(466);
        root.given().body(password).when().post("/db/User/password").then().statusCode(200);
    }

    @Test
    void apiToken_isForAdmins() {
        for (Client client : List.of(anonymous, user.client())) {
            client.given()
                    .body("")
                    .when()
                    .post("/db/User/" + user.key() + "/token")
                    .then()
                    .statusCode(466);
            client.given()
                    .when()
                    .delete("/db/User/" + user.key() + "/token")
                    .then()
                    .statusCode(466);
        }
        root.given().body("").when().post("/db/User/nobody/token").then().statusCode(404);
        root.given().when().delete("/db/User/nobody/token").then().statusCode(404);
    }

    @Test
    void revoke_ownTokens_answersWithAFreshOne() {
        Client session = anonymous.login("root", Backend.ROOT_PASSWORD);
        String adminName = Accounts.freshName();
        Response registered = Accounts.register(session, adminName, true);
        String id = registered.path("id");
        String role = session.insert("Role", "{\"name\":\"x\"}");
        root.update("/db/Role/1", "{\"name\":\"admin\",\"users\":[\"/db/User/1\",\"" + id + "\"]}");
        Client admin = anonymous.withToken(Accounts.token(registered));

        Response revoked = admin.given().when().delete("/db/User/" + id.substring("/db/User/".length()) + "/token");

        revoked.then().statusCode(204);
        admin.given().when().get(role).then().statusCode(460);
        anonymous
                .withToken(Accounts.token(revoked))
                .given()
                .when()
                .get(id)
                .then()
                .statusCode(200);
        root.update("/db/Role/1", "{\"name\":\"admin\",\"users\":[\"/db/User/1\"]}");
    }

    @Test
    void renewal_ofSessionsThatWrite_comesAfterASecondAndNeverWithErrors() {
        String first = user.client().token();
        awaitNextSecond(first);
        String bucket = backend.newClass("text", "String");

        Response inserted =
                user.client().given().body("{\"text\":\"a\"}").when().post("/db/" + bucket);
        String id = inserted.path("id");

        String renewed = Accounts.token(inserted);
        assertThat(Long.parseLong(renewed.substring(8, 16), 16))
                .isGreaterThanOrEqualTo(Long.parseLong(first.substring(8, 16), 16));
        anonymous
                .withToken(renewed)
                .given()
                .when()
                .get("/db/User/validate")
                .then()
                .statusCode(200);
        user.client()
                .given()
                .body("{\"text\":\"b\"}")
                .when()
                .put(id)
                .then()
                .header("baqend-authorization-token", notNullValue());
        user.client()
                .given()
                .body("{\"text\":7}")
                .when()
                .put(id)
                .then()
                .header("baqend-authorization-token", nullValue());
        user.client().given().when().get(id).then().header("baqend-authorization-token", nullValue());
        user.client()
                .given()
                .when()
                .get(Client.queryPath(bucket, "{}"))
                .then()
                .header("baqend-authorization-token", nullValue());
        user.client().given().when().delete(id).then().header("baqend-authorization-token", notNullValue());
        user.client()
                .given()
                .header("If-Match", "*")
                .when()
                .delete(id)
                .then()
                .header("baqend-authorization-token", nullValue());
    }

    @Test
    void assumedRole_isTheOnlyOneThatCounts() {
        String team = member("team");
        String other = member("other");
        String bucket = backend.newClass("text", "String");
        String teams = insertFor(bucket, team);
        String others = insertFor(bucket, other);
        user.client().given().when().get(others).then().statusCode(200);

        Response assumed = user.client().given().body("").when().post(team + "/assume");
        Client member = anonymous.withToken(assumed.path("token"));

        assumed.then().header("baqend-authorization-token", nullValue());
        member.given().when().get(teams).then().statusCode(200);
        member.given().when().get(others).then().statusCode(404);
        member.given().when().get(user.id()).then().statusCode(200);
        user.client().given().body("").when().post("/db/Role/1/assume").then().statusCode(466);
        user.client()
                .given()
                .body("")
                .when()
                .post("/db/Role/none/assume")
                .then()
                .statusCode(404);
        anonymous.given().body("").when().post(team + "/assume").then().statusCode(466);
    }

    @Test
    void signedUrl_opensItsPathForReadsOnly() {
        String bucket = backend.newClass("text", "String");
        String id = user.client()
                .insert(
                        bucket,
                        ("{\"id\":\"/db/%1$s/a%%20b\",\"text\":\"mine\",\"acl\":{\"read\":{\"%2$s\":\"allow\"},"
                                        + "\"write\":{}}}")
                                .formatted(bucket, user.id()));
        String other = anonymous.insert(bucket, "{\"text\":\"public\"}");
        String token = derived("/v1" + id);

        Response read = anonymous.given().when().get(id + "?BAT=" + token);

        read.then()
                .statusCode(200)
                .header("Cache-Control", "no-store")
                .header("baqend-authorization-token", nullValue());
        anonymous
                .given()
                .when()
                .get(id.replace("a%20b", "%61%20b") + "?BAT=" + token + "&BCB")
                .then()
                .statusCode(200);
        anonymous.given().when().get(id).then().statusCode(404);
        anonymous.given().when().get(other + "?BAT=" + token).then().statusCode(460);
        anonymous.given().when().get(other + "?BAT=").then().statusCode(460);
        anonymous.withToken(token).given().when().get(id).then().statusCode(460);
        anonymous
                .given()
                .when()
                .get("/db/User/me?BAT=" + derived("/v1/db/User/me"))
                .then()
                .statusCode(404);
        // a write is anonymous
        anonymous
                .given()
                .body("{\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}}")
                .when()
                .put(id + "?BAT=" + token)
                .then()
                .body("version", equalTo(2));
        root.given().when().delete("/db/User/" + user.key() + "/token").then().statusCode(204);
        anonymous.given().when().get(id + "?BAT=" + token).then().statusCode(460);
    }

    /** A copy of what one user may see must not be the answer to the next such request. */
    @Test
    void signedUrl_ofAQuery_isNotCached() {
        String bucket = backend.newClass("text", "String");
        String id = insertFor(bucket, user.id());
        String path = "/db/" + bucket + "/query?q=%7B%7D";
        String token = derived("/v1/db/" + bucket + "/query");

        for (int i = 0; i < 2; i++) {
            Response read = anonymous.given().when().get(path + "&BAT=" + token);
            read.then().body("id", contains(id)).header("Cache-Control", "no-store");
        }
        root.given().when().delete("/db/User/" + user.key() + "/token").then().statusCode(204);

        anonymous.given().when().get(path + "&BAT=" + token).then().statusCode(460);
        anonymous.given().when().get(path).then().body("", empty());
    }

    @Test
    void signedUrl_ofAPreparedQuery_isNotCached() {
        String bucket = backend.newClass("text", "String");
        String id = insertFor(bucket, user.id());
        String prepared = root.given()
                .body("{\"bucket\":\"%s\",\"query\":{}}".formatted(bucket))
                .when()
                .post("/query")
                .path("id");

        Response read = anonymous.given().when().get(prepared + "/result?BAT=" + derived("/v1" + prepared + "/result"));

        read.then().body("id", contains(id)).header("Cache-Control", "no-store");
    }

    /** The receiver of the link can append anything to the path. */
    @Test
    void signedUrl_withDepth_doesNotOpenWhatIsReferredTo() {
        String bucket = backend.newClass("owner", "User");
        String id = anonymous.insert(bucket, "{\"owner\":\"%s\"}".formatted(user.id()));
        String ofObject = id + "?depth=1&BAT=" + derived("/v1" + id);
        String ofQuery = "/db/" + bucket + "/query?q=%7B%7D&depth=true&BAT=" + derived("/v1/db/" + bucket + "/query");

        user.client().given().when().get(id + "?depth=1").then().body("owner", instanceOf(Map.class));
        anonymous.given().when().get(ofObject).then().statusCode(466);
        anonymous.given().when().get(ofQuery).then().statusCode(466);
        anonymous.given().when().get(ofObject.replace("depth=1&", "")).then().statusCode(200);
        // by a header the user may
        user.client().given().when().get(ofObject).then().body("owner", instanceOf(Map.class));
    }

    @Test
    void signedUrl_withPolymorphic_doesNotOpenSubclasses() {
        String bucket = backend.newClass("name", "String");
        String signed = "?q=%7B%7D&BAT=" + derived("/v1/db/" + bucket + "/query");
        String counted = "?q=%7B%7D&BAT=" + derived("/v1/db/" + bucket + "/count");

        anonymous
                .given()
                .when()
                .get("/db/" + bucket + "/query" + signed + "&polymorphic=true")
                .then()
                .statusCode(466);
        anonymous
                .given()
                .when()
                .get("/db/" + bucket + "/count" + counted + "&polymorphic=true")
                .then()
                .statusCode(466);
        anonymous
                .given()
                .when()
                .get("/db/" + bucket + "/query" + signed + "&polymorphic=false")
                .then()
                .statusCode(200);
        anonymous
                .given()
                .when()
                .get("/db/" + bucket + "/count" + counted)
                .then()
                .statusCode(200);
    }

    @Test
    void connect_withASignedPath_resumesTheSession() {
        Response connected = anonymous.given().when().get("/connect?BAT=" + derived("/v1/connect"));

        connected.then().body("user.id", equalTo(user.id()));
        anonymous
                .withToken(connected.path("token"))
                .given()
                .when()
                .get(user.id())
                .then()
                .statusCode(200);
        connected.then().header("Cache-Control", "private, no-store");
        anonymous
                .given()
                .when()
                .get("/connect?BAT=" + derived("/v1/db/User"))
                .then()
                .body("$", not(hasKey("user")));
    }

    @Test
    void anyInvalidToken_onADataCall_is460AndNothingIsDone() {
        String bucket = backend.newClass("text", "String");
        String id = anonymous.insert(bucket, "{\"text\":\"a\"}");
        Random random = new Random(9);
        String valid = user.client().token();

        for (int i = 0; i < 200; i++) {
            int at = random.nextInt(valid.length());
            char other = "0123456789abcdefghiZ-_.~".charAt(random.nextInt(24));
            String changed = valid.substring(0, at) + other + valid.substring(at + 1);
            Client client = anonymous.withToken(i % 3 == 0 ? valid.substring(at) : changed);
            int expected = client.token().equals(valid) ? 200 : 460;
            assertThat(client.get(id).status()).as(client.token()).isEqualTo(expected);
        }
        anonymous.withToken("x").given().when().delete(id).then().statusCode(460);
        anonymous
                .withToken("x")
                .given()
                .body("{}")
                .when()
                .post("/db/" + bucket)
                .then()
                .statusCode(460);
        assertThat(anonymous.count(bucket)).isEqualTo(1);
        anonymous.withToken("x").given().when().get("/db/User/logout").then().statusCode(204);
    }

    private Response change(Client client, String old, String next) {
        return client.given()
                .body("{\"username\":\"%s\",\"password\":\"%s\",\"newPassword\":\"%s\"}"
                        .formatted(user.name(), old, next))
                .when()
                .post("/db/User/password");
    }

    private String member(String name) {
        return root.insert("Role", "{\"name\":\"" + name + "\",\"users\":[\"" + user.id() + "\"]}");
    }

    private String insertFor(String bucket, String reader) {
        return root.insert(
                bucket,
                "{\"text\":\"x\",\"acl\":{\"read\":{\"%s\":\"allow\"},\"write\":{\"/db/Role/1\":\"allow\"}}}"
                        .formatted(reader));
    }

    /** Returns the client's derivation of the user's token for one path (protocol §5.9). */
    private String derived(String path) {
        String token = user.client().token();
        String data = token.substring(0, token.length() - 40);
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(token.substring(data.length()).getBytes(StandardCharsets.US_ASCII), "HmacSHA1"));
            return data + HexFormat.of().formatHex(mac.doFinal((path + data).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Waits until a token is a second old by the clock that it was issued by, which this machine
     * shares.
     */
    private static void awaitNextSecond(String token) {
        Instant due = Instant.ofEpochSecond(Long.parseLong(token.substring(0, 8), 16) + 1);
        Waiting.until("the token is a second old", () -> !Instant.now().isBefore(due));
    }
}
