package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import io.orestes.support.mongo.Mongod;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A MongoDB that does not answer a commit: all caches and subscribers receive it by the change
 * stream.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class UnansweredCommitTest {

    @Test
    void commit_doneAndUnanswered_reachesCachesAndSubscribersOfAllServers(@TempDir Path folder) throws Exception {
        Mongod mongo = Mongod.replicaSet(folder.resolve("mongo"));
        try (ServerGroup group = new ServerGroup(folder, mongo, 2)) {
            Client writer = group.anonymous(0);
            Client other = group.anonymous(1);
            createClass(group.root(0));
            String changed = writer.insert("Note", "{\"text\":\"old\"}");
            String deleted = writer.insert("Note", "{\"text\":\"old\"}");
            assertThat(other.get(changed).text()).contains("old");
            assertThat(other.get(deleted).status()).isEqualTo(200);
            try (LiveStream stream = LiveStream.open(other, "Note", "q=%7B%7D")) {
                assertThat(stream.next().name()).isEqualTo("result");
                String tid = writer.post("/transaction", "{}")
                        .object()
                        .getString("tid")
                        .getValue();
                mongo.hideCommitOutcomes();

                Answer commit = commit(writer, tid, changed, deleted);

                assertThat(commit.status()).as(commit.text()).isEqualTo(503);
                mongo.failNoCommands();
                assertThat(List.of(stream.next().summary(), stream.next().summary()))
                        .containsExactlyInAnyOrder("change update " + changed, "remove delete " + deleted);
                assertThat(other.get(changed).text()).contains("new");
                assertThat(other.get(deleted).status()).isEqualTo(404);
                assertThat(commit(other, tid, changed, deleted).text())
                        .as("a repeated commit is answered")
                        .isEqualTo("[{\"%s\":2}]".formatted(changed));
            }
        }
    }

    private static Answer commit(Client client, String tid, String changed, String deleted) {
        return client.put(
                "/transaction/" + tid + "/committed",
                ("{\"partialUpdates\":[{\"ref\":\"%s\",\"operations\":{\"$set\":{\"text\":\"new\"}}}],"
                                + "\"deleteSet\":[{\"%s\":1}]}")
                        .formatted(changed, deleted));
    }

    private static void createClass(Client root) {
        Answer created = root.post(
                "/schema",
                "{\"class\":\"/db/Note\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}}");
        assertThat(created.status()).as(created.text()).isEqualTo(200);
    }
}
