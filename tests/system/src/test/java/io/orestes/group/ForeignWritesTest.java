package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.system.Answer;
import io.orestes.system.BloomFilterReader;
import io.orestes.system.LiveStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What other programs write one of the servers reads, and tells all; when it is killed another one goes on from where it was. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class ForeignWritesTest {

    private final ServerGroup group;
    private int killed = -1;

    ForeignWritesTest(@TempDir Path folder) throws Exception {
        group = new ServerGroup(folder);
    }

    @BeforeAll
    void waitUntilOneReads() {
        Waiting.until("one server reads", () -> readers().size() == 1);
        String id = newObject("First");
        Waiting.until("the filter empties", () -> !isStale(0, id) && !isStale(1, id) && !isStale(2, id));
    }

    @AfterAll
    void close() {
        group.close();
    }

    @Test
    void foreignWrites_readerIsKilled_reachLiveQueriesAndFiltersOfTheOthers() throws Exception {
        String id = newObject("Killed");
        int reader = readers().get(0);
        int follower = (reader + 1) % 3;
        int other = (reader + 2) % 3;
        try (LiveStream stream = LiveStream.open(group.anonymous(follower), "Killed", "q=%7B%7D");
                LiveStream another =
                        LiveStream.open(group.anonymous(other), "Killed", "q=%7B%22text%22:%22old%22%7D")) {
            assertThat(stream.next().name()).isEqualTo("result");
            assertThat(another.next().name()).isEqualTo("result");
            assertThat(changeStreamsSeen()).hasSize(1);
            group.updateInStore("Killed", id, "{$set: {text: 'first'}}");
            assertThat(stream.next().summary()).isEqualTo("change update " + id);

            assertThat(group.anonymous(other).get(id).text()).contains("first");
            group.kill(reader);
            killed = reader;
            group.updateInStore("Killed", id, "{$set: {text: 'second'}}");

            assertThat(stream.next().summary()).isEqualTo("change update " + id);
            assertThat(changeStreamsSeen()).hasSize(1);
        }
        Waiting.until("it is stale", () -> isStale(follower, id) && isStale(other, id));
        assertThat(group.anonymous(follower).get(id).text()).contains("second").contains("\"version\":3");
        Waiting.until("another one reads", () -> readers().size() == 1);
        group.restart(reader);
        killed = -1;
    }

    /** As a server leaves an object that dies between commit and telling. */
    @Test
    void write_committedByAServerThatToldNobody_reachesLiveQueriesOfAll() throws Exception {
        String id = newObject("Untold");
        List<Integer> running = IntStream.range(0, 3).boxed().toList();
        try (LiveStream one = LiveStream.open(group.anonymous(running.get(0)), "Untold", "q=%7B%7D");
                LiveStream two = LiveStream.open(group.anonymous(running.get(1)), "Untold", "q=%7B%7D")) {
            assertThat(one.next().name()).isEqualTo("result");
            assertThat(two.next().name()).isEqualTo("result");
            assertThat(group.anonymous(2).get(id).status()).isEqualTo(200);

            String now = Instant.now().toString();
            group.putIntoStore(
                    "Untold",
                    id,
                    ("{version: {$numberLong: '2'}, createdAt: {$date: '%s'}, updatedAt: {$date: '%s'},"
                                    + " text: 'untold'}")
                            .formatted(now, now));

            assertThat(one.next().summary()).endsWith("update " + id);
            assertThat(two.next().summary()).endsWith("update " + id);
        }
        assertThat(isStale(0, id)).isTrue();
        assertThat(group.anonymous(2).get(id).text()).contains("untold").contains("\"version\":2");
    }

    /** In a while, as a reader waits for most of the time but not always. */
    private Set<Long> changeStreamsSeen() {
        Set<Long> seen = new HashSet<>();
        for (int look = 0; look < 300; look++) {
            seen.addAll(group.changeStreams());
        }
        return seen;
    }

    private List<Integer> readers() {
        return IntStream.range(0, 3)
                .filter(number -> number != killed)
                .filter(number -> group.anonymous(number).get("/status").text().contains("\"reading\""))
                .boxed()
                .toList();
    }

    private String newObject(String bucket) {
        Answer created = group.root(0)
                .post(
                        "/schema",
                        "{\"class\":\"/db/" + bucket
                                + "\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}}");
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        return group.anonymous(0).insert(bucket, "{\"text\":\"old\"}");
    }

    private boolean isStale(int server, String key) {
        Answer filter = group.anonymous(server).get("/bloomfilter");
        assertThat(filter.status()).as(filter.text()).isEqualTo(200);
        return new BloomFilterReader(filter.object()).contains(key);
    }
}
