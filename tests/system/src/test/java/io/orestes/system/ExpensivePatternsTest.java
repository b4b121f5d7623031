package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveSocket;
import io.orestes.support.http.LiveStream;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fifty patterns with counted repetitions against a text of 900 KB: to the end that would take
 * minutes.
 */
@ExtendWith(SharedBackend.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class ExpensivePatternsTest {

    /** Time limit, far less than any of these matches needs, also on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private static final String EXPENSIVE = IntStream.range(0, 50)
            .mapToObj(i -> "{\"text\":{\"$regex\":\"([ab]{1,30}x?){30}" + i + "c\"}}")
            .collect(Collectors.joining(",", "{\"$or\":[", "]}"));
    private static final String PATTERN = "{\"text\":{\"$regex\":\"([ab]{1,30}x?){30}c\"}}";
    private static final String LONG_TEXT = "{\"text\":\"" + "a".repeat(900_000) + "\",\"n\":1}";

    private static final String SCHEMA =
            "{\"class\":\"/db/Text\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"},"
                    + "\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}}";

    private final Backend backend;
    private final Client client;
    private final String bucket;
    private final Path folder;

    ExpensivePatternsTest(Backend backend, @TempDir Path folder) {
        this.backend = backend;
        this.folder = folder;
        this.client = backend.anonymous();
        this.bucket = backend.newClass("text", "String", "n", "Integer");
    }

    @Test
    void query_asAPullQuery_is468InEveryWay() {
        client.insert(bucket, LONG_TEXT);
        String q = "?q=" + Client.encode(EXPENSIVE);

        List<Answer> answers = List.of(
                client.get("/db/" + bucket + "/query" + q),
                byBody("query"),
                client.get("/db/" + bucket + "/count" + q),
                byBody("count"),
                client.get("/db/" + bucket + "/events" + q));

        assertThat(answers).extracting(Answer::status).containsOnly(468);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.text()).contains("too long"));
    }

    private Answer byBody(String resource) {
        return client.send(
                "POST",
                "/db/" + bucket + "/" + resource,
                BodyPublishers.ofString(EXPENSIVE),
                "Content-Type",
                "text/plain;charset=utf-8");
    }

    /**
     * The expensive queries wait for one another, but other requests wait for at most one of them.
     */
    @Test
    void query_manyExpensiveOnes_doNotDelayReadsAndWrites() {
        String id = client.insert(bucket, LONG_TEXT);
        String small = client.insert(bucket, "{\"text\":\"b\",\"n\":2}");
        List<CompletableFuture<Answer>> expensive = IntStream.range(0, 20)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> byBody("query")))
                .toList();

        long begun = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            client.update(small, "{\"text\":\"b\",\"n\":" + i + "}");
            assertThat(client.get(small).status()).isEqualTo(200);
        }
        Duration taken = Duration.ofNanos(System.nanoTime() - begun);

        assertThat(taken).isLessThan(PATIENCE);
        assertThat(expensive)
                .allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(468));
        assertThat(client.get(id).status()).isEqualTo(200);
    }

    @Test
    void write_tooExpensiveForLiveQueries_endsOnlyThem() throws Exception {
        String q = "q=" + Client.encode(EXPENSIVE);
        try (LiveStream stream = LiveStream.open(client, bucket, q);
                LiveStream other = LiveStream.open(client, bucket, "q=" + Client.encode("{\"n\":1}"));
                LiveSocket socket = LiveSocket.open(backend.server())) {
            socket.subscribe("expensive", bucket, EXPENSIVE.replace("49c", "50c"), "");
            socket.subscribe("cheap", bucket, "{\"n\":{\"$gt\":0}}", "");
            assertThat(List.of(
                            socket.next().getString("id").getValue(),
                            socket.next().getString("id").getValue()))
                    .containsExactlyInAnyOrder("expensive", "cheap");
            assertThat(stream.next().name()).isEqualTo("result");
            assertThat(other.next().name()).isEqualTo("result");

            String id = client.insert(bucket, LONG_TEXT);

            LiveStream.Event end = stream.next();
            assertThat(end.name()).isEqualTo("error");
            assertThat(end.object().getNumber("status").intValue()).isEqualTo(468);
            assertThat(other.next().name()).isEqualTo("match");
            assertErrorAndMatch(socket);
            client.update(id, "{\"text\":\"short\",\"n\":1}");
            assertThat(other.next().name()).isEqualTo("match");
            assertThat(socket.nextMatch()).startsWith("cheap change");
        }
    }

    /** In any order: the two queries may be on two cells. */
    private static void assertErrorAndMatch(LiveSocket socket) throws InterruptedException {
        List<String> types = List.of(
                socket.next().getString("type").getValue(),
                socket.next().getString("type").getValue());
        assertThat(types).containsExactlyInAnyOrder("error", "match");
    }

    /** The first answer is cached; the write that is too expensive for it must remove it. */
    @Test
    void write_tooExpensiveForACachedQuery_removesItFromTheCache() {
        assertThat(client.query(bucket, PATTERN).status()).isEqualTo(200);
        assertThat(client.query(bucket, PATTERN).header("orestes-cache")).hasValue("hit");
        assertThat(client.query(bucket, "{\"n\":1}").ids()).isEmpty();

        String id = client.insert(bucket, LONG_TEXT);

        assertThat(client.query(bucket, PATTERN).status()).isEqualTo(468);
        assertThat(client.query(bucket, "{\"n\":1}").ids()).containsExactly(id);
        client.remove(id);
        Answer later = client.query(bucket, PATTERN);
        assertThat(later.status()).isEqualTo(200);
        assertThat(later.header("orestes-cache")).hasValue("bypass");
    }

    @Test
    void sigterm_whileExpensiveQueriesRun_endsTheServerInTime() throws Exception {
        try (ServerProcess server =
                Launcher.here().start(folder.resolve("data"), "--root-password", Backend.ROOT_PASSWORD)) {
            Client anonymous = Client.anonymous(server);
            Client root = anonymous.login("root", Backend.ROOT_PASSWORD);
            assertThat(root.post("/schema", SCHEMA).status()).isEqualTo(200);
            List<LiveStream> streams = IntStream.range(0, 10)
                    .mapToObj(i -> open(anonymous, EXPENSIVE.replace("c\"", "c" + i + "\"")))
                    .toList();
            CompletableFuture<Answer> write =
                    CompletableFuture.supplyAsync(() -> anonymous.post("/db/Text", LONG_TEXT));
            for (LiveStream stream : streams) {
                assertThat(stream.next().name()).isEqualTo("result");
            }
            List<CompletableFuture<Answer>> pulls = IntStream.range(0, 40)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> anonymous.post("/db/Text/query", EXPENSIVE)))
                    .toList();
            CompletableFuture.anyOf(write, pulls.get(0))
                    .handle((done, cut) -> true)
                    .join();

            long begun = System.nanoTime();
            server.stop();

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENCE);
            CompletableFuture.allOf(pulls.toArray(CompletableFuture[]::new))
                    .handle((done, cut) -> true)
                    .join();
        }
    }

    private static LiveStream open(Client client, String filter) {
        try {
            return LiveStream.open(client, "Text", "q=" + Client.encode(filter));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
