package io.orestes.app;

import static io.orestes.app.TestRequests.header;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Purges by admins, with a shared cache that hangs and recovers. */
@Timeout(60)
final class PurgeByAdminTest {

    private static final String TODO =
            "{\"class\":\"/db/Todo\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}}";

    private final SharedCacheDouble cache = SharedCacheDouble.listen();
    private final RunningServer running;
    private final TestRequests client;
    private final TestRequests root;

    PurgeByAdminTest(@TempDir Path folder) {
        running = RunningServer.start(
                folder.resolve("data"),
                "--root-password=secret",
                "--caching.purge.targets=" + cache.url(),
                "--caching.purge.secret=vanish");
        client = TestRequests.anonymous(running);
        root = TestRequests.root(running);
    }

    @BeforeEach
    void readObject() {
        assertThat(root.post("/schema/Todo", TODO).statusCode()).isEqualTo(200);
        assertThat(client.put("/db/Todo/a", "{\"text\":\"a\"}").statusCode()).isEqualTo(200);
        assertThat(client.get("/db/Todo/a").statusCode()).isEqualTo(200);
    }

    @AfterEach
    void tearDown() {
        running.close();
        cache.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/-/caching", "/-/caching/entry?url=/db/Todo/a"})
    void purge_cacheHangs_failsUntilItHasConfirmed(String purged) {
        cache.hang();

        HttpResponse<String> unconfirmed = root.delete(purged);

        assertThat(unconfirmed.statusCode()).isEqualTo(503);
        assertThat(header(unconfirmed, "retry-after")).containsOnlyDigits();
        assertThat(unconfirmed.body()).contains("a shared cache has not confirmed the purge");
        assertThat(header(client.get("/db/Todo/a"), "orestes-cache")).isEqualTo("miss");

        cache.goOn();
        int status = 503;
        while (status == 503) {
            status = root.delete(purged).statusCode();
        }

        assertThat(status).isEqualTo(204);
    }
}
