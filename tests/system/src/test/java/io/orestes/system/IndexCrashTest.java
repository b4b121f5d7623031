package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Client;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server is killed while it fills an index; the next one continues, and queries are right all
 * the time.
 */
@Tag("full")
final class IndexCrashTest {

    private static final int OBJECTS = 15_000;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Path data;

    IndexCrashTest(@TempDir Path data) {
        this.data = data;
    }

    /** The seed decides the moment in the build; plain and unique indexes alternate. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 2, 3})
    void kill9_whileAnIndexIsFilled_leavesOneThatBecomesRight(long seed) throws Exception {
        String index = index("a", seed % 2 == 1);
        long oneBuild = createObjects();
        long delay = (long) (oneBuild * new Random(seed).nextDouble());
        try (ServerProcess server = start()) {
            Client root = login(server);
            CompletableFuture<Void> building = CompletableFuture.runAsync(() -> declare(root, index));
            new CompletableFuture<Boolean>()
                    .completeOnTimeout(true, delay, TimeUnit.NANOSECONDS)
                    .join();

            server.kill();

            building.join();
        }
        try (ServerProcess again = start()) {
            Client root = login(again);
            assertRight(root);
            changeSome(root);
            // declares the index if the server was killed before; else it changes nothing
            assertThat(root.post("/index/Crash", index).status()).isEqualTo(202);
            awaitBuilt(root, () -> assertChanged(root));
            assertChanged(root);
            assertThat(inOrder(root)).isSorted().hasSize(50);
            assertThat(root.post("/db/Crash", "{\"a\":9000,\"b\":0}").status()).isEqualTo(seed % 2 == 1 ? 409 : 201);
            again.stop();
        }
    }

    private ServerProcess start() throws InterruptedException {
        return Launcher.here().start(data, "--root-password", Backend.ROOT_PASSWORD);
    }

    private static Client login(ServerProcess server) {
        return Client.anonymous(server).login("root", Backend.ROOT_PASSWORD);
    }

    private static String index(String field, boolean unique) {
        return "{\"keys\":[{\"" + field + "\":\"asc\"}],\"unique\":" + unique + "}";
    }

    private static void declare(Client root, String index) {
        try {
            assertThat(root.post("/index/Crash", index).status()).isEqualTo(202);
        } catch (AssertionError killed) {
            assertThat(killed).hasMessageContaining("got no answer");
        }
    }

    private static void assertRight(Client client) {
        for (int value : new int[] {0, 7, 8, OBJECTS / 2, OBJECTS - 1}) {
            assertThat(holders(client, value)).containsExactly("/db/Crash/k" + value);
        }
        assertThat(holders(client, OBJECTS)).isEmpty();
    }

    /** Changes objects that the index has already and others that it may lack. */
    private static void changeSome(Client root) {
        root.update("/db/Crash/k7", "{\"a\":-7,\"b\":7}");
        root.update("/db/Crash/k" + (OBJECTS - 1), "{\"a\":-8,\"b\":8}");
        assertThat(root.delete("/db/Crash/k8").status()).isEqualTo(204);
        root.insert("Crash", "{\"id\":\"/db/Crash/new\",\"a\":" + OBJECTS + ",\"b\":0}");
    }

    private static void assertChanged(Client client) {
        assertThat(holders(client, 7)).isEmpty();
        assertThat(holders(client, 8)).isEmpty();
        assertThat(holders(client, OBJECTS - 1)).isEmpty();
        assertThat(holders(client, -7)).containsExactly("/db/Crash/k7");
        assertThat(holders(client, -8)).containsExactly("/db/Crash/k" + (OBJECTS - 1));
        assertThat(holders(client, OBJECTS)).containsExactly("/db/Crash/new");
        assertThat(holders(client, OBJECTS / 2)).containsExactly("/db/Crash/k" + OBJECTS / 2);
        assertThat(client.get("/db/Crash/count?q=" + Client.encode("{\"a\":{\"$gte\":0}}"))
                        .text())
                .isEqualTo("{\"count\":" + (OBJECTS - 2) + "}");
    }

    private static List<String> holders(Client client, int value) {
        return client.query("Crash", "{\"a\":" + value + "}").ids();
    }

    private static List<Integer> inOrder(Client client) {
        return client.get("/db/Crash/query?q=%7B%7D&count=50&sort=" + Client.encode("{\"a\":1}")).array().stream()
                .map(object -> object.asDocument().getNumber("a").intValue())
                .toList();
    }

    private static void awaitBuilt(Client client, Runnable meanwhile) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (client.get("/index/Crash").text().contains("building")) {
            assertThat(System.nanoTime()).as("end of the building").isLessThan(end);
            meanwhile.run();
        }
    }

    /**
     * Returns how many nanoseconds it takes to build an index like the one that is going to be
     * interrupted.
     */
    private long createObjects() throws InterruptedException {
        try (ServerProcess server = start()) {
            Client root = login(server);
            String type = "{\"class\":\"/db/Crash\",\"fields\":{\"a\":{\"type\":\"/db/Integer\"},"
                    + "\"b\":{\"type\":\"/db/Integer\"}}}";
            assertThat(root.post("/schema", type).status()).isEqualTo(200);
            String objects = IntStream.range(0, OBJECTS)
                    .mapToObj(i -> "{\"id\":\"/db/Crash/k" + i + "\",\"a\":" + i + ",\"b\":" + i % 100 + "}")
                    .collect(Collectors.joining(",", "[", "]"));
            assertThat(root.put("/db/Crash", objects).array()).isEmpty();
            long begin = System.nanoTime();
            declare(root, index("b", false));
            awaitBuilt(root, () -> {});
            long duration = System.nanoTime() - begin;
            server.stop();
            return duration;
        }
    }
}
