package io.orestes.app;

import static io.orestes.app.TestRequests.header;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Writes that make public data private, with a shared cache that hangs and recovers. */
@Timeout(60)
final class VisibilityReductionStageTest {

    private static final String OPEN = "{\"text\":\"a\"}";
    private static final String FOR_ROOT =
            "{\"text\":\"a\",\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}}";
    private static final String QUERY_FOR_ADMINS = "[{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/Todo\","
            + "\"acl\":{\"query\":{\"/db/Role/1\":\"allow\"}}}]";

    private final SharedCacheDouble cache = SharedCacheDouble.listen();
    private final RunningServer running;
    private final TestRequests client;
    private final TestRequests root;

    VisibilityReductionStageTest(@TempDir Path folder) {
        running = RunningServer.start(
                folder.resolve("data"),
                "--root-password=secret",
                "--caching.purge.targets=" + cache.url(),
                "--caching.purge.secret=vanish");
        client = TestRequests.anonymous(running);
        root = TestRequests.root(running);
    }

    @BeforeEach
    void createObject() {
        String todo = "{\"class\":\"/db/Todo\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}}";
        assertThat(root.post("/schema/Todo", todo).statusCode()).isEqualTo(200);
        assertThat(client.put("/db/Todo/a", OPEN).statusCode()).isEqualTo(200);
        assertThat(client.get("/db/Todo/a").statusCode()).isEqualTo(200);
        assertThat(client.get("/db/Todo/query?q=%7B%7D").body()).contains("/db/Todo/a");
    }

    @AfterEach
    void tearDown() {
        running.close();
        cache.close();
    }

    @Test
    void put_hidesAnObject_isAnsweredWhenNoCacheHasItAnyMore() {
        HttpResponse<String> hidden = root.put("/db/Todo/a", FOR_ROOT);

        assertThat(hidden.statusCode()).isEqualTo(200);
        assertThat(cache.purged())
                .as("twice each, as a response may be under way during the first purge")
                .containsSubsequence("/v1/db/Todo/a", "/v1/db/Todo/a")
                .containsSubsequence("/v1/db/Todo/query?q=%7B%7D", "/v1/db/Todo/query?q=%7B%7D");
    }

    @Test
    void put_hidesAnObjectButTheCacheHangs_failsThoughItIsStoredAndSaysSo() {
        cache.hang();

        HttpResponse<String> failed = root.put("/db/Todo/a", FOR_ROOT);

        assertThat(failed.statusCode()).isEqualTo(503);
        assertThat(failed.body()).contains("Version 2 of /db/Todo/a is stored and not public");
        assertThat(client.get("/db/Todo/a").statusCode()).isEqualTo(404);
        assertThat(header(root.get("/db/Todo/a"), "etag")).startsWith("\"2--");
    }

    @Test
    void put_againAfterThat_failsUntilTheCacheHasConfirmed() {
        cache.hang();
        assertThat(root.put("/db/Todo/a", FOR_ROOT).statusCode()).isEqualTo(503);
        assertThat(root.put("/db/Todo/a", FOR_ROOT).statusCode()).isEqualTo(503);

        cache.goOn();
        int status = 503;
        while (status == 503) {
            status = root.put("/db/Todo/a", FOR_ROOT).statusCode();
        }

        assertThat(status).isEqualTo(200);
        assertThat(cache.purged()).contains("/v1/db/Todo/a");
    }

    @Test
    void post_updateThatHidesAnObject_failsLikewiseUntilTheCacheHasConfirmed() {
        String hide = "{\"$put\":{\"acl.read\":{\"/db/User/1\":\"allow\"}}}";
        cache.hang();
        assertThat(root.post("/db/Todo/a", hide).statusCode()).isEqualTo(503);
        assertThat(root.post("/db/Todo/a", "{\"$set\":{\"text\":\"b\"}}").statusCode())
                .isEqualTo(503);
        assertThat(client.get("/db/Todo/a").statusCode()).isEqualTo(404);

        cache.goOn();
        int status = 503;
        while (status == 503) {
            status = root.post("/db/Todo/a", "{}").statusCode();
        }

        assertThat(status).isEqualTo(200);
        assertThat(cache.purged()).contains("/v1/db/Todo/a");
    }

    @Test
    void transaction_hidesAnObjectButTheCacheHangs_failsThoughItIsStoredAndSaysSo() {
        cache.hang();

        HttpResponse<String> failed = commit("{\"partialUpdates\":[{\"ref\":\"/db/Todo/a\","
                + "\"operations\":{\"$put\":{\"acl.read\":{\"/db/User/1\":\"allow\"}}}}]}");

        assertThat(failed.statusCode()).isEqualTo(503);
        assertThat(failed.body()).contains("Version 2 of /db/Todo/a is stored and not public");
        assertThat(client.get("/db/Todo/a").statusCode()).isEqualTo(404);
    }

    @Test
    void transaction_theSameOnceMoreAfterThat_failsUntilTheCacheHasConfirmed() {
        String hide = "{\"partialUpdates\":[{\"ref\":\"/db/Todo/a\","
                + "\"operations\":{\"$put\":{\"acl.read\":{\"/db/User/1\":\"allow\"}}}}]}";
        String transaction = begin();
        cache.hang();
        assertThat(commit(transaction, hide).statusCode()).isEqualTo(503);
        assertThat(commit(transaction, hide).statusCode()).isEqualTo(503);

        cache.goOn();
        int status = 503;
        while (status == 503) {
            status = commit(transaction, hide).statusCode();
        }

        assertThat(status).isEqualTo(200);
        assertThat(cache.purged()).contains("/v1/db/Todo/a");
        assertThat(header(root.get("/db/Todo/a"), "etag")).startsWith("\"2--");
    }

