package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Client;
import io.orestes.support.process.Waiting;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Bloom filter's size follows the number of stale keys, and clients that read {@code m} and
 * {@code h} are unaffected.
 */
final class FilterSizeTest {

    private static final String SCHEMA =
            "{\"class\":\"/db/Item\",\"fields\":{\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}}";
    private static final int SMALLEST_BITS = 959;
    private static final int TWICE_BITS = 1_918;

    private final Path data;

    FilterSizeTest(@TempDir Path data) {
        this.data = data;
    }

    @Test
    @Timeout(90)
    void filter_outgrownAndEmptyAgain_isLargerMeanwhileAndMissesNoKey() throws Exception {
        try (ServerProcess server = Launcher.here()
                .start(
                        data,
                        "--root-password",
                        Backend.ROOT_PASSWORD,
                        "--caching.sketch-keys",
                        "100",
                        "--caching.ttl",
                        "8s")) {
            Client client = Client.anonymous(server);
            Client root = client.login("root", Backend.ROOT_PASSWORD);
            assertThat(root.post("/schema", SCHEMA).status()).isEqualTo(200);
            List<String> ids = IntStream.range(0, 130)
                    .mapToObj(i -> client.insert("Item", "{\"n\":1}"))
                    .toList();
            assertThat(bits(client)).isEqualTo(SMALLEST_BITS);

            ids.forEach(id -> makeStale(client, id));

            BloomFilterReader filter = new BloomFilterReader(filter(client));
            assertThat(bits(client)).isEqualTo(TWICE_BITS);
            assertThat(ids).allMatch(filter::contains);
            assertThat(root.get("/-/metrics").text())
                    .contains("orestes_caching_sketch_capacity 200.0")
                    .contains("orestes_caching_sketch_resizes_total{to=\"larger\"} 1.0");

            awaitSmallest(client);
            awaitLogged(server, "resized to 1918 bits, for 200 keys at most");
            awaitLogged(server, "resized to 959 bits, for 100 keys at most");
        }
    }

    private static void makeStale(Client client, String id) {
        assertThat(client.get(id).header("cache-control")).hasValue("public, max-age=8, s-maxage=8");
        client.update(id, "{\"n\":2}");
    }

    /** Waits some seconds, until the copies have expired; the time limit is the test's. */
    private static void awaitSmallest(Client client) {
        int bits = bits(client);
        while (bits != SMALLEST_BITS) {
            assertThat(bits).isEqualTo(TWICE_BITS);
            bits = bits(client);
        }
    }

    /** Another thread reads the output of the process. */
    private static void awaitLogged(ServerProcess server, String text) {
        Waiting.until("logged: " + text, () -> server.command().errors().contains(text));
    }

    private static int bits(Client client) {
        return filter(client).getNumber("m").intValue();
    }

    private static BsonDocument filter(Client client) {
        return client.get("/bloomfilter", "Cache-Control", "max-age=0, no-cache")
                .object();
    }
}
