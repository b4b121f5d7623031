package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.system.Answer;
import io.orestes.system.Client;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server stands still in the middle of a commit, until its session with ZooKeeper is over and others have taken it for dead. */
@Timeout(3 * 60)
final class LostSessionTest {

    private static final String ACCOUNTS = ServerGroup.DATABASE + ".Account";

    /** Longer than it takes the others to go on. */
    private static final int HELD_UP_SECONDS = 60;

    private enum Shape {
        REPLICA_SET,
        STANDALONE
    }

    @ParameterizedTest
    @EnumSource
    void stop_amidACommitForLongerThanTheSession_itIsAbortedAndOthersGoOn(Shape shape, @TempDir Path folder)
            throws Exception {
        MongoServer mongo = start(shape, folder.resolve("mongo"));
        try (ServerGroup group = new ServerGroup(folder, mongo, 2)) {
            newAccounts(group.root(0));
            String tid = begin(group.anonymous(0));
            mongo.holdUp("update", ACCOUNTS, HELD_UP_SECONDS);
            CompletableFuture<Answer> stopped = CompletableFuture.supplyAsync(() -> move(group.anonymous(0), tid, 40));
            Waiting.until("the commit is held up", () -> mongo.isHeldUp("update", ACCOUNTS));
            group.server(0).command().signal("STOP");

            Client other = group.anonymous(1);
            Waiting.until(
                    "the other server commits",
                    () -> move(other, begin(other), 1).status() == 200);
            group.server(0).command().signal("CONT");
            mongo.holdUpNothing();

            // its client may have given up
            Waiting.until("it is answered", stopped::isDone);
            assertThat(stopped.handle((answer, none) -> answer == null ? 503 : answer.status())
                            .join())
                    .isIn(409, 472, 503);
            assertThat(move(other, tid, 40).status())
                    .as("nobody commits it later")
                    .isEqualTo(472);
            assertThat(money(other)).containsExactly(99L, 101L);
            Waiting.until(
                    "it is a member again",
                    () -> group.anonymous(0).get("/bloomfilter").status() == 200);
            assertThat(money(group.anonymous(0))).containsExactly(99L, 101L);
            assertThat(mongo.count(ServerGroup.DATABASE, "Account", "{version: {$gt: 2}}"))
                    .isZero();
        }
    }

    private static MongoServer start(Shape shape, Path folder) throws IOException {
        return shape == Shape.REPLICA_SET ? MongoServer.replicaSet(folder) : MongoServer.standalone(folder);
    }

    private static void newAccounts(Client root) {
        Answer created = root.post(
                "/schema",
                "{\"class\":\"/db/Account\",\"fields\":{\"money\":{\"name\":\"money\",\"type\":\"/db/Integer\"}}}");
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        IntStream.range(0, 2)
                .forEach(i -> root.insert("Account", "{\"id\":\"%s\",\"money\":100}".formatted(account(i))));
    }

    private static String begin(Client client) {
        return client.post("/transaction", "{}").object().getString("tid").getValue();
    }

    /** From the first account to the second. */
    private static Answer move(Client client, String tid, int amount) {
        return client.put(
                "/transaction/" + tid + "/committed",
                ("{\"partialUpdates\":[{\"ref\":\"%s\",\"operations\":{\"$inc\":{\"money\":-%d}}},"
                                + "{\"ref\":\"%s\",\"operations\":{\"$inc\":{\"money\":%d}}}]}")
                        .formatted(account(0), amount, account(1), amount));
    }

    private static List<Long> money(Client client) {
        return IntStream.range(0, 2)
                .mapToObj(i -> client.get(account(i), "Cache-Control", "no-cache"))
                .map(answer -> answer.object().getNumber("money").longValue())
                .toList();
    }

    private static String account(int number) {
        return "/db/Account/a" + number;
    }
}
