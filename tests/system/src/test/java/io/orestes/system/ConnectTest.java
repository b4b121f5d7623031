package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.oneOf;
import static org.hamcrest.Matchers.startsWith;

import io.orestes.support.http.Client;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The handshake (protocol §4), as JSON and as a page. */
@ExtendWith(SharedBackend.class)
final class ConnectTest {

    private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    private static final Pattern EMBEDDED = Pattern.compile("<script type=\"application/json\"[^>]*>(.*?)</script>");

    private final Backend backend;
    private final Client anonymous;
    private final Client root;

    ConnectTest(Backend backend) {
        this.backend = backend;
        this.anonymous = backend.anonymous();
        this.root = backend.root();
    }

    @Test
    void connect_anonymous_carriesSchemaAndFilterAndMayBeCachedForAMoment() {
        String events = "//" + backend.server().base().getAuthority() + "/v1/events";

        anonymous
                .given()
                .accept(ContentType.JSON)
                .when()
                .get("/connect")
                .then()
                .body("schema.class", hasItems("/db/Object", "/db/User", "/db/Role"))
                .body("bloomFilter.keySet()", containsInAnyOrder("m", "h", "b"))
                .body("bloomFilterRefresh", greaterThan(0))
                .body("websocket", equalTo(events))
                .body("keySet()", everyItem(is(not(oneOf("token", "user", "device", "gzip")))))
                .header("cache-control", "public, max-age=0, s-maxage=1")
                .header("baqend-authorization-token", nullValue());
    }

    @Test
    void connect_everyDescriptor_isOneTheClientCanBuild() {
        String handshake = anonymous.given().when().get("/connect").asString();

        BsonDocument.parse(handshake).getArray("schema").forEach(value -> {
            BsonDocument descriptor = value.asDocument();
            assertThat(descriptor.isDocument("fields"))
                    .as(descriptor.toString())
                    .isTrue();
            assertThat(descriptor.getDocument("acl").keySet())
                    .isSubsetOf(
                            "load",
                            "insert",
                            "update",
                            "delete",
                            "query",
                            "schemaAdd",
                            "schemaReplace",
                            "schemaSubclass");
        });
    }

    @Test
    void connect_withSession_carriesUserAndToken() {
        Response answer = root.given().accept(ContentType.JSON).when().get("/connect");

        String token = answer.path("token");
        answer.then()
                .body("user.id", equalTo("/db/User/1"))
                .header("baqend-authorization-token", token)
                .header("cache-control", "private, no-store");
        anonymous.withToken(token).given().when().get("/db/User/me").then().statusCode(200);
    }

