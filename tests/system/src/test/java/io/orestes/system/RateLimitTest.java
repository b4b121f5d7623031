package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.RunningCommand;
import io.orestes.support.server.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Request limits of one address (protocol §17.5). */
final class RateLimitTest {

    private final Path data;

    RateLimitTest(@TempDir Path folder) {
        this.data = folder.resolve("data");
    }

    @Test
    void requests_tooMany_areRefusedToThatAddressUntilTheBanEnds() throws Exception {
        try (ServerProcess server = start("--rate-limit.requests", "20", "--http.trusted-proxies", "127.0.0.1")) {
            Client client = Client.anonymous(server);
            Client root = client.login("root", "right");
            IntStream.range(0, 20)
                    .forEach(i -> assertThat(from(client, "192.0.2.7")).isEqualTo(200));

            Answer refused = client.get("/version", "X-Forwarded-For", "192.0.2.7", "Origin", "https://example.com");

            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.object().getString("reason").getValue()).isEqualTo("Too Many Requests");
            assertThat(refused.header("Retry-After").map(Integer::parseInt).orElseThrow())
                    .isBetween(1700, 1800);
            assertThat(refused.header("Access-Control-Allow-Origin")).contains("https://example.com");
            assertThat(from(client, "192.0.2.8")).isEqualTo(200);
            assertThat(from(client.withToken("junk"), "192.0.2.7")).isEqualTo(429);
            assertThat(from(root, "192.0.2.7")).isEqualTo(200);
            assertThat(client.get("/banned/192.0.2.7").status()).isEqualTo(429);
            assertThat(client.get("/banned/192.0.2.8").status()).isEqualTo(204);
            assertThat(client.get("/banned/nonsense").status()).isEqualTo(400);
            assertThat(client.get("/banned").status()).isEqualTo(429);
            assertThat(client.delete("/banned/192.0.2.7").status()).isEqualTo(466);

            assertThat(root.delete("/banned/192.0.2.7").status()).isEqualTo(204);

            assertThat(from(client, "192.0.2.7")).isEqualTo(200);
            assertThat(root.delete("/banned").status()).isEqualTo(204);
        }
    }

    @Test
    void registrations_tooMany_areRefusedButNotToAdmins() throws Exception {
        try (ServerProcess server = start("--rate-limit.registrations", "3", "--rate-limit.loopback")) {
            Client client = Client.anonymous(server);
            Client root = client.login("root", "right");
            for (int i = 0; i < 3; i++) {
                assertThat(register(client)).isEqualTo(200);
            }

            Accounts.register(client, Accounts.freshName(), true)
                    .then()
                    .statusCode(429)
                    .header("Retry-After", notNullValue())
                    .header("baqend-authorization-token", nullValue());
            assertThat(register(root)).isEqualTo(200);
            assertThat(client.get("/version").status()).isEqualTo(200);
        }
    }

    @Test
    void turnedOff_nothingIsLimited() throws Exception {
        try (ServerProcess server =
                start("--rate-limit", "off", "--rate-limit.loopback", "--rate-limit.requests", "5")) {
            Client client = Client.anonymous(server);

            IntStream.range(0, 12).forEach(i -> assertThat(register(client)).isEqualTo(200));
            IntStream.range(0, 12).forEach(i -> assertThat(
                            client.post("/db/User/login", "{\"username\":\"root\",\"password\":\"wrong\"}")
                                    .status())
                    .isEqualTo(460));

            assertThat(client.login("root", "right")).isNotNull();
        }
    }

    @Test
    void start_withAnInvalidLimit_isRefused() throws Exception {
        try (RunningCommand command =
                Launcher.here().run("start", "--port", "0", "--data", data.toString(), "--rate-limit", "maybe")) {
            assertThat(command.exitCode()).isEqualTo(2);
            assertThat(command.errors()).contains("--rate-limit");
        }
    }

    @Test
    void start_withInvalidLoginLimits_isRefusedWithAllOfThem() throws Exception {
        try (RunningCommand command = Launcher.here()
                .run(
                        "start",
                        "--port",
                        "0",
                        "--data",
                        data.toString(),
                        "--rate-limit.login-failures=0",
                        "--rate-limit.login-failures-account=many",
                        "--rate-limit.login-failures-address=-1",
                        "--rate-limit.login-pause=32",
                        "--rate-limit.login-window=soon",
                        "--rate-limit.login-window-shared=1y")) {
            assertThat(command.exitCode()).isEqualTo(2);
            assertThat(command.errors())
                    .contains(
                            "--rate-limit.login-failures is not",
                            "--rate-limit.login-failures-account is not",
                            "--rate-limit.login-failures-address is not",
                            "--rate-limit.login-pause is not",
                            "--rate-limit.login-window is not",
                            "--rate-limit.login-window-shared is not");
        }
    }

    /**
     * The limit of one account applies to all addresses, except those from which its owner logged
     * in.
     */
    @Test
    void logins_failedFromManyAddresses_closeTheAccountWhereItsOwnerNeverWas() throws Exception {
        try (ServerProcess server =
                start("--rate-limit.login-failures-account", "3", "--http.trusted-proxies", "127.0.0.1")) {
            Client client = Client.anonymous(server);
            assertThat(logIn(client, "right", "192.0.2.1")).isEqualTo(200);
            for (int i = 2; i < 4; i++) {
                assertThat(logIn(client, "wrong", "192.0.2." + i)).isEqualTo(460);
            }

            assertThat(IntStream.range(0, 5).anyMatch(i -> isClosedAfterAnotherFailure(client, i)))
                    .isTrue();
            assertThat(logIn(client, "right", "192.0.2.1")).isEqualTo(200);
        }
    }

    /**
     * Closed for a second at first, which may pass on a busy machine, and twice as long after each
     * failure.
     */
    private static boolean isClosedAfterAnotherFailure(Client client, int number) {
        assertThat(logIn(client, "wrong", "192.0.2." + (10 + number))).isIn(460, 429);
        return logIn(client, "right", "192.0.2." + (20 + number)) == 429;
    }

    /** A user with too many open transactions does not prevent those of others. */
    @Test
    void transactions_tooManyAreOpenOfOneUserOrAddress_areRefusedToThatOneOnly() throws Exception {
        try (ServerProcess server =
                start("--transaction.max-open-per-caller", "2", "--http.trusted-proxies", "127.0.0.1")) {
            Client client = Client.anonymous(server);
            Client root = client.login("root", "right");
            Client user = client.withToken(Accounts.token(Accounts.register(client, Accounts.freshName(), true)));

            assertThat(begin(client, "192.0.2.7")).containsExactly(201, 201, 429);
            assertThat(begin(client, "192.0.2.8")).containsExactly(201, 201, 429);
            assertThat(begin(user, "192.0.2.7")).containsExactly(201, 201, 429);
            assertThat(begin(user, "192.0.2.9")).containsOnly(429);
            assertThat(begin(root, "192.0.2.7")).containsOnly(201);
            assertThat(begin(client, "127.0.0.1")).containsOnly(201);
        }
    }

    private static List<Integer> begin(Client client, String address) {
        return IntStream.range(0, 3)
                .mapToObj(i -> client.post("/transaction", "{}", "X-Forwarded-For", address)
                        .status())
                .toList();
    }

    private static int logIn(Client client, String password, String address) {
        return client.send(
                        "POST",
                        "/db/User/login",
                        BodyPublishers.ofString("{\"username\":\"root\",\"password\":\"" + password + "\"}"),
                        "Content-Type",
                        "application/json",
                        "X-Forwarded-For",
                        address)
                .status();
    }

    private ServerProcess start(String... flags) throws InterruptedException {
        String[] all = new String[flags.length + 2];
        System.arraycopy(flags, 0, all, 0, flags.length);
        all[flags.length] = "--root-password";
        all[flags.length + 1] = "right";
        return Launcher.here().start(data, all);
    }

    private static int from(Client client, String address) {
        return client.get("/version", "X-Forwarded-For", address).status();
    }

    private static int register(Client client) {
        return Accounts.register(client, Accounts.freshName(), true).statusCode();
    }
}
