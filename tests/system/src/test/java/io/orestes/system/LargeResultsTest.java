package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveSocket;
import io.orestes.support.http.RawHttp;
import io.orestes.support.process.Waiting;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repeated queries for many large objects do not take the server down. */
final class LargeResultsTest {

    private static final String HEAP = "-Xmx128m";
    private static final int OBJECTS = 100;
    private static final String TEXT = "x".repeat(500_000);
    private static final int AT_ONCE = 16;

    private final ServerProcess server;
    private final Client anonymous;
    private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);

    LargeResultsTest(@TempDir Path temp) throws InterruptedException {
        server = Launcher.here()
                .with("JAVA_OPTS", HEAP)
                .start(temp.resolve("data"), "--root-password", "root", "--rate-limit", "off");
        anonymous = Client.anonymous(server);
    }

    @BeforeEach
    void fill() {
        Client root = anonymous.login("root", "root");
        Answer created = root.put(
                "/schema/Item",
                """
                {"class":"/db/Item","fields":{"n":{"name":"n","type":"/db/Integer"},
                "text":{"name":"text","type":"/db/String"}}}
                """);
        assertThat(created.status()).isEqualTo(200);
        for (int i = 0; i < OBJECTS; i++) {
            assertThat(root.post(
                                    "/db/Item",
                                    "{\"id\":\"/db/Item/k%1$d\",\"n\":%1$d,\"text\":\"%2$s\"}".formatted(i, TEXT))
                            .status())
                    .isEqualTo(201);
        }
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        server.close();
    }

    @Test
    void query_ofMoreThanFits_isRefusedHoweverOften() {
        assertThat(statuses(4 * AT_ONCE, "/db/Item/query?q=%7B%7D"))
                .isSubsetOf(468, 503)
                .contains(468);
        assertThat(statuses(AT_ONCE, "/db/Item/query?q=%7B%7D&sort=%7B%22n%22%3A-1%7D"))
                .isSubsetOf(468, 503);

        awaitAnswered("/db/Item/query?q=%7B%22n%22%3A7%7D");
    }

    @Test
    void query_ofWhatFits_isAnsweredOrUnavailable() {
        assertThat(statuses(4 * AT_ONCE, "/db/Item/query?q=%7B%7D&count=5"))
                .isSubsetOf(200, 503)
                .contains(200);

        awaitAnswered("/db/Item/query?q=%7B%7D&count=5");
    }

    @Test
    void liveQuery_ofMoreThanFits_isRefusedHoweverOften() throws Exception {
        List<Integer> errors = new ArrayList<>();
        try (LiveSocket socket = LiveSocket.open(server)) {
            for (int i = 0; i < AT_ONCE; i++) {
                socket.subscribe("all" + i, "Item", "{\"n\":{\"$gte\":-%d}}".formatted(i), "");
                socket.subscribe(
                        "sorted" + i,
                        "Item",
                        "{\"n\":{\"$gte\":-%d}}".formatted(i),
                        ",\"sort\":\"{\\\"n\\\":-1}\",\"limit\":90");
            }
            for (int i = 0; i < 2 * AT_ONCE; i++) {
                errors.add(socket.nextError());
            }
        }

        assertThat(errors).isSubsetOf(468, 503).contains(468);
        awaitAnswered("/db/Item/query?q=%7B%22n%22%3A7%7D");
    }

    /** All of them would take three times the heap. */
    @Test
    void sortedLiveQueries_ofMoreThanFits_areRefusedAndASmallOneGoesOn() throws Exception {
        List<String> types = new ArrayList<>();
        try (LiveSocket small = LiveSocket.open(server);
                LiveSocket large = LiveSocket.open(server)) {
            small.subscribe("small", "Item", "{\"n\":7}", sorted(1));
            assertThat(small.next().getString("type").getValue()).isEqualTo("result");
            for (int i = 0; i < 60; i++) {
                large.subscribe("large" + i, "Item", "{\"n\":{\"$gte\":-%d}}".formatted(i), sorted(2));
                types.add(large.next().getString("type").getValue());
            }
            assertThat(anonymous
                            .post("/db/Item/k7", "{\"$set\":{\"text\":\"short\"}}")
                            .status())
                    .isEqualTo(200);

            assertThat(types).containsOnly("result", "error");
            assertThat(small.nextMatch()).isEqualTo("small change update /db/Item/k7");
        }
    }

    private static String sorted(int limit) {
        return ",\"sort\":\"{\\\"n\\\":-1}\",\"limit\":" + limit;
    }

    /** Each of the requests reads as many referenced objects as the memory allows. */
    @Test
    void depth_intoMoreThanFits_isAnsweredInPartOrUnavailable() {
        Client root = anonymous.login("root", "root");
        String ids = IntStream.range(0, OBJECTS)
                .mapToObj("\"/db/Item/k%d\""::formatted)
                .collect(Collectors.joining(","));
        assertThat(root.put(
                                "/schema/Shelf",
                                """
                                {"class":"/db/Shelf",\
                                "fields":{"items":{"name":"items","type":"/db/collection.List[/db/Item]"}}}
                                """)
                        .status())
                .isEqualTo(200);
        assertThat(root.post("/db/Shelf", "{\"id\":\"/db/Shelf/all\",\"items\":[%s]}".formatted(ids))
                        .status())
                .isEqualTo(201);

        assertThat(statuses(4 * AT_ONCE, "/db/Shelf/all?depth=1"))
                .isSubsetOf(200, 503)
                .contains(200);
        Waiting.until("there is room again", () -> countLoaded(anonymous.get("/db/Shelf/all?depth=1")) >= 5);
        Answer shelf = anonymous.get("/db/Shelf/all?depth=1");
        assertThat(shelf.object().getArray("items")).hasSize(OBJECTS);
        assertThat(countLoaded(shelf)).isBetween(5L, 20L);
    }

    private static long countLoaded(Answer shelf) {
        return shelf.status() == 200
                ? shelf.object().getArray("items").stream()
                        .filter(BsonValue::isDocument)
                        .count()
                : 0;
    }

    /**
     * The result is copied for each of them, and together they would take twice the available
     * memory.
     */
    @Test
    void query_byManySlowClients_isStillAnsweredToOthers() throws Exception {
        List<RawHttp> silent = new ArrayList<>();
        List<String> statuses = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                RawHttp client = RawHttp.connect(server.base());
                silent.add(client);
                client.send("GET /v1/db/Item/query?q=%7B%7D&count=14 HTTP/1.1\r\nHost: x\r\n\r\n");
                statuses.add(client.readUntil("\r\n").trim());
            }

            assertThat(statuses)
                    .isSubsetOf("HTTP/1.1 200 OK", "HTTP/1.1 503 Service Unavailable")
                    .contains("HTTP/1.1 200 OK");
            assertThat(anonymous
                            .get("/db/Item/query?q=%7B%22n%22%3A7%7D&ids=true")
                            .array())
                    .hasSize(1);
            // long before they would be disconnected for being slow
            awaitAnswered("/db/Item/query?q=%7B%7D&count=5");
        } finally {
            for (RawHttp client : silent) {
                client.close();
            }
        }
    }

    /**
     * Memory may be short for a moment after an answer has arrived, until the server learns that it
     * is sent.
     */
    private void awaitAnswered(String path) {
        Waiting.until("there is room again", () -> anonymous.get(path).status() == 200);
    }

    private Set<Integer> statuses(int requests, String path) {
        List<CompletableFuture<Integer>> asked = IntStream.range(0, requests)
                .mapToObj(i ->
                        CompletableFuture.supplyAsync(() -> anonymous.get(path).status(), threads))
                .toList();
        return asked.stream().map(CompletableFuture::join).collect(Collectors.toSet());
    }
}
