package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** MongoDB is paused behind a server and a Varnish: which copies are served, and for how long. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class StaleIfErrorTest {

    /**
     * Time to live of copies of both classes in seconds; copies of a relaxed class are expired in
     * its last tenth.
     */
    private static final int LIFE = 60;

    private static final int FRESH = 54;
    private static final Duration LONGEST_OUTAGE = Duration.ofMinutes(2);

    @Test
    void mongodIsPaused_expiredCopiesOfARelaxedClassAreServedWithinTheirLife(@TempDir Path folder) throws Exception {
        try (Mongod mongo = Mongod.replicaSet(folder.resolve("mongo"));
                PurgedVarnish pair = start(folder, mongo)) {
            Client direct = pair.direct();
            Client root = pair.root();
            createClass(root, "Relaxed");
            createClass(root, "Strict");
            String relaxed = direct.insert("Relaxed", "{\"text\":\"kept\"}");
            String strict = direct.insert("Strict", "{\"text\":\"kept\"}");
            Client client = pair.through();

            assertThat(client.get(relaxed).header("cache-control").orElseThrow())
                    .isEqualTo("public, max-age=54, s-maxage=54, stale-while-revalidate=6, stale-if-error=6");
            assertThat(client.get(strict).header("cache-control").orElseThrow())
                    .isEqualTo("public, max-age=60, s-maxage=60");
            // the result of a slow fetch is not cached, and copies from before the second purge
            // after the insertion are removed
            Waiting.until("copies are cached", () -> isKept(client, relaxed) && isKept(client, strict));
            mongo.pause();
            Outage outage = new Outage(client, relaxed, strict);
            try {
                outage.watch();
                assertUnavailable(client.get(relaxed, "Cache-Control", "no-cache"));
            } finally {
                mongo.resume();
            }

            assertThat(outage.relaxedAges).as("served expired").anyMatch(age -> age >= FRESH);
            assertThat(outage.relaxedAges).as("never after its life").allMatch(age -> age <= LIFE + 1);
            assertThat(outage.strictAges).isNotEmpty().allMatch(age -> age <= LIFE + 1);
            assertUnavailable(outage.lastRelaxed);
            assertUnavailable(outage.lastStrict);
            Waiting.until("MongoDB is back", () -> client.get(relaxed).status() == 200);
        }
    }

    private static boolean isKept(Client client, String id) {
        return client.get(id)
                .header("age")
                .filter(age -> Integer.parseInt(age) >= 3)
                .isPresent();
    }

    private static void assertUnavailable(Answer answer) {
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("retry-after")).isPresent();
    }

    private static void createClass(Client root, String name) {
        Answer created = root.post(
                "/schema/" + name,
                "{\"class\":\"/db/%s\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}}"
                        .formatted(name));
        assertThat(created.status()).as(created.text()).isEqualTo(200);
    }

    /**
     * The server has no cache of its own, as its copies would live on in Varnish for a second life.
     */
    private static PurgedVarnish start(Path folder, Mongod mongo) throws Exception {
        return new PurgedVarnish(
                folder,
                mongo,
                "--mongo.deadline=5s",
                "--caching.response-bytes=0",
                "--caching.ttl=auto,Relaxed=60s/60s,Strict=60s/60s",
                "--caching.consistency=Relaxed=any");
    }

    /** Results of plain reads of two objects until neither is answered any more. */
    private static final class Outage {

        private final Client client;
        private final String relaxed;
        private final String strict;
        private final List<Integer> relaxedAges = new ArrayList<>();
        private final List<Integer> strictAges = new ArrayList<>();
        private Answer lastRelaxed;
        private Answer lastStrict;

        private Outage(Client client, String relaxed, String strict) {
            this.client = client;
            this.relaxed = relaxed;
            this.strict = strict;
            this.lastRelaxed = client.get(relaxed);
            this.lastStrict = client.get(strict);
        }

        void watch() {
            long end = System.nanoTime() + LONGEST_OUTAGE.toNanos();
            while (System.nanoTime() < end && (lastRelaxed.status() == 200 || lastStrict.status() == 200)) {
                lastRelaxed = read(relaxed, relaxedAges);
                lastStrict = read(strict, strictAges);
                Waiting.pause(Duration.ofMillis(200));
            }
        }

        private Answer read(String id, List<Integer> ages) {
            Answer answer = client.get(id);
            if (answer.status() == 200) {
                assertThat(answer.text()).contains("kept");
                ages.add(Integer.parseInt(answer.header("age").orElseThrow()));
            }
            return answer;
        }
    }
}
