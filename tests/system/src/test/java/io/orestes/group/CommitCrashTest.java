package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import io.orestes.system.Backend;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.bson.BsonValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers are killed in the middle of a commit, while the mongod blocks their next command. The
 * blocked command is done later nevertheless, as if the server had stalled.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
@Tag("full")
final class CommitCrashTest {

    private static final String DATABASE = ServerGroup.DATABASE;
    private static final String ENDS = DATABASE + "._commits";
    private static final String ALL = "/db/Account/query?q=%7B%7D";

    /** Longer than a server takes to start, so that the blocked command comes late. */
    private static final int HELD_UP_SECONDS = 40;

    /** Without an abort MongoDB would lock the objects for the departed server. */
    @Test
    void kill9_withinATransactionOfMongoDB_otherServerCommitsTheSameObjects(@TempDir Path folder) throws Exception {
        Mongod mongo = neverGivingUp(folder);
        try (ServerGroup group = new ServerGroup(folder, mongo, 2)) {
            newAccounts(group.root(0));
            mongo.blockCommand("insert", ENDS, HELD_UP_SECONDS);
            killAmidCommit(group.server(0), () -> mongo.isUnderWay("insert", ENDS));

            Client other = group.anonymous(1);
            await(() -> commit(other, begin(other)).status() == 200);
            assertThat(money(other)).containsExactly(60L, 140L);
        }
    }

    /** The server has no group; only the next process can abort the transaction. */
    @Test
    void kill9_withinATransactionOfMongoDB_nextStartCommitsTheSameObjects(@TempDir Path folder) throws Exception {
        try (Mongod mongo = neverGivingUp(folder)) {
            ServerProcess server = start(folder, mongo);
            try {
                newAccounts(root(server));
                mongo.blockCommand("insert", ENDS, HELD_UP_SECONDS);
                killAmidCommit(server, () -> mongo.isUnderWay("insert", ENDS));
                server = start(folder, mongo);

                Client next = Client.anonymous(server);
                assertThat(commit(next, begin(next)).status()).isEqualTo(200);
                assertThat(money(next)).containsExactly(60L, 140L);
            } finally {
                server.close();
            }
        }
    }

    /**
     * Starts a mongod that does not abort idle transactions; by default it does after ten minutes.
     */
    private static Mongod neverGivingUp(Path folder) throws IOException {
        Mongod mongo = Mongod.replicaSet(folder.resolve("mongo"));
        mongo.limitTransactions(600);
        return mongo;
    }

    /** Begins a commit, and kills the server at that step. */
    private static void killAmidCommit(ServerProcess server, BooleanSupplier middle) throws Exception {
        Client client = Client.anonymous(server);
        String tid = begin(client);
        CompletableFuture<Answer> commit = CompletableFuture.supplyAsync(() -> commit(client, tid));
        await(middle);
        server.kill();
        await(commit::isDone);
        assertThat(commit).isCompletedExceptionally();
    }

    private static void newAccounts(Client root) {
        Answer created = root.post(
                "/schema",
                "{\"class\":\"/db/Account\",\"fields\":{\"money\":{\"name\":\"money\",\"type\":\"/db/Integer\"}}}");
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        IntStream.range(0, 3)
                .forEach(i -> root.insert("Account", "{\"id\":\"%s\",\"money\":100}".formatted(account(i))));
    }

    private static String begin(Client client) {
        return client.post("/transaction", "{}").object().getString("tid").getValue();
    }

    /** Moves 40 from the first account to the second, and deletes the third. */
    private static Answer commit(Client client, String tid) {
        return client.put(
                "/transaction/" + tid + "/committed",
                ("{\"partialUpdates\":[{\"ref\":\"%s\",\"operations\":{\"$inc\":{\"money\":-40}}},"
                                + "{\"ref\":\"%s\",\"operations\":{\"$inc\":{\"money\":40}}}],"
                                + "\"deleteSet\":[{\"%s\":1}]}")
                        .formatted(account(0), account(1), account(2)));
    }

    /**
     * Returns what a query finds, in the order of the accounts; single reads have to return the
     * same.
     */
    private static List<Long> money(Client client) {
        Answer all = client.get(ALL, "Cache-Control", "no-cache");
        assertThat(all.status()).as(all.text()).isEqualTo(200);
        List<Long> queried = all.array().stream()
                .map(BsonValue::asDocument)
                .sorted(Comparator.comparing(object -> object.getString("id").getValue()))
                .map(object -> object.getNumber("money").longValue())
                .toList();
        List<Long> loaded = IntStream.range(0, 3)
                .mapToObj(i -> client.get(account(i), "Cache-Control", "no-cache"))
                .filter(answer -> answer.status() == 200)
                .map(answer -> answer.object().getNumber("money").longValue())
                .toList();
        assertThat(loaded).isEqualTo(queried);
        return queried;
    }

    private static String account(int number) {
        return "/db/Account/a" + number;
    }

    private static void await(BooleanSupplier condition) {
        Waiting.until("it is so", condition);
    }

    private static Client root(ServerProcess server) {
        return Client.anonymous(server).login("root", Backend.ROOT_PASSWORD);
    }

    private static ServerProcess start(Path folder, Mongod mongo) throws InterruptedException {
        return ServerProcess.whenReady(Launcher.here()
                .with("JAVA_OPTS", "-Xmx384m")
                .run(
                        "start",
                        "--port=0",
                        "--data=" + folder.resolve("data"),
                        "--mongo=" + mongo.connectionString(DATABASE),
                        "--mongo.deadline=30s",
                        "--rate-limit=off",
                        "--root-password=" + Backend.ROOT_PASSWORD));
    }
}
