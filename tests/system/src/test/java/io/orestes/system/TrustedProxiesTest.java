package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Client;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.RunningCommand;
import io.orestes.support.server.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failed log-ins are counted by the client's address, not by that of the proxy in front of all. */
final class TrustedProxiesTest {

    /** Number of attempts, above the free ones. */
    private static final int ATTEMPTS = 10;

    private final Path data;

    TrustedProxiesTest(@TempDir Path folder) {
        this.data = folder.resolve("data");
    }

    @Test
    void login_behindATrustedProxy_isRefusedToTheGuesserOnly() throws Exception {
        try (ServerProcess server = start("10.0.0.0/8,127.0.0.1")) {
            Client client = Client.anonymous(server);

            assertThat(guess(client, "%s, 192.0.2.7, 10.0.0.1")).contains(429);
            assertThat(login(client, "right", "192.0.2.8")).isEqualTo(200);
        }
    }

    @Test
    void login_fromAnUntrustedProxy_isCountedByTheConnection() throws Exception {
        try (ServerProcess server = start("10.0.0.0/8")) {
            assertThat(guess(Client.anonymous(server), "%s")).contains(429);
        }
    }

    @Test
    void start_withInvalidProxies_isRefused() throws Exception {
        try (RunningCommand command = Launcher.here()
                .run("start", "--port", "0", "--data", data.toString(), "--http.trusted-proxies", "localhost")) {
            assertThat(command.exitCode()).isEqualTo(2);
            assertThat(command.errors()).contains("--http.trusted-proxies");
        }
    }

    private ServerProcess start(String proxies) throws InterruptedException {
        return Launcher.here().start(data, "--root-password", "right", "--http.trusted-proxies", proxies);
    }

    /** Returns the answers to a guesser that claims another address with each attempt. */
    private static List<Integer> guess(Client client, String forwardedFor) {
        return IntStream.range(1, ATTEMPTS)
                .mapToObj(i -> login(client, "wrong", forwardedFor.formatted("198.51.100." + i)))
                .toList();
    }

    private static int login(Client client, String password, String forwardedFor) {
        return client.post(
                        "/db/User/login",
                        "{\"username\":\"root\",\"password\":\"" + password + "\"}",
                        "X-Forwarded-For",
                        forwardedFor)
                .status();
    }
}
