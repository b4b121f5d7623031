package io.orestes.app;

import static io.orestes.app.TestRequests.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Canonical URLs: how a query's URL is found, how its other spellings are handled, and that no tag
 * ever identifies two bodies.
 */
@Timeout(60)
final class CanonicalUrlTest {

    private static final String TODO =
            "{\"class\":\"/db/Todo\",\"fields\":{\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}}";
    private static final String CANONICAL = "/db/Todo/query?count=5&q=" + encode("{\"id\":{\"$gt\":\"\"},\"n\":1}");
    private static final List<String> SPELLINGS = List.of(
            "/db/Todo/query?count=5&q=" + encode("{\"n\":1,\"id\":{\"$gt\":\"\"}}"),
            "/db/Todo/query?start=0&count=5&sort=%7B%7D&q=" + encode("{ \"n\" : 1, \"id\":{\"$gt\":\"\"}}"),
            "/db/Todo/query?count=5&eager=true&q=" + encode("{\"n\":1,\"id\":{\"$gt\":\"\"}}") + "&extra=1");

    private final SharedCacheDouble cache = SharedCacheDouble.listen();
    private final Path folder;
    private RunningServer running;
    private TestRequests client;

    CanonicalUrlTest(@TempDir Path folder) {
        this.folder = folder;
        running = start();
        client = TestRequests.anonymous(running);
    }

    private RunningServer start(String... more) {
        String[] flags = {
            "--root-password=secret", "--caching.purge.targets=" + cache.url(), "--caching.purge.secret=vanish"
        };
        List<String> all = new ArrayList<>(List.of(flags));
        all.addAll(List.of(more));
        return RunningServer.start(folder.resolve("data"), all.toArray(String[]::new));
    }

    @BeforeEach
    void createObject() {
        assertThat(TestRequests.root(running).post("/schema/Todo", TODO).statusCode())
                .isEqualTo(200);
        assertThat(client.put("/db/Todo/a", "{\"n\":1}").statusCode()).isEqualTo(200);
    }

    @AfterEach
    void tearDown() {
        running.close();
        cache.close();
    }

    @Test
    void queryUrl_ofAnySpelling_isTheCanonicalOne() {
        for (String spelling : SPELLINGS) {
            HttpResponse<String> answer = client.get(spelling.replace("/query?", "/query/url?"));

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(new JsonObject(answer.body()).getString("url")).isEqualTo("/v1" + CANONICAL);
        }
        assertThat(client.get("/db/Todo/query/url?q=%7B").statusCode()).isEqualTo(471);
        assertThat(client.get("/db/None/query/url?q=%7B%7D").statusCode()).isEqualTo(461);
    }

    @Test
    void query_inAnySpelling_isOneCachedResultForSharedCaches() {
        HttpResponse<String> first = client.get(CANONICAL);

        for (String spelling : SPELLINGS) {
            HttpResponse<String> same = client.get(spelling);

            assertThat(header(same, "orestes-cache")).isEqualTo("hit");
            assertThat(header(same, "etag")).isEqualTo(header(first, "etag"));
            assertThat(header(same, "cache-control")).contains("s-maxage");
        }
    }

    @Test
    void query_resultChanges_everySpellingThatWasAnsweredIsPurgedBeforeTheWriteIsAnswered() {
        SPELLINGS.forEach(
                spelling -> assertThat(client.get(spelling).statusCode()).isEqualTo(200));
        cache.purged().clear();

        assertThat(client.put("/db/Todo/b", "{\"n\":1}").statusCode()).isEqualTo(200);

        Set<String> expected = new HashSet<>(Set.of("/v1" + CANONICAL));
        SPELLINGS.forEach(spelling -> expected.add("/v1" + spelling));
        assertThat(cache.purged()).containsAll(expected);
    }

    @Test
    void query_spellingThatCannotBeRemembered_isForNoSharedCache() {
        running.close();
        running = start("--caching.purge.spellings=0");
        client = TestRequests.anonymous(running);

        for (int i = 0; i < 2; i++) {
            assertThat(header(client.get(CANONICAL), "cache-control")).startsWith("public, max-age=0, s-maxage=");
            for (String spelling : SPELLINGS) {
                HttpResponse<String> unshared = client.get(spelling);

                assertThat(header(unshared, "cache-control")).isEqualTo("private, no-cache");
                assertThat(header(unshared, "orestes-bound")).isEqualTo("0");
            }
        }
    }

