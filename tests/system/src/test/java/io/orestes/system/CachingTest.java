package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.orestes.support.http.Client;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What caches are allowed to store, and that ours never serves what a finished write has changed
 * (protocol §8.4, §8.5).
 */
@ExtendWith(SharedBackend.class)
final class CachingTest {

    private static final Pattern PUBLIC = Pattern.compile("public, max-age=(\\d+), s-maxage=(\\d+)");
    private static final String FOR_ROOT = "\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}";

    private final Backend backend;
    private final Client client;
    private final Client root;
    private String bucket = "";

    CachingTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String", "n", "Integer");
    }

    @Test
    void load_publicObject_isCacheableInBrowsersAndLongerInSharedCaches() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");

        String control = client.given().when().get(id).header("cache-control");

        Matcher ttls = PUBLIC.matcher(control);
        assertThat(ttls.matches()).as(control).isTrue();
        assertThat(Integer.parseInt(ttls.group(1))).isPositive().isLessThanOrEqualTo(Integer.parseInt(ttls.group(2)));
    }

    @Test
    void load_again_comesFromTheCache() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");

        Response first = client.given().when().get(id);
        Response second = client.given().when().get(id);

        first.then().header("orestes-cache", "miss");
        second.then().header("orestes-cache", "hit").body(equalTo(first.asString()));
        assertThat(second.header("etag")).isEqualTo(first.header("etag"));
    }

    @Test
    void load_afterAnyWrite_isNeverOld() {
        String id = client.insert(bucket, "{\"text\":\"0\"}");
        for (int i = 1; i <= 50; i++) {
            client.given().when().get(id).then().statusCode(200);
            client.update(id, "{\"text\":\"" + i + "\"}");

            client.given().when().get(id).then().body("text", equalTo(String.valueOf(i)));
        }
        client.remove(id);
        client.given().when().get(id).then().statusCode(404);
        client.update(id, "{\"text\":\"again\"}");
        client.given().when().get(id).then().body("text", equalTo("again"));
    }

    @Test
    void load_withNoCache_bypassesTheCache() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        client.given().when().get(id).then().header("orestes-cache", "miss");

        client.given()
                .header("Cache-Control", "max-age=0, no-cache")
                .when()
                .get(id)
                .then()
                .header("orestes-cache", "bypass");
        client.given().header("Cache-Control", "no-cache").when().get(id).then().header("orestes-cache", "bypass");
        client.given().when().get(id + "?BCB").then().header("orestes-cache", "bypass");
    }

    /**
     * Directives do not depend on case, and several lines are one list (RFC 9111 §5.2, RFC 9110
     * §5.3).
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "No-Cache           |               | bypass",
                "NO-STORE           |               | bypass",
                "Max-Age=0          |               | bypass",
                "max-age=\"0\"    |               | bypass",
                "max-stale,no-cache |               | bypass",
                "max-stale          | No-Cache      | bypass",
                "max-age=05         |               | hit",
                "max-age=60         | max-stale     | hit",
                "x-no-cache=1       |               | hit",
            })
    void load_cacheControlInAnySpelling_isSeen(String first, String second, String source) {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        client.given().when().get(id).then().header("orestes-cache", "miss");

        RequestSpecification request = client.given().header("Cache-Control", first);
        if (second != null) {
            request.header("Cache-Control", second);
        }

        request.when().get(id).then().header("orestes-cache", source);
    }

    /**
     * Otherwise the next such request gets the copy of a browser, which no filter of stale keys
     * names.
     */
    @ParameterizedTest
    @ValueSource(strings = {"?BCB", "&BCB"})
    void load_withBuster_isNotCached(String buster) {
        String id = client.insert(bucket, "{\"text\":\"a\"}");

        client.given().when().get(id + buster).then().header("Cache-Control", "no-store");
        client.given()
                .when()
                .get("/db/" + bucket + "/query?q=%7B%7D&BCB")
                .then()
                .header("Cache-Control", "no-store");
        client.given().when().get(id).then().header("Cache-Control", startsWith("public"));
    }

    /** One client appends its cache buster to paths without a query (protocol §1.7). */
    @Test
    void anything_busterBehindThePath_isCutOffAndBypassesTheCache() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        client.given().when().get(id).then().header("orestes-cache", "miss");

        client.given().when().get(id + "&BCB").then().header("orestes-cache", "bypass");
        client.given()
                .when()
                .get(id + "&BCB")
                .then()
                .body(equalTo(client.get(id).text()));
        client.given().body("{\"text\":\"b\"}").when().put(id + "&BCB").then().statusCode(200);
        client.given().when().get(id).then().body("text", equalTo("b"));
        client.given().when().get("/connect&BCB").then().body("$", hasKey("schema"));
        client.given().when().delete(id + "&BCB").then().statusCode(204);
        assertThat(client.count(bucket)).isZero();
    }

    /** Keys escape the ampersand, so that this is one. */
    @Test
    void put_keyThatLooksLikeABuster_isAKey() {
        String id = "/db/" + bucket + "/a%26BCB";

        client.update(id, "{\"text\":\"a\"}");

        client.given().when().get(id).then().body("id", equalTo(id));
        client.given().when().get("/db/" + bucket + "/a").then().statusCode(404);
    }

    @Test
    void load_privateObject_isNeverPublicNorShared() {
        String id = root.insert(bucket, "{\"text\":\"secret\"," + FOR_ROOT + "}");

        Response mine = root.given().when().get(id);
        Response again = root.given().when().get(id);

        mine.then().header("cache-control", "private, no-cache").header("orestes-cache", "miss");
        again.then().header("cache-control", "private, no-cache").header("orestes-cache", "hit");
        client.given().when().get(id).then().statusCode(404);
    }

    @Test
    void load_objectThatBecomesPrivate_isAbsentForOthersAtOnce() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        client.given().when().get(id).then().statusCode(200);
        client.given().when().get(id).then().header("orestes-cache", "hit");

        root.update(id, "{\"text\":\"secret\"," + FOR_ROOT + "}");

        client.given().when().get(id).then().statusCode(404);
        client.given().header("If-None-Match", "\"1\"").when().get(id).then().statusCode(404);
        root.given().when().get(id).then().body("text", equalTo("secret"));
    }

    @Test
    void load_publicObjectByAUser_carriesNoToken() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");

        for (int i = 0; i < 3; i++) {
            root.given()
                    .when()
                    .get(id)
                    .then()
                    .header("cache-control", startsWith("public"))
                    .header("baqend-authorization-token", nullValue());
        }
    }

    @Test
    void load_objectOfAProtectedClass_isPrivate() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        client.given().when().get(id).then().statusCode(200);
        root.given()
                .body(("{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%s\",\"acl\":{\"load\":"
                                + "{\"/db/Role/1\":\"allow\"}}}")
                        .formatted(bucket))
                .when()
                .post("/schema")
                .then()
                .statusCode(200);

        client.given().when().get(id).then().statusCode(466);
        root.given().when().get(id).then().header("cache-control", "private, no-cache");
    }

    @Test
    void errors_areNotCached() {
        client.given().when().get("/db/" + bucket + "/none").then().header("cache-control", "no-store");
        String id = client.insert(bucket, "{\"id\":\"/db/" + bucket + "/none\",\"text\":\"now\"}");
        client.given().when().get(id).then().body("text", equalTo("now"));
    }

    @Test
    void query_again_comesFromTheCache() {
        client.insert(bucket, "{\"n\":1}");

        Response first = client.given().when().get(Client.queryPath(bucket, "{\"n\":1}"));
        Response second = client.given().when().get(Client.queryPath(bucket, "{\"n\":1}"));

        first.then().header("orestes-cache", "miss");
        second.then().header("orestes-cache", "hit").body(equalTo(first.asString()));
        client.given()
                .header("Cache-Control", "no-cache")
                .when()
                .get(Client.queryPath(bucket, "{\"n\":1}"))
                .then()
                .header("orestes-cache", "bypass");
    }

    @Test
    void query_withNoCache_isCachedForOthers() {
        client.insert(bucket, "{\"n\":1}");

        Response fresh =
                client.given().header("Cache-Control", "no-cache").when().get(Client.queryPath(bucket, "{\"n\":1}"));
        Response plain = client.given().when().get(Client.queryPath(bucket, "{\"n\":1}"));

        fresh.then()
                .header("orestes-cache", "bypass")
                .header("cache-control", startsWith("public, max-age=0, s-maxage="));
        plain.then().header("orestes-cache", "hit");
    }

    @Test
    void query_spelledDifferently_isTheSameCachedResult() {
        client.insert(bucket, "{\"n\":1,\"text\":\"a\"}");
        client.given()
                .when()
                .get(Client.queryPath(bucket, "{\"n\":1,\"text\":\"a\"}"))
                .then()
                .header("orestes-cache", "miss");

        client.given()
                .when()
                .get(Client.queryPath(bucket, "{ \"text\" : \"a\", \"n\":1 }"))
                .then()
                .header("orestes-cache", "hit");
    }

    @Test
    void query_matchingWrites_areInTheNextResult() {
        String id = "/db/" + bucket + "/x";
        for (int i = 0; i < 20; i++) {
            client.given()
                    .when()
                    .get(Client.queryPath(bucket, "{\"n\":1}"))
                    .then()
                    .body("", empty());
            client.update(id, "{\"n\":1,\"text\":\"a\"}");
            client.given()
                    .when()
                    .get(Client.queryPath(bucket, "{\"n\":1}"))
                    .then()
                    .body("id", contains(id));
            client.update(id, "{\"n\":1,\"text\":\"b\"}");
            client.given()
                    .when()
                    .get(Client.queryPath(bucket, "{\"n\":1}"))
                    .then()
                    .body("[0].text", equalTo("b"));
            client.update(id, "{\"n\":2}");
            client.given()
                    .when()
                    .get(Client.queryPath(bucket, "{\"n\":1}"))
                    .then()
                    .body("", empty());
            client.update(id, "{\"n\":1}");
            client.given()
                    .when()
                    .get(Client.queryPath(bucket, "{\"n\":1}"))
                    .then()
                    .body("id", contains(id));
            client.remove(id);
        }
    }

    @Test
    void query_writeThatDoesNotMatch_leavesTheCachedResult() {
        String id = client.insert(bucket, "{\"n\":1}");
        client.given().when().get(Client.queryPath(bucket, "{\"n\":1}")).then().header("orestes-cache", "miss");

        client.insert(bucket, "{\"n\":2}");

        Response after = client.given().when().get(Client.queryPath(bucket, "{\"n\":1}"));
        after.then().header("orestes-cache", "hit").body("id", contains(id));
    }

    @Test
    void query_sortedPage_followsWritesOutsideOfThePage() {
        for (int i = 10; i < 20; i++) {
            client.update("/db/" + bucket + "/k" + i, "{\"n\":" + i + "}");
        }
        String page = "/db/" + bucket + "/query?start=2&count=2&sort=" + Client.encode("{\"n\":1}");
        client.given().when().get(page).then().body("id", contains("/db/" + bucket + "/k12", "/db/" + bucket + "/k13"));
        client.given().when().get(page).then().header("orestes-cache", "hit");

        client.update("/db/" + bucket + "/k19", "{\"n\":0}");

        client.given().when().get(page).then().body("id", contains("/db/" + bucket + "/k11", "/db/" + bucket + "/k12"));
    }

    @Test
    void query_byAUser_isPrivateAndShowsWhatOnlyTheyMayRead() {
        String open = client.insert(bucket, "{\"n\":1}");
        String secret = root.insert(bucket, "{\"n\":1," + FOR_ROOT + "}");
        client.given().when().get(Client.queryPath(bucket, "{\"n\":1}")).then().body("id", contains(open));

        Response mine = root.given().when().get(Client.queryPath(bucket, "{\"n\":1}"));

        mine.then()
                .body("id", containsInAnyOrder(open, secret))
                .header("cache-control", containsString("private"))
                .header("cache-control", not(containsString("public")))
                .header("orestes-cache", "bypass");
        client.given().when().get(Client.queryPath(bucket, "{\"n\":1}")).then().body("id", contains(open));
    }

    @Test
    void query_objectThatBecomesPrivate_leavesTheCachedResult() {
        String id = client.insert(bucket, "{\"n\":1}");
        client.given().when().get(Client.queryPath(bucket, "{\"n\":1}")).then().body("id", contains(id));
        client.given().when().get(Client.queryPath(bucket, "{\"n\":1}")).then().header("orestes-cache", "hit");

        root.update(id, "{\"n\":1," + FOR_ROOT + "}");

        client.given().when().get(Client.queryPath(bucket, "{\"n\":1}")).then().body(equalTo("[]"));
    }
}
