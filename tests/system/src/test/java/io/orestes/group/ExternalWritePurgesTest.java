package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes of other programs into MongoDB purge copies in a genuine Varnish, which would otherwise
 * live for hours.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class ExternalWritePurgesTest {

    private static final String BUCKET = "Note";
    private static final String QUERY = "/db/Note/query?q=%7B%22text%22%3A%22new%22%7D";

    @Test
    void foreignWrites_endCopiesOfObjectsAndResultsInVarnish(@TempDir Path folder) throws Exception {
        try (Mongod mongo = Mongod.replicaSet(folder.resolve("mongo"));
                PurgedVarnish pair = new PurgedVarnish(
                        folder,
                        mongo,
                        "--caching.browser-max-ttl=6h",
                        "--caching.shared-max-ttl=6h",
                        "--caching.ttl=6h/6h")) {
            createClass(pair.root());
            String id = pair.direct().insert(BUCKET, "{\"text\":\"old\"}");
            Client client = pair.through();
            Waiting.until("copies are cached", () -> isKept(client.get(id)) && isKept(client.get(QUERY)));
            assertThat(client.get(QUERY).array()).isEmpty();

            mongo.update(PurgedVarnish.DATABASE, BUCKET, id, "{$set: {text: 'new'}}", false);

            Waiting.until("the object is purged", () -> client.get(id).text().contains("new"));
            Waiting.until("the result is purged", () -> client.get(QUERY).ids().contains(id));
            Waiting.until("new copies are cached", () -> isKept(client.get(id)) && isKept(client.get(QUERY)));

            mongo.delete(PurgedVarnish.DATABASE, BUCKET, id);

            Waiting.until("the object is purged again", () -> client.get(id).status() == 404);
            Waiting.until(
                    "the result is purged again",
                    () -> client.get(QUERY).array().isEmpty());
        }
    }

    /** A copy from before the second purge, a second after the last write, is removed. */
    private static boolean isKept(Answer answer) {
        return answer.header("age").filter(age -> Integer.parseInt(age) >= 3).isPresent();
    }

    private static void createClass(Client root) {
        Answer created = root.post(
                "/schema",
                "{\"class\":\"/db/Note\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}}");
        assertThat(created.status()).as(created.text()).isEqualTo(200);
    }
}