    @Test
    void transaction_hidesAnObject_isAnsweredWhenNoCacheHasItAnyMore() {
        HttpResponse<String> hidden =
                commit("{\"writeSet\":[{\"id\":\"/db/Todo/a\",\"version\":1," + FOR_ROOT.substring(1) + "]}");

        assertThat(hidden.statusCode()).as(hidden.body()).isEqualTo(200);
        assertThat(cache.purged()).contains("/v1/db/Todo/a", "/v1/db/Todo/query?q=%7B%7D");
    }

    @Test
    void bulk_hidesAnObjectButTheCacheHangs_saysSoOfThatWriteAlone() {
        cache.hang();

        HttpResponse<String> written = root.post(
                "/db/Todo/bulk",
                "{\"operations\":[{\"replace\":" + withId(FOR_ROOT) + "},{\"insert\":{\"text\":\"b\"}}]}");

        assertThat(written.statusCode()).isEqualTo(200);
        assertThat(written.body())
                .contains("Version 2 of /db/Todo/a is stored and not public")
                .contains("\"status\":503")
                .contains("\"status\":201");
    }

    private HttpResponse<String> commit(String body) {
        return commit(begin(), body);
    }

    private String begin() {
        return header(root.post("/transaction", "{}"), "location").substring("/v1".length());
    }

    private HttpResponse<String> commit(String transaction, String body) {
        return root.put(transaction + "/committed", body);
    }

    @Test
    void post_updateThatHidesNothing_isAnsweredThoughTheCacheHangs() {
        assertThat(root.put("/db/Todo/mine", FOR_ROOT).statusCode()).isEqualTo(200);
        cache.hang();

        assertThat(client.post("/db/Todo/a", "{\"$set\":{\"text\":\"b\"}}").statusCode())
                .isEqualTo(200);
        assertThat(client.post("/db/Todo/a", "{\"$set\":{\"acl\":null}}").statusCode())
                .isEqualTo(200);
        assertThat(root.post("/db/Todo/mine", "{\"$set\":{\"text\":\"b\"}}").statusCode())
                .isEqualTo(200);
    }

    @Test
    void put_whatHidesNothing_isAnsweredThoughTheCacheHangs() {
        assertThat(root.put("/db/Todo/mine", FOR_ROOT).statusCode()).isEqualTo(200);
        cache.hang();

        assertThat(client.put("/db/Todo/a", OPEN).statusCode()).isEqualTo(200);
        assertThat(root.put("/db/Todo/mine", FOR_ROOT).statusCode()).isEqualTo(200);
        assertThat(root.put("/db/Todo/new", FOR_ROOT).statusCode()).isEqualTo(200);
        assertThat(root.post("/db/Todo", FOR_ROOT).statusCode()).isEqualTo(201);
    }

    @Test
    void schema_hidesAClassButTheCacheHangs_failsThoughItIsInForceAndSaysSo() {
        cache.hang();

        HttpResponse<String> failed = root.post("/schema", QUERY_FOR_ADMINS);

        assertThat(failed.statusCode()).isEqualTo(503);
        assertThat(failed.body()).contains("The schema is changed");
        assertThat(client.get("/db/Todo/query?q=%7B%7D").statusCode()).isEqualTo(466);
    }

    @Test
    void schema_theSameChangeAfterThat_failsUntilTheCacheHasConfirmed() {
        cache.hang();
        assertThat(root.post("/schema", QUERY_FOR_ADMINS).statusCode()).isEqualTo(503);
        assertThat(root.post("/schema", QUERY_FOR_ADMINS).statusCode()).isEqualTo(503);
        assertThat(root.post("/schema/Other", "{\"class\":\"/db/Other\",\"fields\":{}}")
                        .statusCode())
                .as("a class that was not hidden")
                .isEqualTo(200);

        cache.goOn();
        int status = 503;
        while (status == 503) {
            status = root.post("/schema", QUERY_FOR_ADMINS).statusCode();
        }

        assertThat(status).isEqualTo(200);
        assertThat(cache.purged()).contains("/v1/db/Todo/");
    }

    @Test
    void post_afterADeletionTheCacheHasNotConfirmed_failsIfTheNewObjectIsNotPublic() {
        cache.hang();
        assertThat(client.delete("/db/Todo/a").statusCode()).isEqualTo(204);

        HttpResponse<String> failed = root.post("/db/Todo", withId(FOR_ROOT));

        assertThat(failed.statusCode()).isEqualTo(503);
        assertThat(failed.body()).contains("Version 1 of /db/Todo/a is stored and not public");
        assertThat(root.put("/db/Todo/a", FOR_ROOT).statusCode()).isEqualTo(503);
    }

    @Test
    void put_afterADeletionTheCacheHasNotConfirmed_failsLikewise() {
        cache.hang();
        assertThat(client.delete("/db/Todo/a").statusCode()).isEqualTo(204);

        assertThat(root.put("/db/Todo/a", FOR_ROOT).statusCode()).isEqualTo(503);
    }

    @Test
    void post_afterADeletionTheCacheHasConfirmed_isAnswered() {
        assertThat(client.delete("/db/Todo/a").statusCode()).isEqualTo(204);

        assertThat(root.post("/db/Todo", withId(FOR_ROOT)).statusCode()).isEqualTo(201);
    }

    private static String withId(String object) {
        return "{\"id\":\"/db/Todo/a\"," + object.substring(1);
    }
}