    /**
     * A request line may name scheme and host, too (RFC 9112 §3.2.2). A purge of such a URL could
     * not be sent.
     */
    @ParameterizedTest
    @ValueSource(strings = {"http://a", "foo://a"})
    void query_askedForByAnAbsoluteUri_isForNoSharedCacheAndHarmsNoOtherResult(String origin) throws IOException {
        for (int count = 0; count < 20; count++) {
            assertThat(ask(origin + "/v1/db/Todo/query?q=%7B%20%7D&count=" + count))
                    .startsWith("HTTP/1.1 200")
                    .contains("cache-control: private, no-cache");
            assertThat(client.get("/db/Todo/query?start=0&count=" + count).statusCode())
                    .isEqualTo(200);
        }
        cache.purged().clear();

        assertThat(client.put("/db/Todo/0", "{\"n\":1}").statusCode()).isEqualTo(200);

        for (int count = 1; count < 20; count++) {
            assertThat(client.get("/db/Todo/query?start=0&count=" + count).body())
                    .contains("/db/Todo/0");
            assertThat(cache.purged()).contains("/v1/db/Todo/query?start=0&count=" + count);
        }
    }

    /** Sends a request line with this target and returns the response. */
    private String ask(String target) throws IOException {
        URI server = URI.create(running.server().url());
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.getOutputStream()
                    .write(("GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void etag_ofAnObject_neverRepeatsOverLivesAndPermissions() {
        TestRequests root = TestRequests.root(running);
        Set<String> tags = new HashSet<>();
        for (int life = 0; life < 3; life++) {
            tags.add(tagAfter(root.put("/db/Todo/a", "{\"n\":1}")));
            tags.add(tagAfter(
                    root.put("/db/Todo/a", "{\"n\":1,\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}}")));
            tags.add(tagAfter(root.put("/db/Todo/a", "{\"n\":1}")));
            assertThat(root.delete("/db/Todo/a").statusCode()).isEqualTo(204);
        }

        assertThat(tags).hasSize(9);
    }

    /**
     * The tag reflects result, form and rendering. An older copy is confirmed only if its text is
     * identical.
     */
    @Test
    void etag_ofAQuery_neverStandsForTwoBodies() {
        Set<String> tags = new HashSet<>();
        Set<String> bodies = new HashSet<>();
        TestRequests root = TestRequests.root(running);
        for (int n = 0; n < 3; n++) {
            for (String form : List.of("", "&ids=true")) {
                HttpResponse<String> answer = client.get("/db/Todo/query?q=%7B%7D" + form);
                tags.add(header(answer, "etag"));
                bodies.add(answer.body());
            }
            assertThat(root.delete("/db/Todo/a").statusCode()).isEqualTo(204);
            assertThat(root.put("/db/Todo/a", "{\"n\":1}").statusCode()).isEqualTo(200);
        }
        assertThat(root.post("/schema/Todo", TODO.replace("\"n\"", "\"m\"")).statusCode())
                .isEqualTo(200);
        HttpResponse<String> remodelled = client.get("/db/Todo/query?q=%7B%7D");
        tags.add(header(remodelled, "etag"));
        bodies.add(remodelled.body());

        assertThat(tags).hasSameSizeAs(bodies).hasSize(5);
    }

    @Test
    void ifMatch_bareVersion_works() {
        HttpResponse<String> stored = client.put("/db/Todo/a", "{\"n\":2}", "If-Match", "\"1\"");

        assertThat(stored.statusCode()).isEqualTo(200);
        assertThat(client.put("/db/Todo/a", "{\"n\":3}", "If-Match", "1").statusCode())
                .isEqualTo(412);
    }

    @Test
    void query_eitherForm_staysCurrentWhicheverIsChosen() {
        String either = "/db/Todo/query?ids=auto&q=%7B%7D";
        for (int i = 0; i < 10; i++) {
            assertThat(client.put("/db/Todo/o" + i, "{\"n\":1}").statusCode()).isEqualTo(200);
        }
        assertThat(client.get(either).body()).contains("\"n\":1");
        for (int i = 0; i < 6; i++) {
            assertThat(client.put("/db/Todo/o1", "{\"n\":2}").statusCode()).isEqualTo(200);
            assertThat(client.get("/db/Todo/query?q=%7B%7D").body()).contains("\"n\":2");
        }
        assertThat(client.get(either).body()).startsWith("[\"/db/Todo/");
        cache.purged().clear();

        assertThat(client.delete("/db/Todo/o1").statusCode()).isEqualTo(204);

        assertThat(client.get(either).body()).doesNotContain("/db/Todo/o1");
        assertThat(cache.purged()).contains("/v1" + either, "/v1/db/Todo/query?ids=true");
        assertThat(client.get("/db/Todo/query?ids=maybe").statusCode()).isEqualTo(400);
    }

    private static String tagAfter(HttpResponse<String> written) {
        assertThat(written.statusCode()).isEqualTo(200);
        return header(written, "etag");
    }

    private static String encode(String json) {
        return URLEncoder.encode(json, StandardCharsets.UTF_8);
    }
}
