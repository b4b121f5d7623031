package io.orestes.app;

import static io.orestes.app.TestRequests.header;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Effect of {@code Orestes-Consistency} and of a class's setting on reads and on response headers.
 */
final class ConsistencyHeaderTest {

    private static final String CONSISTENCY = "Orestes-Consistency";
    private static final String ALL = "/query?q=%7B%7D";

    private final RunningServer running;
    private final TestRequests client;

    ConsistencyHeaderTest(@TempDir Path folder) {
        running = RunningServer.start(
                folder.resolve("data"),
                "--root-password=secret",
                "--caching.share-queries",
                "--caching.consistency=News=any,Stock=bounded;max-age=5,Vote=fresh");
        client = TestRequests.anonymous(running);
    }

    @BeforeEach
    void createClasses() {
        TestRequests root = TestRequests.root(running);
        for (String name : new String[] {"Todo", "News", "Stock", "Vote"}) {
            assertThat(root.post("/schema/" + name, "{\"class\":\"/db/" + name + "\",\"fields\":{}}")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(client.post("/db/" + name, "{\"id\":\"/db/" + name + "/a\"}")
                            .statusCode())
                    .isEqualTo(201);
        }
    }

    @AfterEach
    void tearDown() {
        running.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/db/Todo/a", "/db/Todo" + ALL})
    void get_fresh_isReadFromTheStoreAndNotShared(String path) {
        HttpResponse<String> plain = client.get(path);
        assertThat(header(client.get(path), "orestes-cache")).isEqualTo("hit");

        HttpResponse<String> fresh = client.get(path, CONSISTENCY, "fresh");

        assertThat(header(fresh, "orestes-cache")).isEqualTo("bypass");
        assertThat(header(fresh, "cache-control")).isEqualTo("public, no-cache");
        assertThat(header(fresh, "orestes-bound")).isEqualTo("0");
        assertThat(header(fresh, "age")).isEqualTo("0");
        assertThat(header(fresh, "etag")).isEqualTo(header(plain, "etag"));
        assertThat(header(fresh, "vary")).contains("orestes-consistency");
    }

    /**
     * An intermediate cache knows the header by {@code Vary} only. It must serve no response made
     * for another demand.
     */
    @ParameterizedTest
    @ValueSource(strings = {"/db/Todo/a", "/db/Todo" + ALL})
    void get_plainAfterEveryDemand_isTheSameAsBefore(String path) {
        HttpResponse<String> first = client.get(path);
        for (String demand : new String[] {"any", "bounded", "bounded; max-age=5", "fresh"}) {
            assertThat(client.get(path, CONSISTENCY, demand).statusCode()).isEqualTo(200);
        }

        HttpResponse<String> hit = client.get(path);

        assertThat(header(hit, "orestes-cache")).isEqualTo("hit");
        assertThat(header(hit, "vary")).contains("orestes-consistency").isEqualTo(header(first, "vary"));
        assertThat(header(hit, "orestes-bound")).isEqualTo(header(first, "orestes-bound"));
        assertThat(header(hit, "age")).isEqualTo("0");
        assertThat(header(hit, "cache-control"))
                .isEqualTo(header(first, "cache-control"))
                .doesNotContain("stale");
        assertThat(header(hit, "cache-control")).contains("s-maxage=" + header(hit, "orestes-bound"));
    }

    @ParameterizedTest
    @CsvSource({"any, hit, max-age", "bounded, hit, max-age", "bounded; max-age=5, hit, no-cache"})
    void get_weakerDemand_isAnsweredFromTheCache(String demand, String source, String keeping) {
        assertThat(client.get("/db/Todo/a").statusCode()).isEqualTo(200);

        HttpResponse<String> answer = client.get("/db/Todo/a", CONSISTENCY, demand);

        assertThat(header(answer, "orestes-cache")).isEqualTo(source);
        assertThat(header(answer, "cache-control")).startsWith("public, " + keeping);
    }

    @Test
    void get_anyBesideNoCache_isFresh() {
        assertThat(client.get("/db/Todo/a").statusCode()).isEqualTo(200);

        HttpResponse<String> answer = client.get("/db/Todo/a", CONSISTENCY, "any", "Cache-Control", "no-cache");

        assertThat(header(answer, "orestes-cache")).isEqualTo("bypass");
    }

    @Test
    void post_query_obeysTheSameHeader() {
        String path = "/db/Todo/query";
        assertThat(header(client.post(path, "{}"), "orestes-cache")).isEqualTo("miss");
        assertThat(header(client.post(path, "{}"), "orestes-cache")).isEqualTo("hit");

        HttpResponse<String> fresh = client.post(path, "{}", CONSISTENCY, "fresh");

        assertThat(header(fresh, "orestes-cache")).isEqualTo("bypass");
        assertThat(header(fresh, "cache-control")).isEqualTo("no-store");
        assertThat(header(fresh, "orestes-bound")).isEqualTo("0");
        assertThat(client.post(path, "{}", CONSISTENCY, "maybe").statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"strong", "any, fresh", "bounded; max-age=x", "fresh; max-age=5", "bounded; min-fresh=5"})
    void get_unknownDemand_is400EvenIfTheAnswerIsCached(String demand) {
        for (String path :
                new String[] {"/db/Todo/a", "/db/Todo" + ALL, "/db/Todo" + ALL + "&aggregate=%7B%22_id%22:null%7D"}) {
            assertThat(client.get(path).statusCode()).isEqualTo(200);

            HttpResponse<String> refused = client.get(path, CONSISTENCY, demand);

            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("\"reason\":\"Bad Request\"", CONSISTENCY);
            assertThat(header(refused, "cache-control")).isEqualTo("no-store");
        }
    }

    @Test
    void get_twoDemands_is400() {
        assertThat(client.get("/db/Todo/a", CONSISTENCY, "any", CONSISTENCY, "fresh")
                        .statusCode())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/db/Vote/a", "/db/Vote" + ALL})
    void get_ofAClassThatIsAlwaysFresh_isNotCachedWhateverIsDemanded(String path) {
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> answer = i == 2 ? client.get(path, CONSISTENCY, "any") : client.get(path);

            assertThat(header(answer, "orestes-cache")).isEqualTo("bypass");
            assertThat(header(answer, "cache-control")).isEqualTo("public, no-cache");
            assertThat(header(answer, "orestes-bound")).isEqualTo("0");
        }
    }

    @Test
    void get_ofAClassWithABound_livesNoLonger() {
        assertThat(header(client.get("/db/Stock/a"), "orestes-bound")).isEqualTo("5");
        assertThat(header(client.get("/db/Stock/a"), "cache-control")).isEqualTo("public, max-age=5, s-maxage=5");
        assertThat(header(client.get("/db/Stock" + ALL), "cache-control")).isEqualTo("public, max-age=0, s-maxage=5");
    }

    @Test
    void get_ofAClassThatTakesAny_maySpendTheEndOfItsLifeExpired() {
        assertThat(header(client.get("/db/News/a"), "cache-control"))
                .isEqualTo("public, max-age=540, s-maxage=3540, stale-while-revalidate=60, stale-if-error=60");
        assertThat(header(client.get("/db/News/a"), "orestes-bound")).isEqualTo("3600");
    }
}
