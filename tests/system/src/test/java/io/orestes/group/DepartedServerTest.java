package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills servers with a transaction open in MongoDB, which retains such a transaction for ten
 * minutes here. The others write its objects as soon as the killed server has left the group.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class DepartedServerTest {

    private static final int KEPT_SECONDS = 600;

    private final ServerGroup group;
    private final SortedSet<Integer> killed = new TreeSet<>();

    DepartedServerTest(@TempDir Path folder) throws Exception {
        Mongod mongo = Mongod.replicaSet(folder.resolve("mongo"));
        mongo.limitTransactions(KEPT_SECONDS);
        group = new ServerGroup(folder, mongo, 3);
    }

    @AfterEach
    void restart() throws InterruptedException {
        for (int number : killed) {
            group.restart(number);
        }
        killed.clear();
    }

    @AfterAll
    void close() {
        group.close();
    }

    @Test
    void kill9_withinADeletion_otherServerDeletesTheObject() throws Exception {
        Client other = withObject("Deleted");

        killWithin(0, "findAndModify", "Deleted", client -> client.delete("/db/Deleted/x"));

        assertThat(await(() -> other.delete("/db/Deleted/x")).status()).isEqualTo(204);
        assertThat(other.get("/db/Deleted/x").status()).isEqualTo(404);
    }

    @Test
    void kill9_withinATruncation_otherServerTruncates() throws Exception {
        Client other = withObject("Truncated");

        killWithin(0, "delete", "Truncated", client -> client.delete("/db/Truncated"));

        assertThat(await(() -> other.delete("/db/Truncated")).text()).isEqualTo("{\"count\":1}");
        assertThat(other.get("/db/Truncated/x").status()).isEqualTo(404);
    }

    /** The last departure has no observer. */
    @Test
    @Tag("full")
    void kill9_allWithinADeletion_firstOfTheNextGroupDeletesTheObject() throws Exception {
        Client before = withObject("Last");
        assertThat(before.get("/db/Last/x").status()).isEqualTo(200);
        kill(1);
        kill(2);

        killWithin(0, "findAndModify", "Last", client -> client.delete("/db/Last/x"));
        group.awaitNoMembers();
        restart();

        Client next = group.root(0);
        assertThat(await(() -> next.delete("/db/Last/x")).status()).isEqualTo(204);
        assertThat(group.root(1).get("/db/Last/x").status()).isEqualTo(404);
    }

    private void kill(int number) throws InterruptedException {
        group.kill(number);
        killed.add(number);
    }

    /** Repeats a deletion until the store permits it; before it is 503. */
    private static Answer await(Supplier<Answer> deletion) {
        return Waiting.forAnswer("the deletion", deletion, answer -> answer.status() != 503);
    }

    /** Returns a client of another server than the one that is to be killed. */
    private Client withObject(String type) {
        Client other = group.root(1);
        Answer created = other.post(
                "/schema",
                "{\"class\":\"/db/%s\",\"fields\":{\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}}".formatted(type));
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        other.insert(type, "{\"id\":\"/db/%s/x\",\"n\":1}".formatted(type));
        return other;
    }

    /** The transaction has written the tombstone when the next deletion is blocked. */
    private void killWithin(int number, String command, String type, Function<Client, Answer> deletion)
            throws InterruptedException {
        Client client = group.root(number);
        String objects = ServerGroup.DATABASE + "." + type;
        group.mongo().blockCommand(command, objects, KEPT_SECONDS);
        CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> deletion.apply(client));
        Waiting.until("the deletion is blocked", () -> group.mongo().isUnderWay(command, objects));

        kill(number);

        Waiting.until("the client is not answered", answer::isDone);
        assertThat(answer).isCompletedExceptionally();
    }
}
