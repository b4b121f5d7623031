package io.orestes.system;

import io.orestes.support.http.Client;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import io.restassured.response.Response;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The effect of {@code caching.ttl} on the cache headers, by class. */
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

            load(client, root, "Log").then().header("cache-control", "public, no-cache");
            query(client, "Log").then().header("cache-control", "public, no-cache");
            load(client, root, "News").then().header("cache-control", "public, max-age=30, s-maxage=600");
            query(client, "News").then().header("cache-control", "public, max-age=0, s-maxage=600");
            load(client, root, "Todo").then().header("cache-control", "public, max-age=600, s-maxage=3600");
        }
    }

    private static Response load(Client client, Client root, String bucket) {
        root.given()
                .body("{\"class\":\"/db/%s\",%s}".formatted(bucket, FIELDS))
                .when()
                .post("/schema")
                .then()
                .statusCode(200);
        return client.given().when().get(client.insert(bucket, "{\"n\":1}"));
    }

    private static Response query(Client client, String bucket) {
        return client.given().when().get(Client.queryPath(bucket, "{\"n\":1}"));
    }
}
