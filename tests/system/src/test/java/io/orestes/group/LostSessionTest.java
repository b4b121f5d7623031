package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server is paused in the middle of a commit, until its session with ZooKeeper has ended and the
 * others have evicted it. MongoDB runs the blocked command when the others have recovered.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(4 * 60)
final class LostSessionTest {

    /** Longer than the recovery of the others. */
    private static final int HELD_UP_SECONDS = 30;

    private final Mongod mongo;
    private final ServerGroup group;

    LostSessionTest(@TempDir Path folder) throws Exception {
        this.mongo = Mongod.replicaSet(folder.resolve("mongo"));
        this.group = new ServerGroup(folder, mongo, 2);
    }

    @AfterAll
    void close() {
        group.close();
    }

    /** The progress of the commit, by the command that is blocked. */
    enum CommitStep {
        NOTHING_WRITTEN("update", "$class"),
        ALL_BUT_THE_END_WRITTEN("insert", "_commits"),
        ALL_WRITTEN("commitTransaction", "");

        private final String command;
        private final String collection;

        CommitStep(String command, String collection) {
            this.command = command;
            this.collection = collection;
        }

        /** Empty text if the command names none. */
        String collection(String bucket) {
            return collection.isEmpty() ? "" : ServerGroup.DATABASE + "." + collection.replace("$class", bucket);
        }
    }

    /** Another commit is blocked if the machine was too slow for the recovery of the others. */
    @ParameterizedTest
    @EnumSource
    void stop_amidACommitForLongerThanTheSession_othersContinueWithoutTheCommit(CommitStep moment) throws Exception {
        int attempt = 1;
        while (!othersContinueAmidACommit(
                moment, new Accounts("Account" + moment.name().replace("_", "") + attempt))) {
            attempt++;
        }
    }

    /** Returns false if the command was no longer blocked when the others had recovered. */
    private boolean othersContinueAmidACommit(CommitStep moment, Accounts accounts) throws Exception {
        accounts.create(group.root(0));
        String tid = begin(group.anonymous(0));
        String collection = moment.collection(accounts.bucket());
        long blocked = System.nanoTime();
        mongo.blockCommand(moment.command, collection, HELD_UP_SECONDS);
        CompletableFuture<Answer> stopped =
                CompletableFuture.supplyAsync(() -> accounts.move(group.anonymous(0), tid, 40));
        Waiting.until("the commit is blocked", () -> mongo.isUnderWay(moment.command, collection));
        group.server(0).command().signal("STOP");

        Client other = group.anonymous(1);
        Waiting.until(
                "the other server commits",
                () -> accounts.move(other, begin(other), 1).status() == 200);
        boolean wasBlocked = System.nanoTime() - blocked < TimeUnit.SECONDS.toNanos(HELD_UP_SECONDS);
        group.server(0).command().signal("CONT");
        mongo.failNoCommands();

        // its client may have given up
        Waiting.until("it is answered", stopped::isDone);
        if (wasBlocked) {
            assertNotCommitted(accounts, tid, stopped);
        } else {
            awaitMembership();
        }
        return wasBlocked;
    }

    private void assertNotCommitted(Accounts accounts, String tid, CompletableFuture<Answer> stopped) {
        int answer = stopped.handle((answered, none) -> answered == null ? 503 : answered.status())
                .join();
        assertThat(answer).isIn(409, 472, 503);
        Client other = group.anonymous(1);
        assertThat(accounts.move(other, tid, 40).status())
                .as("its outcome is resolved, and it is not committed later")
                .isEqualTo(472);
        List<Long> left = List.of(99L, 101L);
        assertThat(accounts.money(other)).isEqualTo(left);
        awaitMembership();
        assertThat(accounts.money(group.anonymous(0))).isEqualTo(left);
        assertThat(mongo.count(ServerGroup.DATABASE, accounts.bucket(), "{version: 2}"))
                .as("written that often")
                .isEqualTo(2);
    }

    private void awaitMembership() {
        Waiting.until(
                "it is a member again",
                () -> group.anonymous(0).get("/bloomfilter").status() == 200);
    }

    private static String begin(Client client) {
        return client.post("/transaction", "{}").object().getString("tid").getValue();
    }

    /** Two accounts of a class of their own. */
    private record Accounts(String bucket) {

        void create(Client root) {
            Answer created = root.post(
                    "/schema",
                    "{\"class\":\"/db/%s\",\"fields\":{\"money\":{\"name\":\"money\",\"type\":\"/db/Integer\"}}}"
                            .formatted(bucket));
            assertThat(created.status()).as(created.text()).isEqualTo(200);
            IntStream.range(0, 2)
                    .forEach(i -> root.insert(bucket, "{\"id\":\"%s\",\"money\":100}".formatted(account(i))));
        }

        /** Moves an amount from the first account to the second. */
        Answer move(Client client, String tid, int amount) {
            return client.put(
                    "/transaction/" + tid + "/committed",
                    ("{\"partialUpdates\":[{\"ref\":\"%s\",\"operations\":{\"$inc\":{\"money\":-%d}}},"
                                    + "{\"ref\":\"%s\",\"operations\":{\"$inc\":{\"money\":%d}}}]}")
                            .formatted(account(0), amount, account(1), amount));
        }

        List<Long> money(Client client) {
            return IntStream.range(0, 2)
                    .mapToObj(i -> client.get(account(i), "Cache-Control", "no-cache"))
                    .map(answer -> answer.object().getNumber("money").longValue())
                    .toList();
        }

        private String account(int number) {
            return "/db/" + bucket + "/a" + number;
        }
    }
}
