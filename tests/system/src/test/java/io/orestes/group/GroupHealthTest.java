package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code /-/health} of servers of a group: their identity and connections, before and after one is
 * killed.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class GroupHealthTest {

    private final Path folder;

    GroupHealthTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void report_ofAGroup_namesMembersLinksAndTheReaderAlsoAfterItWasKilled() throws Exception {
        try (ServerGroup group = new ServerGroup(folder)) {
            List<Client> roots = IntStream.range(0, 3).mapToObj(group::root).toList();
            Waiting.until("all are connected", () -> roots.stream().allMatch(root -> connected(report(root)) == 2));
            Waiting.until(
                    "one reads",
                    () -> readers(roots).size() == 1 && !readers(roots).contains(""));

            for (Client root : roots) {
                BsonDocument coordinator = report(root).getDocument("coordinator");
                assertThat(coordinator.getString("kind").getValue()).isEqualTo("ZooKeeper");
                assertThat(coordinator.getBoolean("reachable").getValue()).isTrue();
                assertThat(coordinator.getBoolean("current").getValue()).isTrue();
                assertThat(coordinator.getNumber("leaseMs").doubleValue()).isBetween(1.0, 60_000.0);
                assertThat(coordinator.getArray("servers")).hasSize(3);
                assertThat(ids(report(root))).contains(reader(report(root)));
            }
            assertThat(roots.stream().map(root -> self(report(root)))).doesNotHaveDuplicates();

            String killed = reader(report(roots.get(0)));
            int number = numberOf(killed, roots);
            group.kill(number);

            Client left = roots.get((number + 1) % 3);
            Waiting.until("it has left the group", () -> !ids(report(left)).contains(killed));
            Waiting.until("another one reads", () -> ids(report(left)).contains(reader(report(left))));
            Waiting.until("it is connected to the other one only", () -> connected(report(left)) == 1);
        }
    }

    private static int numberOf(String id, List<Client> roots) {
        return IntStream.range(0, roots.size())
                .filter(number -> self(report(roots.get(number))).equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static BsonDocument report(Client root) {
        Answer answer = root.get("/-/health");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.object();
    }

    private static Set<String> readers(List<Client> roots) {
        Set<String> readers = new HashSet<>();
        roots.forEach(root -> readers.add(reader(report(root))));
        return readers;
    }

    /** Empty for none. */
    private static String reader(BsonDocument report) {
        BsonDocument coordinator = report.getDocument("coordinator");
        return coordinator.isNull("changeReader")
                ? ""
                : coordinator.getString("changeReader").getValue();
    }

    private static String self(BsonDocument report) {
        return servers(report).stream()
                .filter(server -> server.getBoolean("self").getValue())
                .map(server -> server.getString("id").getValue())
                .findFirst()
                .orElseThrow();
    }

    private static List<String> ids(BsonDocument report) {
        return servers(report).stream()
                .map(server -> server.getString("id").getValue())
                .toList();
    }

    private static long connected(BsonDocument report) {
        return servers(report).stream()
                .filter(server -> !server.isNull("link"))
                .filter(server ->
                        server.getDocument("link").getBoolean("connected").getValue())
                .count();
    }

    private static List<BsonDocument> servers(BsonDocument report) {
        return report.getDocument("coordinator").getArray("servers").stream()
                .map(BsonValue::asDocument)
                .toList();
    }
}
