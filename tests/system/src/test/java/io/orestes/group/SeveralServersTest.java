package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.Scope;
import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveSocket;
import io.orestes.support.http.LiveStream;
import io.orestes.support.process.Waiting;
import io.orestes.system.BloomFilterReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every server answers every request, and its writes are visible at once on all others; also when
 * one of them is killed or paused.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class SeveralServersTest {

    private static final String SOME_USERS = "/db/User/query?q=%7B%7D";
    private static final AtomicInteger CLASSES = new AtomicInteger();

    private final ServerGroup group;

    SeveralServersTest(@TempDir Path folder) throws Exception {
        group = new ServerGroup(folder);
    }

    @BeforeAll
    void waitUntilNothingIsStaleByAssumption() {
        String id = newObject();
        ServerGroup.awaitEmptyFilter(() -> !isStale(0, id) && !isStale(1, id) && !isStale(2, id));
    }

    @AfterAll
    void close() {
        group.close();
    }

    @Test
    void schema_changedByOneServer_isThatOfAll() {
        String bucket = newClass();

        assertThat(group.root(1).get("/schema/" + bucket).status()).isEqualTo(200);
        String id = group.anonymous(2).insert(bucket, "{\"text\":\"x\"}");
        Answer widened = group.root(2)
                .post(
                        "/schema/" + bucket,
                        "{\"class\":\"/db/" + bucket
                                + "\",\"fields\":{\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}}");
        assertThat(widened.status()).as(widened.text()).isEqualTo(200);
        group.anonymous(0).update(id, "{\"text\":\"y\",\"n\":1}");
        assertThat(group.anonymous(1).get(id).text()).contains("\"n\":1");
    }

    @Test
    void write_anotherServerHandedOutCopies_allCallThemStale() {
        String id = newObject();
        assertThat(group.anonymous(1).get(id).header("cache-control").orElseThrow())
                .contains("max-age");

        group.anonymous(0).update(id, "{\"text\":\"new\"}");

        assertThat(isStale(0, id)).isTrue();
        assertThat(isStale(1, id)).isTrue();
        assertThat(isStale(2, id)).isTrue();
        assertThat(group.anonymous(1).get(id).text()).contains("new");
    }

    @Test
    void write_changesAResultThatAnotherServerCached_allCallItStale() {
        String bucket = newClass();
        String query = "/db/" + bucket + "/query?q=%7B%22text%22%3A%22a%22%7D";
        group.anonymous(0).insert(bucket, "{\"text\":\"a\"}");
        Waiting.until("the query is cached", () -> isHit(1, query));

        group.anonymous(0).insert(bucket, "{\"text\":\"a\"}");

        assertThat(isStale(0, query)).isTrue();
        assertThat(isStale(2, query)).isTrue();
        assertThat(group.anonymous(1).get(query).array()).hasSize(2);
    }

    @Test
    void liveQuery_onAnotherServer_receivesWrites() throws Exception {
        String bucket = newClass();
        try (LiveStream stream = LiveStream.open(group.anonymous(2), bucket, "q=%7B%7D")) {
            assertThat(stream.next().name()).isEqualTo("result");

            String id = group.anonymous(0).insert(bucket, "{\"text\":\"a\"}");

            assertThat(stream.next().summary()).isEqualTo("add insert " + id);
        }
    }

    /** Each loses the race repeatedly. */
    @Test
    void schema_extendedByAllServersConcurrently_isCompleteOnAll() {
        String shared = "Shared" + CLASSES.incrementAndGet();
        List<Client> roots = IntStream.range(0, 3).mapToObj(group::root).toList();
        List<String> fields = new ArrayList<>();
        for (int round = 0; round < Scope.rounds(50); round++) {
            String name = "f" + round + "x";
            IntStream.range(0, 3).mapToObj(server -> name + server).forEach(fields::add);
            List<Answer> answers = IntStream.range(0, 3)
                    .mapToObj(server -> CompletableFuture.supplyAsync(
                            () -> roots.get(server).post("/schema", added(shared, name + server))))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
            assertThat(answers)
                    .allSatisfy(answer ->
                            assertThat(answer.status()).as(answer.text()).isEqualTo(200));
        }

        for (int server = 0; server < 3; server++) {
            assertThat(roots.get(server)
                            .get("/schema/" + shared)
                            .object()
                            .getDocument("fields")
                            .keySet())
                    .containsExactlyInAnyOrderElementsOf(fields);
            assertThat(roots.get(server).get("/schema").text())
                    .contains(fields.stream()
                            .map(field -> "\"/db/" + shared + field + "\"")
                            .toList());
        }
    }

    /**
     * Returns the definition of a field of a shared class, or of a class that only one server
     * requests.
     */
    private static String added(String shared, String name) {
        return """
               [{"class": "/db/%1$s", "fields": {"%2$s": {"type": "/db/String"}}},
                {"class": "/db/%1$s%2$s", "fields": {"a": {"type": "/db/%1$s"}}}]
               """
                .formatted(shared, name);
    }

    @Test
    void schema_fieldWidenedByOneServer_isThatOfAllWithItsValues() {
        String bucket = "Wide" + CLASSES.incrementAndGet();
        Answer created = group.root(0)
                .post("/schema", "{\"class\":\"/db/" + bucket + "\",\"fields\":{\"n\":{\"type\":\"/db/Integer\"}}}");
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        String old = group.anonymous(2).insert(bucket, "{\"n\":7}");

        Answer widened = group.root(1)
                .post(
                        "/schema",
                        "{\"operation\":\"changeField\",\"bucket\":\"/db/" + bucket
                                + "\",\"field\":{\"name\":\"n\",\"type\":\"/db/Double\"}}");
        assertThat(widened.status()).as(widened.text()).isEqualTo(200);
        group.anonymous(2).insert(bucket, "{\"n\":7.5}");

        for (int server = 0; server < 3; server++) {
            Client client = group.anonymous(server);
            assertThat(client.get(old).text()).contains("\"n\":7}");
            assertThat(client.get("/db/" + bucket + "/query?q=%7B%22n%22%3A%7B%22%24gte%22%3A7%7D%7D")
                            .array())
                    .hasSize(2);
        }
        assertThat(group.anonymous(0).post(old, "{\"$inc\":{\"n\":0.5}}").text())
                .contains("\"n\":7.5");
    }

    @Test
    void token_revokedByOneServer_isWorthlessOnAllAtOnce() {
        String name = "user" + CLASSES.incrementAndGet();
        Answer registered = group.anonymous(0)
                .post(
                        "/db/User/register",
                        "{\"user\":{\"username\":\"" + name + "\"},\"password\":\"first one\",\"login\":true}");
        Client session = group.anonymous(1)
                .withToken(registered.header("baqend-authorization-token").orElseThrow());
        assertThat(session.get(SOME_USERS).status()).isEqualTo(200);

        Answer changed = group.anonymous(2)
                .post(
                        "/db/User/password",
                        "{\"username\":\"" + name + "\",\"password\":\"first one\",\"newPassword\":\"second one\"}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);

        assertThat(session.get(SOME_USERS).status()).isEqualTo(460);
    }

    @Test
    void transaction_begunCommittedAndCommittedAgainOnThreeServers_isOne() {
        String id = newObject();
        String other = newObject();
        String path = "/transaction/"
                + group.anonymous(0)
                        .post("/transaction", "{}")
                        .object()
                        .getString("tid")
                        .getValue()
                + "/committed";
        String body = ("{\"readSet\":[{\"oid\":\"%s\",\"version\":1}],\"writeSet\":[{\"id\":\"%s\",\"version\":1,"
                        + "\"text\":\"t\"}]}")
                .formatted(other, id);

        Answer committed = group.anonymous(1).put(path, body);
        Answer again = group.anonymous(2).put(path, body);

        assertThat(committed.status()).as(committed.text()).isEqualTo(200);
        assertThat(again.text()).isEqualTo(committed.text()).isEqualTo("[{\"%s\":2}]".formatted(id));
        assertThat(group.anonymous(0).get(id).text()).contains("\"version\":2");
        assertThat(group.anonymous(2)
                        .put(path.replace("/committed", "/aborted"), "{}")
                        .status())
                .isEqualTo(472);
    }

    /**
     * Locks order commits of all servers, so of two that read what the other one writes only one
     * succeeds.
     */
    @Test
    void transactions_writeSkewOnTwoServers_isPrevented() {
        String one = newObject();
        String two = newObject();
        String reads =
                "\"readSet\":[{\"oid\":\"%s\",\"version\":1},{\"oid\":\"%s\",\"version\":1}]".formatted(one, two);

        List<Integer> statuses = IntStream.range(0, 2)
                .parallel()
                .mapToObj(server -> commit(
                        server,
                        "{%s,\"writeSet\":[{\"id\":\"%s\",\"version\":1,\"text\":\"w\"}]}"
                                .formatted(reads, server == 0 ? one : two)))
                .toList();

        assertThat(statuses).containsExactlyInAnyOrder(200, 412);
    }

    private int commit(int server, String body) {
        Client client = group.anonymous(server);
        String tid = client.post("/transaction", "{}").object().getString("tid").getValue();
        return client.put("/transaction/" + tid + "/committed", body).status();
    }

    /**
     * The results that it delivered have no observer any more, and the others wait for it only
     * briefly.
     */
    @Test
    void kill_aServerWithCachedResults_writesContinueAndItsResultsAreStale() throws Exception {
        String bucket = newClass();
        String query = "/db/" + bucket + "/query?q=%7B%22text%22%3A%22k%22%7D";
        String id = group.anonymous(0).insert(bucket, "{\"text\":\"k\"}");
        Waiting.until("the query is cached", () -> isHit(1, query));
        assertThat(group.anonymous(1).get(id).status()).isEqualTo(200);

        group.kill(1);
        group.anonymous(0).update(id, "{\"text\":\"other\"}");

        assertThat(isStale(0, query)).isTrue();
        assertThat(isStale(2, query)).isTrue();
        assertThat(isStale(2, id)).isTrue();
        group.restart(1);
        assertThat(isStale(1, query)).isTrue();
        assertThat(group.anonymous(1).get(id).text()).contains("other");
    }

    /**
     * The server cannot know what it missed until it has joined again, so it must not answer from
     * its caches.
     */
    @Test
    void pause_aServerForLongerThanItsLease_itAnswersNothingOldAfterwards() throws Exception {
        String id = newObject();
        Waiting.until("the object is cached", () -> isHit(2, id));

        group.server(2).command().signal("STOP");
        long stoppedAt = System.nanoTime();
        group.anonymous(0).update(id, "{\"text\":\"missed\"}");
        Waiting.pause(Duration.ofSeconds(10).minusNanos(System.nanoTime() - stoppedAt));
        group.server(2).command().signal("CONT");

        assertThat(group.anonymous(2).get(id).text()).contains("missed");
        Waiting.until(
                "it is a member again",
                () -> group.anonymous(2).get("/bloomfilter").status() == 200);
        assertThat(isStale(2, id)).isTrue();
        group.anonymous(2).update(id, "{\"text\":\"again\"}");
        assertThat(group.anonymous(0).get(id).text()).contains("again");
    }

    /**
     * An error would end those of some clients for good; a disconnected client subscribes again.
     */
    @Test
    void pause_aServerWithLiveQueries_theirConnectionsEndWithoutAnError() throws Exception {
        String bucket = newClass();
        try (LiveSocket socket = LiveSocket.open(group.server(1));
                LiveStream stream = LiveStream.open(group.anonymous(1), bucket, "q=%7B%7D")) {
            socket.subscribe("s", bucket, "{}", "");
            assertThat(socket.next().getString("type").getValue()).isEqualTo("result");
            assertThat(stream.next().name()).isEqualTo("result");

            group.server(1).command().signal("STOP");
            String id = group.anonymous(0).insert(bucket, "{\"text\":\"missed\"}");
            Waiting.pause(Duration.ofSeconds(10));
            group.server(1).command().signal("CONT");

            assertThat(socket.closeStatus()).isEqualTo(1001);
            assertThat(afterMatches(stream)).isEqualTo("end");
            Waiting.until("it is a member again", () -> {
                Answer filter = group.anonymous(1).get("/bloomfilter");
                assertThat(filter.status() == 200
                                || filter.header("retry-after").isPresent())
                        .isTrue();
                return filter.status() == 200;
            });
            try (LiveStream again = LiveStream.open(group.anonymous(1), bucket, "q=%7B%7D")) {
                assertThat(again.next().text()).contains(id);
            }
        }
    }

    /**
     * The server may have received the write before it was paused, and sends it when it continues.
     */
    private static String afterMatches(LiveStream stream) throws InterruptedException {
        String name = stream.next().name();
        return name.equals("match") ? afterMatches(stream) : name;
    }

    private String newClass() {
        String name = "Thing" + CLASSES.incrementAndGet();
        Answer created = group.root(0)
                .post(
                        "/schema",
                        "{\"class\":\"/db/" + name
                                + "\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}}");
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        return name;
    }

    private String newObject() {
        return group.anonymous(0).insert(newClass(), "{\"text\":\"old\"}");
    }

    private boolean isStale(int server, String key) {
        Answer filter = group.anonymous(server).get("/bloomfilter");
        assertThat(filter.status()).as(filter.text()).isEqualTo(200);
        return new BloomFilterReader(filter.object()).contains(key);
    }

    private boolean isHit(int server, String path) {
        return group.anonymous(server)
                .get(path)
                .header("orestes-cache")
                .filter("HIT"::equalsIgnoreCase)
                .isPresent();
    }
}
