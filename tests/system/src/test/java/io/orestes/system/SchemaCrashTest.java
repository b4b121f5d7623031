package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Client;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server is killed during a change of the schema, and completes it at the next start. */
@Tag("full")
final class SchemaCrashTest {

    private static final int OBJECTS = 4_000;
    private static final String RENAME =
            "{\"operation\":\"renameField\",\"bucket\":\"/db/Crash\",\"from\":\"a\",\"to\":\"b\"}";
    private static final String WIDENING = "{\"operation\":\"changeField\",\"bucket\":\"/db/Crash\","
            + "\"field\":{\"name\":\"a\",\"type\":\"/db/Double\"}}";

    private final Path data;

    SchemaCrashTest(@TempDir Path data) {
        this.data = data;
    }

    /**
     * The seed decides the moment of the kill, also before and after the change; widenings and
     * renames alternate.
     */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 2, 3, 4, 5})
    void kill9_inTheMiddleOfAChange_leavesAllObjectsInOneForm(long seed) throws Exception {
        long oneChange = createObjects(seed % 2 == 0 ? RENAME : WIDENING);
        long delay = (long) (oneChange * new Random(seed).nextDouble());
        try (ServerProcess server = Launcher.here().start(data)) {
            Client root = Client.anonymous(server).login("root", Backend.ROOT_PASSWORD);
            String change = seed % 2 == 0 ? WIDENING.replace("\"a\"", "\"b\"") : RENAME;
            CompletableFuture<Void> changing = CompletableFuture.runAsync(() -> send(root, change));
            new CompletableFuture<Boolean>()
                    .completeOnTimeout(true, delay, TimeUnit.NANOSECONDS)
                    .join();

            server.kill();

            changing.join();
        }
        try (ServerProcess again = Launcher.here().start(data, "--query.max-results", "10000")) {
            assertOneForm(Client.anonymous(again));
            again.stop();
        }
    }

    @ParameterizedTest
    @EnumSource(KilledChange.class)
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void kill9_whileSomeObjectsAreChangedAndOthersAreNot_isFinishedByTheNextStart(KilledChange change)
            throws Exception {
        change.run(
                () -> Launcher.here()
                        .start(
                                data,
                                "--root-password",
                                Backend.ROOT_PASSWORD,
                                "--query.max-results",
                                Integer.toString(KilledChange.OBJECTS)),
                new TimedKillObserver());
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
        List<BsonValue> all =
                client.get("/db/Crash/query?q=%7B%7D&count=" + OBJECTS).array();
        assertThat(all)
                .extracting(object -> object.asDocument().getNumber(name).intValue())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, OBJECTS).boxed().toList());
        assertThat(client.query("Crash", "{\"" + name + "\":7}").array()).hasSize(1);
    }

    /** Returns how many nanoseconds a change takes. */
    private long createObjects(String first) throws InterruptedException {
        try (ServerProcess server = Launcher.here().start(data, "--root-password", Backend.ROOT_PASSWORD)) {
            Client root = Client.anonymous(server).login("root", Backend.ROOT_PASSWORD);
            send(root, "{\"class\":\"/db/Crash\",\"fields\":{\"a\":{\"type\":\"/db/Integer\"}}}");
            String objects = IntStream.range(0, OBJECTS)
                    .mapToObj(i -> "{\"id\":\"/db/Crash/k" + i + "\",\"a\":" + i + "}")
                    .collect(Collectors.joining(",", "[", "]"));
            assertThat(root.put("/db/Crash", objects).array()).isEmpty();
            assertThat(root.post("/index/Crash", "{\"keys\":[{\"a\":\"asc\"}]}").status())
                    .isEqualTo(202);
            long begin = System.nanoTime();
            send(root, first);
            long duration = System.nanoTime() - begin;
            server.stop();
            return duration;
        }
    }

    /**
     * Waits for twice as long with every attempt; the content of the data folder shows at the next
     * start only.
     */
    private static final class TimedKillObserver implements KilledChange.KillObserver {

        @Override
        public void awaitMiddle(String bucket, int attempt) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20L << attempt));
        }

        @Override
        public void look(String bucket) {
            // not observable
        }
    }
}
