package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server is killed while its write is on its way to MongoDB, whose change stream then notifies
 * the others.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class UnreplicatedWriteTest {

    private static final String ID = "/db/Note/1";
    private static final String NOTES = ServerGroup.DATABASE + ".Note";

    /** Delay in seconds, less than a lease. */
    private static final int SOON = 1;

    /** Delay in seconds, longer than others need to detect that a server has failed. */
    private static final int LATE = 20;

    @Test
    void kill9_beforeReplication_othersReadItFromTheChangeStream(@TempDir Path folder) throws Exception {
        Mongod mongo = Mongod.replicaSet(folder.resolve("mongo"));
        try (ServerGroup group = new ServerGroup(folder, mongo, 2)) {
            newNote(group);
            Client other = group.anonymous(1);
            assertThat(other.get(ID).text()).contains("old");
            try (LiveStream stream = LiveStream.open(other, "Note", "q=%7B%7D")) {
                assertThat(stream.next().name()).isEqualTo("result");
                Client writer = group.anonymous(0);
                int before = mongo.blockCommand("findAndModify", NOTES, SOON);
                var unused = CompletableFuture.supplyAsync(() -> writer.update(ID, "{\"text\":\"new\"}"));
                // on a slow machine it is done before it can be observed
                mongo.awaitFailedCommand(before);
                group.kill(0);
                Waiting.until(
                        "it is written",
                        () -> mongo.count(ServerGroup.DATABASE, "Note", "{_id: '%s', text: 'new'}".formatted(ID)) == 1);

                assertThat(stream.next().summary()).isEqualTo("change update " + ID);
            }
            assertThat(other.get(ID).text()).contains("new");
        }
    }

    /**
     * The others have evicted the server by then, and have answered from their caches in the
     * meantime. Another write is blocked if the machine was too slow for that.
     */
    @Test
    void kill9_writeArrivesAfterTheRecoveryOfOthers_isReadFromTheChangeStream(@TempDir Path folder) throws Exception {
        Mongod mongo = Mongod.replicaSet(folder.resolve("mongo"));
        try (ServerGroup group = new ServerGroup(folder, mongo, 2)) {
            newNote(group);
            while (!killBeforeALateWrite(group, mongo)) {
                group.restart(0);
                group.anonymous(0).update(ID, "{\"text\":\"old\"}");
            }
        }
    }

    /** Returns false if the write had arrived before the old state was read. */
    private static boolean killBeforeALateWrite(ServerGroup group, Mongod mongo) throws Exception {
        Client other = group.anonymous(1);
        Client writer = group.anonymous(0);
        mongo.blockCommand("findAndModify", NOTES, LATE);
        var unused = CompletableFuture.supplyAsync(() -> writer.update(ID, "{\"text\":\"late\"}"));
        Waiting.until("the write is blocked", () -> mongo.isUnderWay("findAndModify", NOTES));
        group.kill(0);

        try (LiveStream stream = LiveStream.open(other, "Note", "q=%7B%7D")) {
            assertThat(stream.next().name()).isEqualTo("result");
            String text = other.get(ID).text();
            if (!mongo.isUnderWay("findAndModify", NOTES)) {
                return false;
            }
            assertThat(text).contains("old");
            assertThat(stream.next().summary()).isEqualTo("change update " + ID);
        }
        assertThat(other.get(ID).text()).contains("late");
        return true;
    }

    private static void newNote(ServerGroup group) {
        Answer created = group.root(0)
                .post(
                        "/schema",
                        "{\"class\":\"/db/Note\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}}");
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        group.anonymous(0).insert("Note", "{\"id\":\"%s\",\"text\":\"old\"}".formatted(ID));
    }
}
