package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server is killed somewhere in a change of the schema; what it finds at the next start it brings to an end. */
final class SchemaCrashTest {

    private static final int OBJECTS = 4_000;
    private static final int ROUNDS = 6;

    private final Path data;
    private final Random random = new Random(11);

    SchemaCrashTest(@TempDir Path data) {
        this.data = data;
    }

    @Test
    void kill9_inTheMiddleOfAChange_leavesAllObjectsInOneForm() throws Exception {
        long oneChange = createObjects();
        for (int round = 0; round < ROUNDS; round++) {
            try (ServerProcess server = Launcher.here().start(data, "--root-password", Backend.ROOT_PASSWORD)) {
                Client root = Client.anonymous(server).login("root", Backend.ROOT_PASSWORD);
                String change = nextChange(field(root));
                CompletableFuture<Void> changing = CompletableFuture.runAsync(() -> send(root, change));
                CompletableFuture<Void> pause = new CompletableFuture<Void>()
                        .completeOnTimeout(
                                null, (long) (oneChange * random.nextDouble()), TimeUnit.NANOSECONDS);
                pause.join();

                server.kill();

                changing.join();
            }
            try (ServerProcess again = Launcher.here().start(data, "--query.max-results", "10000")) {
                assertOneForm(Client.anonymous(again));
                again.stop();
            }
        }
    }

    /** The only field is called {@code a} or {@code b} and holds integers or doubles; each change is one of the two. */
    private static String nextChange(BsonDocument field) {
        String name = field.getString("name").getValue();
        boolean isInteger = field.getString("type").getValue().equals("/db/Integer");
        return isInteger
                ? "{\"operation\":\"changeField\",\"bucket\":\"/db/Crash\",\"field\":{\"name\":\"" + name
                        + "\",\"type\":\"/db/Double\"}}"
                : "[{\"operation\":\"renameField\",\"bucket\":\"/db/Crash\",\"from\":\"" + name + "\",\"to\":\""
                        + (name.equals("a") ? "b" : "a") + "\"}]";
    }

    private static BsonDocument field(Client client) {
        BsonDocument fields = client.get("/schema/Crash").object().getDocument("fields");
        return fields.getDocument(fields.getFirstKey());
    }

    private static void send(Client root, String change) {
        try {
            assertThat(root.post("/schema", change).status()).isEqualTo(200);
        } catch (AssertionError killed) {
            assertThat(killed).hasMessageContaining("got no answer");
        }
    }

    private static void assertOneForm(Client client) {
        String name = field(client).getString("name").getValue();
        List<BsonValue> all = client.get("/db/Crash/query?q=%7B%7D&count=" + OBJECTS).array();
        assertThat(all)
                .extracting(object -> object.asDocument().getNumber(name).intValue())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, OBJECTS).boxed().toList());
        assertThat(client.query("Crash", "{\"" + name + "\":7}").array()).hasSize(1);
    }

    /** Returns how many nanoseconds a change takes. */
    private long createObjects() throws InterruptedException {
        try (ServerProcess server = Launcher.here().start(data, "--root-password", Backend.ROOT_PASSWORD)) {
            Client root = Client.anonymous(server).login("root", Backend.ROOT_PASSWORD);
            send(root, "{\"class\":\"/db/Crash\",\"fields\":{\"a\":{\"type\":\"/db/Integer\"}}}");
            String objects = IntStream.range(0, OBJECTS)
                    .mapToObj(i -> "{\"id\":\"/db/Crash/k" + i + "\",\"a\":" + i + "}")
                    .collect(Collectors.joining(",", "[", "]"));
            assertThat(root.put("/db/Crash", objects).text()).isEqualTo("[]");
            assertThat(root.post("/index/Crash", "{\"keys\":[{\"a\":\"asc\"}]}").status())
                    .isEqualTo(202);
            long begin = System.nanoTime();
            send(root, nextChange(field(root)));
            long duration = System.nanoTime() - begin;
            server.stop();
            return duration;
        }
    }
}
