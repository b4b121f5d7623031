package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What caches are allowed to keep, and that ours never serves what a finished write has changed (protocol §8.4, §8.5). */
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

    private static String source(Answer answer) {
        return answer.header("orestes-cache").orElse("none");
    }

    private static String text(Answer answer) {
        return answer.object().getString("text").getValue();
    }

    @Test
    void load_publicObject_maybeKeptByBrowsersAndLongerBySharedCaches() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");

        String control = client.get(id).header("cache-control").orElseThrow();

        Matcher ttls = PUBLIC.matcher(control);
        assertThat(ttls.matches()).as(control).isTrue();
        assertThat(Integer.parseInt(ttls.group(1))).isPositive().isLessThanOrEqualTo(Integer.parseInt(ttls.group(2)));
    }

    @Test
    void load_again_comesFromTheCache() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");

        Answer first = client.get(id);
        Answer second = client.get(id);

        assertThat(source(first)).isEqualTo("miss");
        assertThat(source(second)).isEqualTo("hit");
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.header("etag")).isEqualTo(first.header("etag"));
    }

    @Test
    void load_afterAnyWrite_isNeverOld() {
        String id = client.insert(bucket, "{\"text\":\"0\"}");
        for (int i = 1; i <= 50; i++) {
            assertThat(client.get(id).status()).isEqualTo(200);
            client.update(id, "{\"text\":\"" + i + "\"}");

            assertThat(text(client.get(id))).isEqualTo(String.valueOf(i));
        }
        client.remove(id);
        assertThat(client.get(id).status()).isEqualTo(404);
        client.update(id, "{\"text\":\"again\"}");
        assertThat(text(client.get(id))).isEqualTo("again");
    }

    @Test
    void load_withNoCache_bypassesTheCache() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        assertThat(source(client.get(id))).isEqualTo("miss");

        assertThat(source(client.get(id, "Cache-Control", "max-age=0, no-cache")))
                .isEqualTo("bypass");
        assertThat(source(client.get(id, "Cache-Control", "no-cache"))).isEqualTo("bypass");
        assertThat(source(client.get(id + "?BCB"))).isEqualTo("bypass");
    }

    /** Directives do not depend on case, and several lines are one list (RFC 9111 §5.2, RFC 9110 §5.3). */
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
        assertThat(source(client.get(id))).isEqualTo("miss");

        Answer answer = second == null
                ? client.get(id, "Cache-Control", first)
                : client.get(id, "Cache-Control", first, "Cache-Control", second);

        assertThat(source(answer)).isEqualTo(source);
    }

    /** Else the next who asks in that way got the copy of a browser, which no filter of stale keys names. */
    @ParameterizedTest
    @ValueSource(strings = {"?BCB", "&BCB"})
    void load_withBuster_isKeptByNobody(String buster) {
        String id = client.insert(bucket, "{\"text\":\"a\"}");

        assertThat(client.get(id + buster).header("Cache-Control")).hasValue("no-store");
        assertThat(client.get("/db/" + bucket + "/query?q=%7B%7D&BCB").header("Cache-Control"))
                .hasValue("no-store");
        assertThat(client.get(id).header("Cache-Control"))
                .hasValueSatisfying(shared -> assertThat(shared).startsWith("public"));
    }

    /** One client appends its cache buster to paths without a query (protocol §1.7). */
    @Test
    void anything_busterBehindThePath_isCutOffAndBypassesTheCache() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        assertThat(source(client.get(id))).isEqualTo("miss");

        assertThat(source(client.get(id + "&BCB"))).isEqualTo("bypass");
        assertThat(client.get(id + "&BCB").text()).isEqualTo(client.get(id).text());
        assertThat(client.put(id + "&BCB", "{\"text\":\"b\"}").status()).isEqualTo(200);
        assertThat(text(client.get(id))).isEqualTo("b");
        assertThat(client.get("/connect&BCB").object().keySet()).contains("schema");
        assertThat(client.delete(id + "&BCB").status()).isEqualTo(204);
        assertThat(client.count(bucket)).isZero();
    }

    /** Keys escape the ampersand, so that this is one. */
    @Test
    void put_keyThatLooksLikeABuster_isAKey() {
        String id = "/db/" + bucket + "/a%26BCB";

        client.update(id, "{\"text\":\"a\"}");

        assertThat(client.get(id).object().getString("id").getValue()).isEqualTo(id);
        assertThat(client.get("/db/" + bucket + "/a").status()).isEqualTo(404);
    }

    @Test
    void load_privateObject_isNeverPublicNorShared() {
        String id = root.insert(bucket, "{\"text\":\"secret\"," + FOR_ROOT + "}");

        Answer mine = root.get(id);
        Answer again = root.get(id);

        assertThat(mine.header("cache-control")).hasValue("private, no-cache");
        assertThat(source(mine)).isEqualTo("miss");
        assertThat(again.header("cache-control")).hasValue("private, no-cache");
        assertThat(source(again)).isEqualTo("hit");
        assertThat(client.get(id).status()).isEqualTo(404);
    }

    @Test
    void load_objectThatBecomesPrivate_isGoneForOthersAtOnce() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        assertThat(client.get(id).status()).isEqualTo(200);
        assertThat(source(client.get(id))).isEqualTo("hit");

        root.update(id, "{\"text\":\"secret\"," + FOR_ROOT + "}");

        assertThat(client.get(id).status()).isEqualTo(404);
        assertThat(client.get(id, "If-None-Match", "\"1\"").status()).isEqualTo(404);
        assertThat(text(root.get(id))).isEqualTo("secret");
    }

    @Test
    void load_publicObjectByAUser_carriesNoToken() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");

        for (int i = 0; i < 3; i++) {
            Answer answer = root.get(id);
            assertThat(answer.header("cache-control").orElseThrow()).startsWith("public");
            assertThat(answer.header("baqend-authorization-token")).isEmpty();
        }
    }

    @Test
    void load_objectOfAProtectedClass_isPrivate() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        assertThat(client.get(id).status()).isEqualTo(200);
        assertThat(root.post(
                                "/schema",
                                ("{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%s\",\"acl\":{\"load\":"
                                                + "{\"/db/Role/1\":\"allow\"}}}")
                                        .formatted(bucket))
                        .status())
                .isEqualTo(200);

        assertThat(client.get(id).status()).isEqualTo(466);
        assertThat(root.get(id).header("cache-control")).hasValue("private, no-cache");
    }

    @Test
    void errors_areKeptByNobody() {
        assertThat(client.get("/db/" + bucket + "/none").header("cache-control"))
                .hasValue("no-store");
        String id = client.insert(bucket, "{\"id\":\"/db/" + bucket + "/none\",\"text\":\"now\"}");
        assertThat(text(client.get(id))).isEqualTo("now");
    }

    @Test
    void query_again_comesFromTheCache() {
        client.insert(bucket, "{\"n\":1}");

        Answer first = client.query(bucket, "{\"n\":1}");
        Answer second = client.query(bucket, "{\"n\":1}");

        assertThat(source(first)).isEqualTo("miss");
        assertThat(source(second)).isEqualTo("hit");
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(source(client.query(bucket, "{\"n\":1}", "Cache-Control", "no-cache")))
                .isEqualTo("bypass");
    }

    @Test
    void query_withNoCache_isKeptForOthers() {
        client.insert(bucket, "{\"n\":1}");

        Answer fresh = client.query(bucket, "{\"n\":1}", "Cache-Control", "no-cache");
        Answer plain = client.query(bucket, "{\"n\":1}");

        assertThat(source(fresh)).isEqualTo("bypass");
        assertThat(fresh.header("cache-control").orElseThrow()).startsWith("public, max-age=0, s-maxage=");
        assertThat(source(plain)).isEqualTo("hit");
    }

    @Test
    void query_spelledDifferently_isTheSameCachedResult() {
        client.insert(bucket, "{\"n\":1,\"text\":\"a\"}");
        assertThat(source(client.query(bucket, "{\"n\":1,\"text\":\"a\"}"))).isEqualTo("miss");

        assertThat(source(client.query(bucket, "{ \"text\" : \"a\", \"n\":1 }")))
                .isEqualTo("hit");
    }

    @Test
    void query_matchingWrites_areInTheNextResult() {
        String id = "/db/" + bucket + "/x";
        for (int i = 0; i < 20; i++) {
            assertThat(client.query(bucket, "{\"n\":1}").ids()).isEmpty();
            client.update(id, "{\"n\":1,\"text\":\"a\"}");
            assertThat(client.query(bucket, "{\"n\":1}").ids()).containsExactly(id);
            client.update(id, "{\"n\":1,\"text\":\"b\"}");
            assertThat(client.query(bucket, "{\"n\":1}")
                            .array()
                            .get(0)
                            .asDocument()
                            .getString("text")
                            .getValue())
                    .isEqualTo("b");
            client.update(id, "{\"n\":2}");
            assertThat(client.query(bucket, "{\"n\":1}").ids()).isEmpty();
            client.update(id, "{\"n\":1}");
            assertThat(client.query(bucket, "{\"n\":1}").ids()).containsExactly(id);
            client.remove(id);
        }
    }

    @Test
    void query_writeThatDoesNotMatch_leavesTheCachedResult() {
        String id = client.insert(bucket, "{\"n\":1}");
        assertThat(source(client.query(bucket, "{\"n\":1}"))).isEqualTo("miss");

        client.insert(bucket, "{\"n\":2}");

        Answer after = client.query(bucket, "{\"n\":1}");
        assertThat(source(after)).isEqualTo("hit");
        assertThat(after.ids()).containsExactly(id);
    }

    @Test
    void query_sortedPage_followsWritesOutsideOfThePage() {
        for (int i = 10; i < 20; i++) {
            client.update("/db/" + bucket + "/k" + i, "{\"n\":" + i + "}");
        }
        String page = "/db/" + bucket + "/query?start=2&count=2&sort=" + Client.encode("{\"n\":1}");
        assertThat(client.get(page).ids()).containsExactly("/db/" + bucket + "/k12", "/db/" + bucket + "/k13");
        assertThat(source(client.get(page))).isEqualTo("hit");

        client.update("/db/" + bucket + "/k19", "{\"n\":0}");

        assertThat(client.get(page).ids()).containsExactly("/db/" + bucket + "/k11", "/db/" + bucket + "/k12");
    }

    @Test
    void query_byAUser_isPrivateAndShowsWhatOnlyTheyMayRead() {
        String open = client.insert(bucket, "{\"n\":1}");
        String secret = root.insert(bucket, "{\"n\":1," + FOR_ROOT + "}");
        assertThat(client.query(bucket, "{\"n\":1}").ids()).containsExactly(open);

        Answer mine = root.query(bucket, "{\"n\":1}");

        assertThat(mine.ids()).containsExactlyInAnyOrder(open, secret);
        assertThat(mine.header("cache-control").orElseThrow())
                .contains("private")
                .doesNotContain("public");
        assertThat(source(mine)).isEqualTo("bypass");
        assertThat(client.query(bucket, "{\"n\":1}").ids()).containsExactly(open);
    }

    @Test
    void query_objectThatBecomesPrivate_leavesTheCachedResult() {
        String id = client.insert(bucket, "{\"n\":1}");
        assertThat(client.query(bucket, "{\"n\":1}").ids()).containsExactly(id);
        assertThat(source(client.query(bucket, "{\"n\":1}"))).isEqualTo("hit");

        root.update(id, "{\"n\":1," + FOR_ROOT + "}");

        assertThat(client.query(bucket, "{\"n\":1}").text()).isEqualTo("[]");
    }
}
