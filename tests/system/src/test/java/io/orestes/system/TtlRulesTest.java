package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code caching.ttl} makes of the cache headers, by class. */
final class TtlRulesTest {

    private static final String FIELDS = "\"fields\":{\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}";

    private final Path data;

    TtlRulesTest(@TempDir Path data) {
        this.data = data;
    }

    @Test
    void rules_byClass_areSeenInCacheControl() throws Exception {
        try (ServerProcess server = Launcher.here()
                .start(
                        data,
                        "--root-password",
                        Backend.ROOT_PASSWORD,
                        "--caching.share-queries",
                        "--caching.ttl",
                        "auto,Log=off,News=30s/10m")) {
            Client client = Client.anonymous(server);
            Client root = client.login("root", Backend.ROOT_PASSWORD);

            assertThat(loaded(client, root, "Log")).isEqualTo("public, no-cache");
            assertThat(queried(client, "Log")).isEqualTo("public, no-cache");
            assertThat(loaded(client, root, "News")).isEqualTo("public, max-age=30, s-maxage=600");
            assertThat(queried(client, "News")).isEqualTo("public, max-age=0, s-maxage=600");
            assertThat(loaded(client, root, "Todo")).isEqualTo("public, max-age=600, s-maxage=3600");
        }
    }

    private static String loaded(Client client, Client root, String bucket) {
        Answer created = root.post("/schema", "{\"class\":\"/db/%s\",%s}".formatted(bucket, FIELDS));
        assertThat(created.status()).isEqualTo(200);
        return control(client.get(client.insert(bucket, "{\"n\":1}")));
    }

    private static String queried(Client client, String bucket) {
        return control(client.query(bucket, "{\"n\":1}"));
    }

    private static String control(Answer answer) {
        return answer.header("cache-control").orElseThrow();
    }
}
