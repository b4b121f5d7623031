package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.LiveStream;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import io.orestes.system.BloomFilterReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
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

/**
 * One of the servers reads the writes of other programs and replicates them to all; when it has
 * left another one continues from its position.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class GroupExternalWritesTest {

    private final ServerGroup group;
    private int away = -1;

    GroupExternalWritesTest(@TempDir Path folder) throws Exception {
        group = new ServerGroup(folder, Mongod.replicaSet(folder.resolve("mongo")), 3);
    }

    @BeforeAll
    void waitUntilOneReads() {
        Waiting.until("one server reads", () -> readers().size() == 1);
        String id = newObject("First");
        ServerGroup.awaitEmptyFilter(() -> !isStale(0, id) && !isStale(1, id) && !isStale(2, id));
    }

    @AfterAll
    void close() {
        group.close();
    }

    @Test
    void foreignWrites_readerIsKilled_reachLiveQueriesAndFiltersOfTheOthers() throws Exception {
        String id = newObject("Killed");
        int reader = reader();
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
            away = reader;
            group.updateInStore("Killed", id, "{$set: {text: 'second'}}");

            assertThat(stream.next().summary()).isEqualTo("change update " + id);
            assertThat(changeStreamsSeen()).hasSize(1);
        }
        Waiting.until("it is stale", () -> isStale(follower, id) && isStale(other, id));
        assertThat(group.anonymous(follower).get(id).text()).contains("second").contains("\"version\":3");
        Waiting.until("another one reads", () -> readers().size() == 1);
        group.restart(reader);
        away = -1;
    }

    /** The reader is paused for longer than its session, and another one has replaced it. */
    @Test
    void foreignWrites_readerIsStopped_allReachTheOthersAndOneReads() throws Exception {
        newClass("Stopped");
        int reader = reader();
        int follower = (reader + 1) % 3;
        List<String> written = new ArrayList<>();
        try (LiveStream stream = LiveStream.open(group.anonymous(follower), "Stopped", "q=%7B%7D")) {
            assertThat(stream.next().name()).isEqualTo("result");
            group.server(reader).command().signal("STOP");
            away = reader;
            Waiting.until("another one reads", () -> {
                written.add(putForeign("Stopped", written.size()));
                return readers().size() == 1;
            });
            written.add(putForeign("Stopped", written.size()));
            group.server(reader).command().signal("CONT");
            away = -1;
            written.add(putForeign("Stopped", written.size()));

            assertThat(added(stream, written.size())).containsExactlyInAnyOrderElementsOf(written);
        }
        Waiting.until(
                "it is a member again",
                () -> group.anonymous(reader).get("/bloomfilter").status() == 200);
        Waiting.until("one reads", () -> readers().size() == 1);
        assertThat(readers()).doesNotContain(reader);
        assertThat(changeStreamsSeen()).hasSize(1);
        try (LiveStream stream = LiveStream.open(group.anonymous(reader), "Stopped", "q=%7B%7D")) {
            assertThat(stream.next().name()).isEqualTo("result");
            String last = putForeign("Stopped", written.size());
            assertThat(added(stream, 1)).containsExactly(last);
        }
    }

    /** The object is left by a server that dies between commit and notification. */
    @Test
    void write_committedAndNotReplicated_reachesLiveQueriesOfAll() throws Exception {
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

    /**
     * Returns the change streams seen for a while and at least one, as a reader waits most of the
     * time but not always.
     */
    private Set<Long> changeStreamsSeen() {
        Set<Long> seen = new HashSet<>();
        Waiting.until("a server reads the change feed", () -> {
            for (int look = 0; look < 300; look++) {
                seen.addAll(group.changeStreams());
            }
            return !seen.isEmpty();
        });
        return seen;
    }

    private int reader() {
        return Waiting.forAnswer("one server reads", this::readers, found -> found.size() == 1)
                .get(0);
    }

    private List<Integer> readers() {
        return IntStream.range(0, 3)
                .filter(number -> number != away)
                .filter(number -> group.anonymous(number).get("/status").text().contains("\"reading\""))
                .boxed()
                .toList();
    }

    /** Writes a document as another program; returns its id. */
    private String putForeign(String bucket, int number) {
        String id = "/db/%s/f%d".formatted(bucket, number);
        group.putIntoStore(bucket, id, "{text: 'foreign'}");
        return id;
    }

    /** Returns the next ids that a live query adds. */
    private static List<String> added(LiveStream stream, int count) throws InterruptedException {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String summary = stream.next().summary();
            assertThat(summary).startsWith("add ");
            ids.add(summary.substring(summary.lastIndexOf(' ') + 1));
        }
        return ids;
    }

    private String newObject(String bucket) {
        newClass(bucket);
        return group.anonymous(0).insert(bucket, "{\"text\":\"old\"}");
    }

    private void newClass(String bucket) {
        Answer created = group.root(0)
                .post(
                        "/schema",
                        "{\"class\":\"/db/" + bucket
                                + "\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}}");
        assertThat(created.status()).as(created.text()).isEqualTo(200);
    }

    private boolean isStale(int server, String key) {
        Answer filter = group.anonymous(server).get("/bloomfilter");
        assertThat(filter.status()).as(filter.text()).isEqualTo(200);
        return new BloomFilterReader(filter.object()).contains(key);
    }
}
