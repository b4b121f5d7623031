package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.system.Answer;
import io.orestes.system.Backend;
import io.orestes.system.Client;
import io.orestes.system.Launcher;
import io.orestes.system.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** MongoDB stands still behind a server and a Varnish: which copies are answers, and for how long. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class StaleIfErrorTest {

    private static final String SECRET = "vanish";

    /** Of copies of both classes; in that of a relaxed one the last tenth is spent expired. */
    private static final int LIFE = 40;

    private static final int FRESH = 36;
    private static final Duration LONGEST_OUTAGE = Duration.ofSeconds(100);

    @Test
    void mongodStandsStill_expiredCopiesOfARelaxedClassAreServedWithinTheirLife(@TempDir Path folder) throws Exception {
        // root's varnishd turns into another user
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<Integer> ports = Ports.free(2);
        try (MongoServer mongo = MongoServer.standalone(folder.resolve("mongo"));
                ServerProcess varnish = startVarnish(folder, ports);
                ServerProcess server = startServer(folder, ports, mongo)) {
            Client direct = Client.anonymous(server);
            Client root = direct.login("root", Backend.ROOT_PASSWORD);
            createClass(root, "Relaxed");
            createClass(root, "Strict");
            String relaxed = direct.insert("Relaxed", "{\"text\":\"kept\"}");
            String strict = direct.insert("Strict", "{\"text\":\"kept\"}");
            Client client = Client.anonymous(varnish);

            assertThat(client.get(relaxed).header("cache-control").orElseThrow())
                    .isEqualTo("public, max-age=36, s-maxage=36, stale-while-revalidate=4, stale-if-error=4");
            assertThat(client.get(strict).header("cache-control").orElseThrow())
                    .isEqualTo("public, max-age=40, s-maxage=40");
            // what came of a slow fetch is not kept, and what was there at the second purge after the insertion is gone
            Waiting.until("copies are kept", () -> isKept(client, relaxed) && isKept(client, strict));
            mongo.signal("STOP");
            Outage outage = new Outage(client, relaxed, strict);
            try {
                outage.watch();
                assertUnavailable(client.get(relaxed, "Cache-Control", "no-cache"));
            } finally {
                mongo.signal("CONT");
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

    /** Without a cache of its own, as its copies would live on in Varnish for a second life. */
    private static ServerProcess startServer(Path folder, List<Integer> ports, MongoServer mongo)
            throws InterruptedException {
        return ServerProcess.whenReady(Launcher.here()
                .with("ORESTES_CACHING_PURGE_SECRET", SECRET)
                .run(
                        "start",
                        "--port=" + ports.get(0),
                        "--data=" + folder.resolve("data"),
                        "--root-password=" + Backend.ROOT_PASSWORD,
                        "--mongo=" + mongo.address("stale"),
                        "--mongo.deadline=5s",
                        "--caching.response-bytes=0",
                        "--caching.ttl=auto,Relaxed=40s/40s,Strict=40s/40s",
                        "--caching.consistency=Relaxed=any",
                        "--caching.purge.targets=http://127.0.0.1:" + ports.get(1)));
    }

    private static ServerProcess startVarnish(Path folder, List<Integer> ports) throws InterruptedException {
        return ServerProcess.whenReady(Launcher.here()
                .with("TMPDIR", folder.toString())
                .with("ORESTES_PURGE_SECRET", SECRET)
                .run("varnish", "--listen=127.0.0.1:" + ports.get(1), "--backend=127.0.0.1:" + ports.get(0)));
    }

    /** What plain reads of two objects bring until neither is answered any more. */
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
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
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
