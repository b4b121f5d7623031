package io.orestes.coherence;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An object becomes private while Varnish waits for a response that shows it to everybody. */
@Timeout(120)
final class VisibilityReductionRaceTest {

    private static final String OPEN = "{\"text\":\"treasure\"}";
    private static final String HIDDEN =
            "{\"text\":\"treasure\",\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}}";

    @Test
    void write_hidesWhatVarnishIsFetching_isAnsweredAfterThePurge(@TempDir Path folder) throws Exception {
        try (Testbed stage = new Testbed(folder, Duration.ofSeconds(4));
                HttpConnection server = new HttpConnection(stage.serverPort());
                HttpConnection varnish = new HttpConnection(stage.varnishPort())) {
            String path = "/v1/db/" + stage.newClass() + "/a";
            assertThat(server.send(put(path, OPEN)).status()).isEqualTo(200);
            CountDownLatch underWay = new CountDownLatch(1);
            stage.origin().rule(heldUp(underWay));
            CompletableFuture<Message> early = CompletableFuture.supplyAsync(() -> read(stage.varnishPort(), path));
            assertThat(underWay.await(20, TimeUnit.SECONDS)).isTrue();

            Message hiding = server.send(put(path, HIDDEN));
            Message late = varnish.send(Message.get(path));

            assertThat(hiding.status()).as(hiding.body()).isEqualTo(200);
            assertThat(early.get().body()).contains("treasure");
            assertThat(late.status()).as(late.body()).isEqualTo(404);
        }
    }

    /** Delays a response for less time than Varnish tolerates. */
    private static Proxy.Rule heldUp(CountDownLatch underWay) {
        return (request, upstream) -> {
            Message response = upstream.send(request);
            underWay.countDown();
            Waiting.pause(Duration.ofMillis(500));
            return response;
        };
    }

    private static Message read(int port, String path) {
        try (HttpConnection wire = new HttpConnection(port)) {
            return wire.send(Message.get(path));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Message put(String path, String body) {
        return new Message(
                        "PUT " + path + " HTTP/1.1",
                        Map.of("host", "localhost", "content-type", "application/json"),
                        "")
                .withBody(body);
    }
}
