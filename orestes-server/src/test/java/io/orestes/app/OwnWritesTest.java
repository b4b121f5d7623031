package io.orestes.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client that subscribes by WebSocket to its own writes receives the response before the event
 * (protocol §18.3).
 */
@Timeout(60)
final class OwnWritesTest {

    private static final String TODO =
            "{\"class\":\"/db/Todo\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}}";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final SharedCacheDouble cache = SharedCacheDouble.listen();
    private final RunningServer running;
    private final TestRequests calls;
    private final BlockingQueue<String> news = new LinkedBlockingQueue<>();

    OwnWritesTest(@TempDir Path folder) {
        running = RunningServer.start(
                folder.resolve("data"),
                "--root-password=secret",
                "--caching.purge.targets=" + cache.url(),
                "--caching.purge.secret=vanish",
                "--caching.purge.deadline=30s",
                "--live.socket-delay=1500ms");
        calls = TestRequests.anonymous(running);
    }

    @AfterEach
    void tearDown() {
        running.close();
        cache.close();
    }

    /**
     * The response waits for a shared cache long after the write was matched, as the stream shows.
     */
    @Test
    void write_isAnsweredLate_theEventComesAfterwards() throws Exception {
        assertThat(TestRequests.root(running).post("/schema/Todo", TODO).statusCode())
                .isEqualTo(200);
        assertThat(calls.put("/db/Todo/a", "{\"text\":\"a\"}").statusCode()).isEqualTo(200);
        assertThat(calls.get("/db/Todo/a").statusCode()).isEqualTo(200);
        Stream<String> stream = client.send(request("/db/Todo/events").build(), BodyHandlers.ofLines())
                .body();
        BlockingQueue<String> streamed = new LinkedBlockingQueue<>();
        Thread reader = new Thread(
                () -> stream.filter(line -> line.startsWith("event: ")).forEach(streamed::add));
        reader.setDaemon(true);
        reader.start();
        assertThat(streamed.poll(30, TimeUnit.SECONDS)).isEqualTo("event: result");
        WebSocket socket = subscribe();
        assertThat(news.poll(30, TimeUnit.SECONDS)).contains("\"type\":\"result\"");

        cache.hang();
        var answered = client.sendAsync(
                        request("/db/Todo/a")
                                .header("Content-Type", "application/json")
                                .PUT(BodyPublishers.ofString("{\"text\":\"b\"}"))
                                .build(),
                        BodyHandlers.ofString())
                .thenAccept(answer -> news.add("answer " + answer.statusCode()));
        assertThat(streamed.poll(30, TimeUnit.SECONDS)).startsWith("event: ");
        String early = news.poll(2_000, TimeUnit.MILLISECONDS);
        cache.goOn();

        assertThat(early).isNull();
        assertThat(news.poll(30, TimeUnit.SECONDS)).isEqualTo("answer 200");
        assertThat(news.poll(30, TimeUnit.SECONDS)).contains("\"type\":\"match\"");
        answered.get(30, TimeUnit.SECONDS);
        socket.abort();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(running.server().url() + "/v1" + path));
    }

    private WebSocket subscribe() {
        URI address = URI.create(running.server().url().replace("http:", "ws:") + "/v1/events");
        WebSocket socket = client.newWebSocketBuilder()
                .buildAsync(address, new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
                        news.add(data.toString());
                        return WebSocket.Listener.super.onText(from, data, last);
                    }
                })
                .join();
        return socket.sendText(
                        "{\"id\":\"s\",\"type\":\"subscribe\",\"bucket\":\"Todo\",\"query\":\"{}\",\"initial\":true}",
                        true)
                .join();
    }
}
