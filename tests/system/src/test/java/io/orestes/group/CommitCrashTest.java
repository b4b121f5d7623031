package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import io.orestes.system.Answer;
import io.orestes.system.Backend;
import io.orestes.system.Client;
import io.orestes.system.Launcher;
import io.orestes.system.LiveStream;
import io.orestes.system.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers are killed in the middle of a commit, where the mongod holds up what they do next. What it holds up is done
 * later all the same, as if the server had stood still.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
@Tag("full")
final class CommitCrashTest {

    private static final String DATABASE = ServerGroup.DATABASE;
    private static final String RECORDS = DATABASE + ".orestes-commits";
    private static final String ACCOUNTS = DATABASE + ".Account";
    private static final String ENDS = DATABASE + "._commits";
    private static final String ALL = "/db/Account/query?q=%7B%7D";

    /** Longer than a server takes to start, so that what was held up comes late. */
    private static final int HELD_UP_SECONDS = 40;

    /** One of the objects is deleted last. */
    @Test
    void kill9_beforeACommitIsDecidedAndAfter_nextStartFindsNothingOrAll(@TempDir Path folder) throws Exception {
        try (Mongod mongo = Mongod.standalone(folder.resolve("mongo"))) {
            ServerProcess server = start(folder, mongo);
            try {
                newAccounts(root(server));
                mongo.blockCommand("update", RECORDS, HELD_UP_SECONDS);
                killAmidCommit(server, () -> mongo.isUnderWay("update", RECORDS));
                assertThat(mongo.count(DATABASE, "Account", "{'_commit.new': true}"))
                        .isEqualTo(2);
                assertThat(mongo.count(DATABASE, "orestes-commits", "{state: 'PREPARING'}"))
                        .isEqualTo(1);
                server = start(folder, mongo);
                assertThat(money(Client.anonymous(server))).containsExactly(100L, 100L, 100L);

                mongo.blockCommand("delete", ACCOUNTS, HELD_UP_SECONDS);
                killAmidCommit(server, () -> mongo.isUnderWay("delete", ACCOUNTS));
                assertThat(mongo.count(DATABASE, "Account", "{_id: '" + account(0) + "', money: 60}"))
                        .isEqualTo(1);
                assertThat(mongo.count(DATABASE, "Account", "{_id: '" + account(2) + "'}"))
                        .as("half of it is done")
                        .isEqualTo(1);
                server = start(folder, mongo);
                assertThat(money(Client.anonymous(server))).containsExactly(60L, 140L);

                mongo.failNoCommands();
                await(() -> mongo.count(DATABASE, "Account", "{_commit: {$exists: true}}") == 0);
                assertThat(money(Client.anonymous(server))).containsExactly(60L, 140L);
                root(server).insert("Account", "{\"id\":\"%s\",\"money\":7}".formatted(account(2)));
                assertThat(money(Client.anonymous(server))).containsExactly(60L, 140L, 7L);
            } finally {
                mongo.failNoCommands();
                server.close();
            }
        }
    }

    /** The other server has cached the objects, has a subscriber, and finishes the commit when it is asked for them. */
    @Test
    void kill9_afterTheDecision_otherServerFinishesTellsAndAnswersTheSame(@TempDir Path folder) throws Exception {
        Mongod mongo = Mongod.standalone(folder.resolve("mongo"));
        try (ServerGroup group = new ServerGroup(folder, mongo, 2)) {
            newAccounts(group.root(0));
            Client other = group.anonymous(1);
            try (LiveStream stream = LiveStream.open(other, "Account", "q=%7B%7D")) {
                assertThat(stream.next().name()).isEqualTo("result");
                String tid = begin(group.anonymous(0));
                IntStream.range(0, 3)
                        .forEach(i -> assertThat(other.get(account(i)).status()).isEqualTo(200));
                mongo.blockCommand("delete", ACCOUNTS, HELD_UP_SECONDS);
                CompletableFuture<Answer> commit = CompletableFuture.supplyAsync(() -> commit(group.anonymous(0), tid));
                await(() -> mongo.count(DATABASE, "orestes-commits", "{state: 'COMMITTED'}") == 1);

                // nobody sees that it is half done: whoever asks waits for a moment and sees all of it
                assertThat(IntStream.range(0, 3).mapToObj(i -> money(other)).collect(Collectors.toSet()))
                        .isEqualTo(Set.of(List.of(60L, 140L)));
                assertThat(summaries(stream, 3))
                        .containsExactlyInAnyOrder(
                                "change update " + account(0),
                                "change update " + account(1),
                                "remove delete " + account(2));
                assertThat(other.get(account(0)).text()).contains("60");
                assertThat(other.get(account(2)).status()).isEqualTo(404);
                assertThat(commit).isNotDone();
                group.kill(0);

                // not before its locks are free
                await(() -> commit(other, tid).status() == 200);
                assertThat(commit(other, tid).text())
                        .isEqualTo("[{\"%s\":2},{\"%s\":2}]".formatted(account(0), account(1)));
            }
            mongo.failNoCommands();
            assertThat(money(other)).containsExactly(60L, 140L);
        } finally {
            mongo.close();
        }
    }

    /** Without help MongoDB would keep the objects for whoever is gone. */
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

    /** The same without a group, in which nobody but the next process can help. */
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

    /** By itself it gives up what nobody goes on with after ten minutes. */
    private static Mongod neverGivingUp(Path folder) throws IOException {
        Mongod mongo = Mongod.replicaSet(folder.resolve("mongo"));
        mongo.limitTransactions(600);
        return mongo;
    }

    private static List<String> summaries(LiveStream stream, int count) throws InterruptedException {
        List<String> summaries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            summaries.add(stream.next().summary());
        }
        return summaries;
    }

    /** Begins a commit, and kills the server when it has come so far. */
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
                                + "{\"ref\":\"%s\",\"operations\":{\"$inc\":{\"money\":40}}}],\"deleteSet\":[{\"%s\":1}]}")
                        .formatted(account(0), account(1), account(2)));
    }

    /** What a query finds, in the order of the accounts; what is read one by one has to be the same. */
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
