package io.orestes.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Query results in browser caches from before a restart; the new process watches none of them. */
@Timeout(60)
final class RestartedQueriesTest {

    private static final String QUERY = "/db/Todo/query?q=%7B%7D";

    @Test
    void write_afterACleanRestart_findsTheResultsOfBeforeStale(@TempDir Path folder) {
        try (RunningServer first = start(folder)) {
            String todo = "{\"class\":\"/db/Todo\",\"fields\":{}}";
            assertThat(TestRequests.root(first).post("/schema/Todo", todo).statusCode())
                    .isEqualTo(200);
            assertThat(TestRequests.header(TestRequests.anonymous(first).get(QUERY), "cache-control"))
                    .contains("max-age=");
        }

        try (RunningServer second = start(folder)) {
            assertThat(TestRequests.anonymous(second).put("/db/Todo/a", "{}").statusCode())
                    .isEqualTo(200);

            assertThat(TestRequests.root(second).get("/bloomfilter/expirations").body())
                    .contains("/db/Todo/query?");
        }
    }

    private static RunningServer start(Path folder) {
        return RunningServer.start(folder.resolve("data"), "--root-password=secret");
    }
}
