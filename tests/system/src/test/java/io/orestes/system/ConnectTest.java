package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonValue;
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
        Answer answer = anonymous.get("/connect", "Accept", "application/json");

        BsonDocument handshake = answer.object();
        assertThat(handshake.getArray("schema"))
                .extracting(ConnectTest::className)
                .contains("/db/Object", "/db/User", "/db/Role");
        assertThat(handshake.getDocument("bloomFilter").keySet()).containsExactlyInAnyOrder("m", "h", "b");
        assertThat(handshake.getNumber("bloomFilterRefresh").intValue()).isPositive();
        assertThat(handshake.getString("websocket").getValue())
                .isEqualTo("//" + backend.server().base().getAuthority() + "/v1/events");
        assertThat(handshake.keySet()).doesNotContain("token", "user", "device", "gzip");
        assertThat(answer.header("cache-control")).hasValue("public, max-age=0, s-maxage=1");
        assertThat(answer.header("baqend-authorization-token")).isEmpty();
    }

    private static String className(BsonValue descriptor) {
        return descriptor.asDocument().getString("class").getValue();
    }

    @Test
    void connect_everyDescriptor_isOneTheClientCanBuild() {
        anonymous.get("/connect").object().getArray("schema").forEach(value -> {
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
        Answer answer = root.get("/connect", "Accept", "application/json");

        assertThat(answer.object().getDocument("user").getString("id").getValue())
                .isEqualTo("/db/User/1");
        String token = answer.object().getString("token").getValue();
        assertThat(answer.header("baqend-authorization-token")).hasValue(token);
        assertThat(answer.header("cache-control")).hasValue("private, no-store");
        assertThat(anonymous.withToken(token).get("/db/User/me").status()).isEqualTo(200);
    }

    @Test
    void connect_userInTheAnswer_showsNoSecrets() {
        assertThat(root.get("/connect").text()).doesNotContainIgnoringCase("password", "argon", "_credentials", "salt");
        assertThat(root.get("/db/User/me").text()).doesNotContainIgnoringCase("password", "argon", "salt");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "6500000065278d00753432",
                "zzzzzzzzzzzzzzzz0000000000000000000000000000000000000000"
            })
    void connect_invalidToken_isAnsweredAsForNobody(String token) {
        Answer byHeader = anonymous.withToken(token).get("/connect");
        Answer byParameter = anonymous.get("/connect?BAT=" + token);
        Answer byForm = form("BAT=" + token);

        assertThat(byHeader.status()).isEqualTo(200);
        assertThat(byHeader.object().keySet()).doesNotContain("token", "user");
        assertThat(byParameter.object().keySet()).doesNotContain("token", "user");
        assertThat(byForm.object().keySet()).doesNotContain("token", "user");
    }

    @Test
    void connect_forgedToken_isAnsweredAsForNobody() {
        String token = root.token();
        String forged = token.substring(0, token.length() - 1) + (token.endsWith("0") ? "1" : "0");

        assertThat(anonymous.withToken(forged).get("/connect").object().keySet())
                .doesNotContain("token", "user");
    }

    @Test
    void connect_byForm_resumesTheSession() {
        Answer answer = form("BAT=" + root.token());

        assertThat(answer.object().getDocument("user").getString("username").getValue())
                .isEqualTo("root");
        assertThat(answer.header("cache-control")).hasValue("private, no-store");
    }

    @Test
    void connect_byFormWithoutToken_isAnonymous() {
        assertThat(form("").object().keySet()).doesNotContain("user");
    }

    private Answer form(String fields) {
        return anonymous.send(
                "POST",
                "/connect",
                BodyPublishers.ofString(fields),
                "Content-Type",
                "application/x-www-form-urlencoded",
                "Accept",
                "application/json");
    }

    @Test
    void connect_asBrowser_isAPageWithTheHandshakeInside() {
        Answer page = anonymous.get("/connect", "Accept", BROWSER);

        assertThat(page.header("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/html"));
        assertThat(page.header("x-frame-options")).isEmpty();
        assertThat(page.header("content-security-policy")).isEmpty();
        assertThat(page.header("vary"))
                .hasValueSatisfying(vary -> assertThat(vary).contains("Accept"));
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
    void connect_jsonIsPreferredOrNothingIs_isJson(String accept) {
        assertThat(anonymous.get("/connect", "Accept", accept).object().keySet())
                .as(accept)
                .contains("bloomFilter");
    }

    @Test
    void connectPage_byForm_belongsToTheSession() {
        Answer page = anonymous.send(
                "POST",
                "/connect",
                BodyPublishers.ofString("BAT=" + root.token()),
                "Content-Type",
                "application/x-www-form-urlencoded",
                "Accept",
                BROWSER);

        assertThat(embedded(page).getDocument("user").getString("username").getValue())
                .isEqualTo("root");
        assertThat(page.header("cache-control")).hasValue("private, no-store");
    }

    private static BsonDocument embedded(Answer page) {
        Matcher script = EMBEDDED.matcher(page.text());
        assertThat(script.find()).isTrue();
        return BsonDocument.parse(script.group(1));
    }

    /** Texts in the schema come from whoever may change it; none may end the script they are embedded in. */
    @Test
    void connectPage_markupInTheSchema_staysInsideItsScript() {
        String evil = "</script><script>alert(1)</script><!--{{token}}";
        String bucket = backend.newClass("text", "String");
        Answer changed = root.put(
                "/schema/" + bucket,
                "{\"class\":\"/db/%s\",\"metadata\":{\"k\":\"%s\"},\"fields\":{}}".formatted(bucket, evil));
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);

        Answer page = anonymous.get("/connect", "Accept", BROWSER);

        assertThat(page.text()).doesNotContain("</script><script>alert", "<!--{{");
        assertThat(embedded(page).getArray("schema").toString()).contains("alert(1)", "{{token}}");
        assertThat(root.delete("/schema/" + bucket).status()).isEqualTo(204);
    }

    @Test
    void connect_afterASchemaChange_knowsTheNewClass() {
        assertThat(anonymous.get("/connect").status()).isEqualTo(200);
        String bucket = backend.newClass("text", "String");

        assertThat(anonymous.get("/connect").object().getArray("schema"))
                .extracting(ConnectTest::className)
                .contains("/db/" + bucket);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/connect?BCB", "/connect&BCB"})
    void connect_thatWantsNoCopy_isKeptByNobody(String path) {
        Answer answer = anonymous.withToken("nonsense").get(path, "Accept", "application/json");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("cache-control")).hasValue("private, no-store");
    }

    @Test
    void me_withoutValidSession_is404() {
        assertThat(anonymous.get("/db/User/me").status()).isEqualTo(404);
        assertThat(anonymous.withToken("nonsense").get("/db/User/me").status()).isEqualTo(404);
    }

    @Test
    void dataCall_withInvalidToken_is460() {
        Client forged = anonymous.withToken("nonsense");
        String bucket = backend.newClass("text", "String");

        assertThat(forged.get("/db/" + bucket + "/x").status()).isEqualTo(460);
        assertThat(forged.post("/db/" + bucket, "{\"text\":\"a\"}").status()).isEqualTo(460);
        assertThat(forged.query(bucket, "{}").status()).isEqualTo(460);
        assertThat(anonymous.count(bucket)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"username\":\"root\",\"password\":\"\"}", "{\"username\":\"\",\"password\":\"x\"}"})
    void login_withAnEmptyText_is460LikeAnyOtherThatIsWrong(String body) {
        Answer answer = anonymous.post("/db/User/login", body);

        assertThat(answer.status()).isEqualTo(460);
        assertThat(answer.object().getString("message").getValue()).isEqualTo("User name or password is incorrect");
    }

    @Test
    void login_withStaleToken_isNotDisturbed() {
        assertThat(anonymous
                        .withToken("nonsense")
                        .login("root", Backend.ROOT_PASSWORD)
                        .token())
                .isNotBlank();
        assertThat(anonymous.withToken("nonsense").get("/db/User/logout").status())
                .isEqualTo(204);
    }
}
