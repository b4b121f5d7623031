package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.process.Ports;
import io.orestes.support.process.Waiting;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import io.orestes.support.varnish.Varnish;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that purges the Varnish in front of it. All writes bypass Varnish, and all reads are
 * plain ones: no client demands anything newer than what Varnish has.
 */
final class VarnishPurgeTest {

    private static final String FOR_ROOT = "\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}";

    private static Path temp = Path.of("");
    private static int serverPort;
    private static ServerProcess server;
    private static Varnish varnish;
    private static int classes;

    private final Client direct;
    private final Client root;
    private final Client client;
    private String bucket = "";

    VarnishPurgeTest() {
        direct = Client.anonymous(server);
        root = direct.login("root", Backend.ROOT_PASSWORD);
        client = Client.anonymous(varnish.base());
    }

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        temp = folder;
        serverPort = Ports.free();
        varnish = Varnish.inFrontOf(Launcher.ROOT, "127.0.0.1:" + serverPort)
                .purgeSecret("vanish")
                .start();
        server = startServer();
    }

    @AfterAll
    static void stop() throws InterruptedException {
        server.stop();
        varnish.stop();
    }

    private static ServerProcess startServer() throws InterruptedException {
        String[] flags = {
            "start",
            "--port=" + serverPort,
            "--data=" + temp.resolve("data"),
            "--root-password=" + Backend.ROOT_PASSWORD,
            "--caching.purge.targets=" + varnish.base(),
            "--caching.purge.deadline=10s"
        };
        return ServerProcess.whenReady(
                Launcher.here().with("ORESTES_CACHING_PURGE_SECRET", "vanish").run(flags));
    }

    @BeforeEach
    void createClass() {
        bucket = "Purged" + ++classes;
        Answer created = root.post(
                "/schema",
                "{\"class\":\"/db/%s\",\"fields\":{\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}}"
                        .formatted(bucket));
        assertThat(created.status()).as(created.text()).isEqualTo(200);
    }

    private static int n(Answer answer) {
        return answer.object().getNumber("n").intValue();
    }

    private static boolean isHit(Answer answer) {
        return answer.header("x-cache").orElse("").equals("hit");
    }

    /** Reads until Varnish has a copy; a second purge after an earlier write may remove one. */
    private Answer warm(String path) {
        return Waiting.forAnswer("a copy of " + path, () -> client.get(path), VarnishPurgeTest::isHit);
    }

    /** Waits until Varnish has confirmed all purges. */
    private void awaitCaughtUp() {
        Waiting.until("the end of the purges", () -> root.get("/-/metrics")
                .text()
                .lines()
                .anyMatch(line -> line.matches("orestes_caching_purge_backlog\\{.*} 0\\.0")));
    }

    private List<String> spellings() {
        String base = "/db/" + bucket + "/query?";
        return List.of(
                base + "q=%7B%22n%22%3A1%7D",
                base + "q=%7B%20%22n%22%3A1%20%7D",
                base + "start=0&q=%7B%22n%22%3A1%7D",
                base + "q=%7B%22n%22:1%7D&sort=&count=-1");
    }

    @Test
    void load_afterEveryWrite_isTheNewVersion() {
        String id = direct.insert(bucket, "{\"n\":0}");
        for (int i = 1; i <= 20; i++) {
            assertThat(n(warm(id))).isEqualTo(i - 1);

            direct.update(id, "{\"n\":" + i + "}");

            assertThat(n(client.get(id))).isEqualTo(i);
        }
    }

    @Test
    void load_ofWhatIsStale_isAnsweredByVarnishIfAPurgedCopyWillDo() {
        String id = direct.insert(bucket, "{\"n\":0}");
        assertThat(n(warm(id))).isZero();
        direct.update(id, "{\"n\":1}");
        awaitPurgeLag("0");
        assertThat(n(warm(id))).isEqualTo(1);

        assertThat(client.get(id, "Cache-Control", "no-cache, or-purged").header("x-cache"))
                .hasValue("hit");
        assertThat(client.get(id, "Cache-Control", "no-cache").header("x-cache"))
                .hasValue("miss");
        assertThat(direct.get(id, "Cache-Control", "no-cache, or-purged").header("orestes-cache"))
                .hasValue("bypass");
    }

    @Test
    void counts_afterHits_areReportedWithoutTheReportingRequests() {
        String id = direct.insert(bucket, "{\"n\":0}");
        assertThat(n(warm(id))).isZero();
        BsonDocument known = awaitCounts(counts -> true);
        // the second report from then on contains the counts that other tests left
        BsonDocument before = awaitCounts(counts -> number(counts, "sinceMs") > number(known, "sinceMs") + 6_000);
        // the copy may have expired meanwhile, and the result of a slow fetch is not cached
        long read = IntStream.range(0, 50).filter(i -> isHit(client.get(id))).count();
        assertThat(read).isGreaterThan(25);
        assertThat(root.get(id).status()).isEqualTo(200);

        BsonDocument after = awaitCounts(counts -> number(counts, "hits") >= number(before, "hits") + read);

        // a report may have been missed between the two, or two seconds more of the counts of
        // another test
        assertThat(number(after, "hits")).isLessThan(number(before, "hits") + read + 10);
        assertThat(number(after, "misses"))
                .isBetween(number(before, "misses"), number(before, "misses") + 50 - read + 5);
        for (int i = 0; i < 200; i++) {
            assertThat(shared().isDocument("counts")).isTrue();
        }
        BsonDocument idle = awaitCounts(counts -> number(counts, "sinceMs") > number(after, "sinceMs") + 11_000);
        // a request that arrives while the counts are reported is counted as a read
        assertThat(number(idle, "hits")).isBetween(number(after, "hits") - 5, number(after, "hits") + 5);
        assertThat(number(idle, "misses")).isBetween(number(after, "misses") - 1, number(after, "misses") + 1);
    }

    /**
     * The counters that Varnish reports to the server, read once a second. A worker of Varnish that
     * is read again within 50 ms adds up to ten requests to the counters at once
     * (thread_stats_rate), so that they would lag behind.
     */
    private BsonDocument awaitCounts(Predicate<BsonDocument> wanted) {
        return Waiting.forAnswer(
                        "what Varnish has counted",
                        () -> {
                            Waiting.pause(Duration.ofSeconds(1));
                            return shared();
                        },
                        target -> target.isDocument("counts") && wanted.test(target.getDocument("counts")))
                .getDocument("counts");
    }

    private BsonDocument shared() {
        BsonDocument target =
                root.get("/-/caching").object().getArray("shared").get(0).asDocument();
        assertThat(target.getString("name").getValue()).isEqualTo(varnish.base().getAuthority());
        return target;
    }

    private static long number(BsonDocument counts, String name) {
        return counts.getNumber(name).longValue();
    }

    @Test
    void filter_always_hasThePurgeLag() throws Exception {
        String id = direct.insert(bucket, "{\"n\":0}");
        awaitPurgeLag("[01]");
        assertThat(n(warm(id))).isZero();
        varnish.pause();
        Thread write = new Thread(() -> direct.update(id, "{\"n\":1}"));
        write.start();

        awaitPurgeLag("[3-9]|\\d\\d+");
        varnish.resume();
        awaitPurgeLag("0");
        write.join();
    }

    private void awaitPurgeLag(String expected) {
        Waiting.until("purges so far behind", () -> direct.get("/bloomfilter")
                .header("orestes-purge-lag")
                .orElseThrow()
                .matches(expected));
    }

    @Test
    void load_deleted_isAbsent() {
        String id = direct.insert(bucket, "{\"n\":1}");
        assertThat(n(warm(id))).isEqualTo(1);

        direct.remove(id);

        assertThat(client.get(id).status()).isEqualTo(404);
    }

    @Test
    void load_madePrivate_isForItsReadersAlone() {
        String id = direct.insert(bucket, "{\"n\":1}");
        assertThat(n(warm(id))).isEqualTo(1);

        root.update(id, "{\"n\":2," + FOR_ROOT + "}");

        assertThat(client.get(id).status()).isEqualTo(404);
    }

    @Test
    void query_inEverySpelling_isNewAfterAWrite() {
        String first = direct.insert(bucket, "{\"n\":1}");
        for (String spelling : spellings()) {
            assertThat(warm(spelling).ids()).containsExactly(first);
        }

        String second = direct.insert(bucket, "{\"n\":1}");

        for (String spelling : spellings()) {
            assertThat(client.get(spelling).ids()).as(spelling).containsExactlyInAnyOrder(first, second);
        }
        direct.update(first, "{\"n\":2}");
        for (String spelling : spellings()) {
            assertThat(client.get(spelling).ids()).as(spelling).containsExactly(second);
        }
    }

    @Test
    void query_afterACommittedTransaction_isNewInEverySpellingAndSoAreItsObjects() {
        String updated = direct.insert(bucket, "{\"n\":1}");
        String deleted = direct.insert(bucket, "{\"n\":1}");
        String inserted = "/db/" + bucket + "/new";
        spellings().forEach(spelling -> assertThat(warm(spelling).ids()).containsExactlyInAnyOrder(updated, deleted));
        List.of(updated, deleted).forEach(id -> assertThat(n(warm(id))).isEqualTo(1));

        Answer committed = commit(
                """
                {"writeSet":[{"id":"%s","n":1}],"deleteSet":[{"%s":1}],
                "partialUpdates":[{"ref":"%s","operations":{"$inc":{"n":1}}}]}"""
                        .formatted(inserted, deleted, updated));

        assertThat(committed.status()).as(committed.text()).isEqualTo(200);
        assertThat(n(client.get(updated))).isEqualTo(2);
        assertThat(client.get(deleted).status()).isEqualTo(404);
        for (String spelling : spellings()) {
            assertThat(client.get(spelling).ids()).as(spelling).containsExactly(inserted);
        }
    }

    private Answer commit(String body) {
        Answer begun = direct.post("/transaction", "{}");
        String tid = begun.object().getString("tid").getValue();
        return direct.put("/transaction/" + tid + "/committed", body);
    }

    @Test
    void query_afterABulkWrite_isNewAndSoAreItsObjects() {
        String updated = direct.insert(bucket, "{\"n\":1}");
        String deleted = direct.insert(bucket, "{\"n\":1}");
        String query = spellings().get(1);
        assertThat(warm(query).ids()).containsExactlyInAnyOrder(updated, deleted);
        List.of(updated, deleted).forEach(id -> assertThat(n(warm(id))).isEqualTo(1));

        Answer written = direct.post(
                "/db/" + bucket + "/bulk",
                """
                {"operations":[{"insert":{"id":"/db/%s/new","n":1}},{"delete":"%s"},
                {"id":"%s","update":{"$set":{"n":2}}}]}"""
                        .formatted(bucket, deleted, updated));

        assertThat(written.status()).as(written.text()).isEqualTo(200);
        assertThat(n(client.get(updated))).isEqualTo(2);
        assertThat(client.get(deleted).status()).isEqualTo(404);
        assertThat(client.get(query).ids()).containsExactly("/db/" + bucket + "/new");
    }

    @Test
    void results_withoutInvalidation_areNotCached() {
        String id = direct.insert(bucket, "{\"n\":1}");
        String query = "/db/" + bucket + "/query?q=%7B%22n%22%3A1%7D";
        String prepared = root.post("/query", "{\"bucket\":\"/db/%s\",\"query\":{\"n\":1}}".formatted(bucket))
                .header("location")
                .orElseThrow()
                .substring("/v1".length());
        List<String> paths = List.of(
                id + "?depth=1",
                query + "&depth=1",
                query + "&polymorphic=true",
                query + "&eager=false",
                prepared + "/result",
                "/db/" + bucket + "/count?q=%7B%22n%22%3A1%7D");
        for (String path : paths) {
            for (int i = 0; i < 3; i++) {
                Answer answer = client.get(path);
                assertThat(answer.status()).as(path + answer.text()).isEqualTo(200);
                assertThat(answer.header("cache-control").orElseThrow())
                        .as(path)
                        .matches("no-store|private, no-cache");
                assertThat(answer.header("x-cache")).as(path).isNotEqualTo(Optional.of("hit"));
            }
        }
    }

    @Test
    void class_withAnotherField_looksNewAtOnce() {
        String id = direct.insert(bucket, "{\"n\":1}");
        assertThat(warm(id).object()).doesNotContainKey("added");

        Answer changed = root.post(
                "/schema",
                "{\"class\":\"/db/%s\",\"fields\":{\"added\":{\"name\":\"added\",\"type\":\"/db/String\"}}}"
                        .formatted(bucket));

        assertThat(changed.status()).isEqualTo(200);
        assertThat(client.get(id).object()).containsKey("added");
    }

    @Test
    void class_dropped_isAbsentAtOnce() {
        String id = direct.insert(bucket, "{\"n\":1}");
        assertThat(n(warm(id))).isEqualTo(1);
        assertThat(warm(spellings().get(1)).ids()).containsExactly(id);

        assertThat(root.delete("/schema/" + bucket).status()).isEqualTo(204);

        assertThat(client.get(id).status()).isNotEqualTo(200);
        assertThat(client.get(spellings().get(1)).status()).isNotEqualTo(200);
    }

    @Test
    void answers_throughVarnish_showNoSurrogateKeys() {
        String id = direct.insert(bucket, "{\"n\":1}");

        for (String path : List.of(id, spellings().get(1))) {
            assertThat(direct.get(path).header("surrogate-key").orElse(""))
                    .matches("/ /v1/db/" + bucket + "/ [0-9a-f]+");
            assertThat(client.get(path).header("surrogate-key")).isEmpty();
            assertThat(warm(path).header("surrogate-key")).isEmpty();
            assertThat(client.get(path).header("xkey")).isEmpty();
        }
    }

    @Test
    void varnish_killedAndStartedAgain_isPurgedAgain() throws Exception {
        String id = direct.insert(bucket, "{\"n\":1}");
        assertThat(n(warm(id))).isEqualTo(1);
        varnish.kill();
        direct.update(id, "{\"n\":2}");
        varnish.start();
        awaitCaughtUp();

        assertThat(n(warm(id))).isEqualTo(2);
        direct.update(id, "{\"n\":3}");

        assertThat(n(client.get(id))).isEqualTo(3);
    }

    @Test
    void varnish_paused_delaysNoWriteForLongAndServesNothingStaleAfterItsPurges() throws Exception {
        String id = direct.insert(bucket, "{\"n\":0}");
        assertThat(n(warm(id))).isZero();
        assertThat(warm(spellings().get(1)).ids()).isEmpty();
        varnish.pause();
        try {
            for (int i = 100; i >= 1; i--) {
                direct.update(id, "{\"n\":" + i + "}");
            }
        } finally {
            varnish.resume();
        }
        awaitCaughtUp();

        assertThat(n(client.get(id))).isEqualTo(1);
        assertThat(client.get(spellings().get(1)).ids()).containsExactly(id);
    }

    @Test
    void server_killedAndStartedAgain_purgesUnknownCopiesFromVarnish() throws Exception {
        String first = direct.insert(bucket, "{\"n\":1}");
        assertThat(warm(spellings().get(1)).ids()).containsExactly(first);
        server.kill();
        server = startServer();

        String second = Client.anonymous(server).insert(bucket, "{\"n\":1}");

        assertThat(client.get(spellings().get(1)).ids()).containsExactlyInAnyOrder(first, second);
    }
}
