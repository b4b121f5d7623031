package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Client;
import io.orestes.support.http.LiveSocket;
import io.orestes.support.http.LiveStream;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Acknowledged writes survive a kill of the server in the middle of its work. */
final class RestartTest {

    private static final int WRITERS = 4;
    private static final int WRITES_BEFORE_THE_KILL = 400;
    private static final String SCHEMA =
            "{\"class\":\"/db/Kept\",\"fields\":{\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}}";

    private final Path data;
    private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
    private final CountDownLatch enough = new CountDownLatch(WRITES_BEFORE_THE_KILL);

    RestartTest(@TempDir Path data) {
        this.data = data;
    }

    /**
     * An error would end the subscription for good; after a closed connection clients subscribe
     * again (protocol §18.5).
     */
    @Test
    void stoppedServer_closesSocketsAsGoingAwayWithoutAnError() throws Exception {
        try (ServerProcess server = Launcher.here().start(data);
                LiveSocket socket = LiveSocket.open(server)) {
            socket.subscribe("s", "Role", "{}", "");
            assertThat(socket.next().getString("type").getValue()).isEqualTo("result");

            server.stop();

            assertThat(socket.closeStatus()).isEqualTo(1001);
            assertThat(socket.isSilent()).isTrue();
        }
    }

    @Test
    void stoppedServer_endsEventStreamsWithoutAnErrorAndTheNextOneContinues() throws Exception {
        String last;
        try (ServerProcess server = Launcher.here().start(data);
                LiveStream stream = LiveStream.open(Client.anonymous(server), "Role", "q=%7B%7D")) {
            last = stream.next().id();

            server.stop();

            assertThat(stream.next().name()).isEqualTo("end");
        }
        try (ServerProcess again = Launcher.here().start(data);
                LiveStream stream =
                        LiveStream.open(Client.anonymous(again), "Role", "q=%7B%7D", "Last-Event-ID", last)) {
            assertThat(stream.next().name()).isEqualTo("result");
            again.stop();
        }
    }

    @Test
    void killedServer_hasAllAcknowledgedWritesAndSessionsAgain() throws Exception {
        String token;
        try (ServerProcess server = Launcher.here().start(data, "--root-password", Backend.ROOT_PASSWORD)) {
            Client client = Client.anonymous(server);
            Client root = client.login("root", Backend.ROOT_PASSWORD);
            token = root.token();
            assertThat(root.post("/schema", SCHEMA).status()).isEqualTo(200);
            List<CompletableFuture<Void>> writers = IntStream.range(0, WRITERS)
                    .mapToObj(writer -> CompletableFuture.runAsync(() -> writeUntilKilled(client, writer)))
                    .toList();
            enough.await();

            server.kill();

            writers.forEach(CompletableFuture::join);
        }
        try (ServerProcess again = Launcher.here().start(data)) {
            Client client = Client.anonymous(again);
            assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(WRITERS);
            acknowledged.forEach(
                    (id, n) -> assertThat(client.get(id).object().getNumber("n").longValue())
                            .as(id)
                            .isGreaterThanOrEqualTo(n));
            assertThat(client.withToken(token).get("/db/User/me").status()).isEqualTo(200);
            assertThat(client.login("root", Backend.ROOT_PASSWORD).count("Kept"))
                    .isPositive();
            again.stop();
        }
    }

    /** Increments a few objects of its own and records what was acknowledged. */
    private void writeUntilKilled(Client client, int writer) {
        try {
            for (long n = 1; ; n++) {
                String id = "/db/Kept/w" + writer + "-" + n % 10;
                client.update(id, "{\"n\":" + n + "}");
                acknowledged.put(id, n);
                enough.countDown();
            }
        } catch (AssertionError killed) {
            assertThat(killed).hasMessageContaining("got no answer");
        }
    }
}