    @Test
    void connect_userInTheAnswer_showsNoSecrets() {
        assertThat(root.given().when().get("/connect").asString())
                .doesNotContainIgnoringCase("password", "argon", "_credentials", "salt");
        assertThat(root.given().when().get("/db/User/me").asString())
                .doesNotContainIgnoringCase("password", "argon", "salt");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "6500000065278d00753432",
                "zzzzzzzzzzzzzzzz0000000000000000000000000000000000000000"
            })
    void connect_invalidToken_isAnonymous(String token) {
        Response byHeader = anonymous.withToken(token).given().when().get("/connect");
        Response byParameter = anonymous.given().when().get("/connect?BAT=" + token);
        Response byForm = form("BAT=" + token, "application/json");

        byHeader.then().statusCode(200).body("keySet()", everyItem(is(not(oneOf("token", "user")))));
        byParameter.then().body("keySet()", everyItem(is(not(oneOf("token", "user")))));
        byForm.then().body("keySet()", everyItem(is(not(oneOf("token", "user")))));
    }

    @Test
    void connect_forgedToken_isAnonymous() {
        String token = root.token();
        String forged = token.substring(0, token.length() - 1) + (token.endsWith("0") ? "1" : "0");

        anonymous
                .withToken(forged)
                .given()
                .when()
                .get("/connect")
                .then()
                .body("keySet()", everyItem(is(not(oneOf("token", "user")))));
    }

    @Test
    void connect_byForm_resumesTheSession() {
        Response answer = form("BAT=" + root.token(), "application/json");

        answer.then().body("user.username", equalTo("root")).header("cache-control", "private, no-store");
    }

    @Test
    void connect_byFormWithoutToken_isAnonymous() {
        form("", "application/json").then().body("$", not(hasKey("user")));
    }

    private Response form(String fields, String accept) {
        return anonymous
                .given()
                .contentType("application/x-www-form-urlencoded")
                .accept(accept)
                .body(fields)
                .when()
                .post("/connect");
    }

    @Test
    void connect_asBrowser_isAPageWithTheHandshakeInside() {
        Response page = anonymous.given().accept(BROWSER).when().get("/connect");

        page.then()
                .header("content-type", startsWith("text/html"))
                .header("x-frame-options", nullValue())
                .header("content-security-policy", nullValue())
                .header("vary", containsString("Accept"));
        assertThat(embedded(page).getArray("schema")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json, text/html;q=0.1",
                "application/json,text/html",
                "text/html;q=0.5,application/json",
                "application/json,text/*;q=0.5,*/*;q=0.1",
                "*/*"
            })
    void connect_jsonIsPreferredOrNoPreference_isJson(String accept) {
        anonymous.given().accept(accept).when().get("/connect").then().body("$", hasKey("bloomFilter"));
    }

    @Test
    void connectPage_byForm_belongsToTheSession() {
        Response page = form("BAT=" + root.token(), BROWSER);

        assertThat(embedded(page).getDocument("user").getString("username").getValue())
                .isEqualTo("root");
        page.then().header("cache-control", "private, no-store");
    }

    private static BsonDocument embedded(Response page) {
        Matcher script = EMBEDDED.matcher(page.asString());
        assertThat(script.find()).isTrue();
        return BsonDocument.parse(script.group(1));
    }

    /**
     * Texts in the schema come from any user who may change it; none may end the script they are
     * embedded in.
     */
    @Test
    void connectPage_markupInTheSchema_staysInsideItsScript() {
        String evil = "</script><script>alert(1)</script><!--{{token}}";
        String bucket = backend.newClass("text", "String");
        Response changed = root.given()
                .body("{\"class\":\"/db/%s\",\"metadata\":{\"k\":\"%s\"},\"fields\":{}}".formatted(bucket, evil))
                .when()
                .put("/schema/" + bucket);
        changed.then().statusCode(200);

        Response page = anonymous.given().accept(BROWSER).when().get("/connect");

        assertThat(page.asString()).doesNotContain("</script><script>alert", "<!--{{");
        assertThat(embedded(page).getArray("schema").toString()).contains("alert(1)", "{{token}}");
        root.given().when().delete("/schema/" + bucket).then().statusCode(204);
    }

    @Test
    void connect_afterASchemaChange_knowsTheNewClass() {
        anonymous.given().when().get("/connect").then().statusCode(200);
        String bucket = backend.newClass("text", "String");

        anonymous.given().when().get("/connect").then().body("schema.class", hasItem("/db/" + bucket));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/connect?BCB", "/connect&BCB"})
    void connect_withNoCache_isNotCached(String path) {
        anonymous
                .withToken("nonsense")
                .given()
                .accept(ContentType.JSON)
                .when()
                .get(path)
                .then()
                .statusCode(200)
                .header("cache-control", "private, no-store");
    }

    @Test
    void me_withoutValidSession_is404() {
        anonymous.given().when().get("/db/User/me").then().statusCode(404);
        anonymous.withToken("nonsense").given().when().get("/db/User/me").then().statusCode(404);
    }

    @Test
    void dataCall_withInvalidToken_is460() {
        Client forged = anonymous.withToken("nonsense");
        String bucket = backend.newClass("text", "String");

        forged.given().when().get("/db/" + bucket + "/x").then().statusCode(460);
        forged.given()
                .body("{\"text\":\"a\"}")
                .when()
                .post("/db/" + bucket)
                .then()
                .statusCode(460);
        forged.given().when().get(Client.queryPath(bucket, "{}")).then().statusCode(460);
        assertThat(anonymous.count(bucket)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"username\":\"root\",\"password\":\"\"}", "{\"username\":\"\",\"password\":\"x\"}"})
    void login_withAnEmptyText_is460LikeAnyOtherThatIsWrong(String body) {
        anonymous
                .given()
                .body(body)
                .when()
                .post("/db/User/login")
                .then()
                .statusCode(460)
                .body("message", equalTo("User name or password is incorrect"));
    }

    @Test
    void login_withStaleToken_isNotDisturbed() {
        assertThat(anonymous
                        .withToken("nonsense")
                        .login("root", Backend.ROOT_PASSWORD)
                        .token())
                .isNotBlank();
        anonymous
                .withToken("nonsense")
                .given()
                .when()
                .get("/db/User/logout")
                .then()
                .statusCode(204);
    }
}
