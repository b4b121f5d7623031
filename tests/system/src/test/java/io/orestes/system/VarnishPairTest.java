package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two Varnishes side by side that one server purges, and the effects on writes and reads when one
 * of them hangs or dies. All reads through them are plain ones, unless they are those of a client
 * with a filter.
 */
@Timeout(240)
final class VarnishPairTest {

    /**
     * Longer than a working Varnish ever needs, even on a busy machine; it applies once to each of
     * its two connections.
     */
    private static final String DEADLINE = "--caching.purge.deadline=6s";

    private static final String FOR_ROOT = "\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}";
    private static final String FAILED = "orestes_caching_purge_failed_total";
    private static final String FLUSHES = "orestes_caching_purge_flushes_total";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static VarnishPair pair;
    private static int classes;

    private String bucket = "";

    /** A fault of one of them, and its repair. */
    enum Fault {
        HANGS {
            @Override
            void begin(int varnish) {
                pair.pause(varnish);
            }

            @Override
            void end(int varnish) {
                pair.resume(varnish);
            }
        },
        DIES {
            @Override
            void begin(int varnish) {
                pair.kill(varnish);
            }

            @Override
            void end(int varnish) {
                pair.start(varnish);
            }
        };

        abstract void begin(int varnish);

        abstract void end(int varnish);
    }

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        pair = new VarnishPair(folder, DEADLINE);
    }

    @AfterAll
    static void stop() {
        pair.close();
    }

    /** Restarts the server with these flags and creates a class for the test. */
    private void serve(String... flags) throws InterruptedException {
        pair.serveWith(flags);
        bucket = "Paired" + ++classes;
        Answer created = root().post(
                        "/schema",
                        "{\"class\":\"/db/%s\",\"fields\":{\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}}"
                                .formatted(bucket));
        assertThat(created.status()).as(created.text()).isEqualTo(200);
    }

    private static Client root() {
        return pair.direct().login("root", Backend.ROOT_PASSWORD);
    }

    /** Returns the query for objects with this n, in its canonical spelling. */
    private String query(int n) {
        return "/db/" + bucket + "/query?q=%7B%22n%22%3A" + n + "%7D";
    }

    private static int n(Answer answer) {
        return answer.object().getNumber("n").intValue();
    }

    private static boolean isHit(Answer answer) {
        return answer.header("x-cache").orElse("").equals("hit");
    }

    /** Reads until both have a copy; the second purge after an earlier write may remove one. */
    private static void warm(String path) {
        for (int varnish : List.of(VarnishPair.FIRST, VarnishPair.SECOND)) {
            Waiting.until("copies of " + path, () -> isHit(pair.through(varnish).get(path)));
        }
    }

    /** Waits until both have confirmed all purges twice. */
    private static void awaitCaughtUp() {
        Waiting.until(
                "purges",
                () -> pair.filter().header("orestes-purge-lag").orElseThrow().equals("0"));
    }

    private static boolean isInFilter(String key) {
        return new BloomFilterReader(pair.filter().object()).contains(key);
    }

    /** Reads like a client that has just loaded the filter. */
    private static Answer readByFilter(int varnish, String path) {
        return isInFilter(path)
                ? pair.through(varnish).get(path, "Cache-Control", "no-cache")
                : pair.through(varnish).get(path);
    }

    @Test
    void write_bothWork_isSeenInBoth() throws Exception {
        serve(DEADLINE);
        String id = pair.direct().insert(bucket, "{\"n\":0}");
        for (int i = 1; i <= 10; i++) {
            Stream.of(id, query(i - 1), query(i)).forEach(VarnishPairTest::warm);

            pair.direct().update(id, "{\"n\":" + i + "}");

            assertIsSeenAt(VarnishPair.FIRST, id, i);
            assertIsSeenAt(VarnishPair.SECOND, id, i);
        }
    }

    private void assertIsSeenAt(int varnish, String id, int n) {
        Client client = pair.through(varnish);
        Answer object = client.get(id);
        assertThat(n(object)).as(object.origin()).isEqualTo(n);
        Answer result = client.get(query(n));
        assertThat(result.ids()).as(result.origin()).containsExactly(id);
        Answer former = client.get(query(n - 1));
        assertThat(former.ids()).as(former.origin()).isEmpty();
    }

    /**
     * The second one does not answer before it continues, so every answer here comes without it.
     */
    @ParameterizedTest
    @EnumSource
    void write_oneDoesNotAnswer_isAnsweredAndSeenInTheOtherAndInTheFilter(Fault fault) throws Exception {
        serve(DEADLINE);
        String id = pair.direct().insert(bucket, "{\"n\":0}");
        String late = pair.direct().insert(bucket, "{\"n\":1000}");
        Stream.of(id, late, query(0)).forEach(VarnishPairTest::warm);
        fault.begin(VarnishPair.SECOND);
        try {
            for (int i = 1; i <= 50; i++) {
                pair.direct().update(id, "{\"n\":" + i + "}");

                assertIsSeenAt(VarnishPair.FIRST, id, i);
                assertThat(List.of(id, query(0))).allMatch(VarnishPairTest::isInFilter);
            }
            pair.direct().update(late, "{\"n\":1001}");
        } finally {
            fault.end(VarnishPair.SECOND);
        }
        awaitCaughtUp();
        assertThat(n(pair.through(VarnishPair.SECOND).get(late))).isEqualTo(1001);
        assertIsSeenAt(VarnishPair.SECOND, id, 50);
    }

    @ParameterizedTest
    @EnumSource
    void read_fromAVarnishThatReturns_isNewByTheFilterAtOnceAndPlainlyAfterItsPurges(Fault fault) throws Exception {
        serve(DEADLINE);
        String id = pair.direct().insert(bucket, "{\"n\":0}");
        Stream.of(id, query(0), query(1), query(2)).forEach(VarnishPairTest::warm);
        fault.begin(VarnishPair.SECOND);
        pair.direct().update(id, "{\"n\":1}");
        fault.end(VarnishPair.SECOND);

        assertIsNewByTheFilter(id, 1);
        assertThat(pair.through(VarnishPair.SECOND).get(query(2)).status()).isEqualTo(200);
        pair.direct().update(id, "{\"n\":2}");
        assertIsNewByTheFilter(id, 2);
        awaitCaughtUp();

        assertIsSeenAt(VarnishPair.SECOND, id, 2);
        Stream.of(id, query(2)).forEach(VarnishPairTest::warm);
        pair.direct().update(id, "{\"n\":3}");
        assertIsSeenAt(VarnishPair.SECOND, id, 3);
    }

    private void assertIsNewByTheFilter(String id, int n) {
        assertThat(n(readByFilter(VarnishPair.SECOND, id))).isEqualTo(n);
        assertThat(readByFilter(VarnishPair.SECOND, query(n)).ids()).containsExactly(id);
        assertThat(readByFilter(VarnishPair.SECOND, query(n - 1)).ids()).isEmpty();
    }

    /** One of them hangs for so long that the server drops its pending purges. */
    @Test
    void write_oneVarnishHangsAndOneIsDead_isAnsweredAndSeenInBothAfterTheirReturn() throws Exception {
        serve(DEADLINE);
        String id = pair.direct().insert(bucket, "{\"n\":0}");
        Stream.of(id, query(0), query(50)).forEach(VarnishPairTest::warm);
        double failed = pair.meter(FAILED, VarnishPair.FIRST);
        Fault.HANGS.begin(VarnishPair.FIRST);
        Fault.DIES.begin(VarnishPair.SECOND);
        try {
            for (int i = 1; i <= 50; i++) {
                pair.direct().update(id, "{\"n\":" + i + "}");
            }
            Waiting.until("the end of patience", () -> pair.meter(FAILED, VarnishPair.FIRST) > failed);
        } finally {
            Fault.HANGS.end(VarnishPair.FIRST);
            Fault.DIES.end(VarnishPair.SECOND);
        }
        awaitCaughtUp();

        assertIsSeenAt(VarnishPair.FIRST, id, 50);
        assertIsSeenAt(VarnishPair.SECOND, id, 50);
    }

    /** More keys are to be purged than the server remembers one by one, so it purges everything. */
    @Test
    void write_moreThanTheBacklogOfAHangingVarnish_isSeenThereAfterItsPurges() throws Exception {
        serve(DEADLINE, "--caching.purge.backlog=20");
        List<String> ids = IntStream.range(0, 100)
                .mapToObj(i -> pair.direct().insert(bucket, "{\"n\":0}"))
                .toList();
        awaitCaughtUp();
        ids.forEach(VarnishPairTest::warm);
        double flushes = pair.meter(FLUSHES, VarnishPair.SECOND);
        Fault.HANGS.begin(VarnishPair.SECOND);
        try {
            updateAllTo(1, ids);
            assertThat(ids).allMatch(VarnishPairTest::isInFilter);
        } finally {
            Fault.HANGS.end(VarnishPair.SECOND);
        }
        awaitCaughtUp();

        assertThat(ids).allMatch(id -> n(pair.through(VarnishPair.SECOND).get(id)) == 1);
        assertThat(pair.meter(FLUSHES, VarnishPair.SECOND)).isGreaterThan(flushes);
    }

    private void updateAllTo(int n, List<String> ids) {
        String updates = ids.stream()
                .map(id -> "{\"id\":\"%s\",\"update\":{\"$set\":{\"n\":%d}}}".formatted(id, n))
                .collect(Collectors.joining(","));
        Answer written = pair.direct().post("/db/" + bucket + "/bulk", "{\"operations\":[" + updates + "]}");
        assertThat(written.status()).as(written.text()).isEqualTo(200);
    }

    /**
     * With a deadline that never passes, a write waits for both, and the one that works is purged
     * meanwhile.
     */
    @Test
    void write_deadlineIsFar_waitsForTheHangingVarnishAndIsSeenInTheOtherBefore() throws Exception {
        serve("--caching.purge.deadline=10m");
        String id = pair.direct().insert(bucket, "{\"n\":0}");
        Stream.of(id, query(0), query(1)).forEach(VarnishPairTest::warm);
        CompletableFuture<Void> write;
        Fault.HANGS.begin(VarnishPair.SECOND);
        try {
            write = CompletableFuture.runAsync(() -> pair.direct().update(id, "{\"n\":1}"));
            Waiting.until("the purge", () -> n(pair.through(VarnishPair.FIRST).get(id)) == 1);
            Waiting.until(
                    "its purge",
                    () -> !pair.through(VarnishPair.FIRST).get(query(1)).ids().isEmpty());
            assertThat(write).isNotDone();
        } finally {
            Fault.HANGS.end(VarnishPair.SECOND);
        }
        write.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

        assertIsSeenAt(VarnishPair.SECOND, id, 1);
    }

    /**
     * A key leaves the filter when no copy can be alive, also in a cache that never confirmed the
     * purge.
     */
    @Test
    void key_ofWhatOneNeverConfirmed_leavesTheFilterWhenItsCopiesHaveExpired() throws Exception {
        // a copy must not expire while the write waits for the one that hangs
        serve("--caching.purge.deadline=500ms", "--caching.browser-max-ttl=1s", "--caching.shared-max-ttl=10s");
        String id = pair.direct().insert(bucket, "{\"n\":0}");
        Stream.of(id, query(0)).forEach(VarnishPairTest::warm);
        Fault.HANGS.begin(VarnishPair.SECOND);
        try {
            pair.direct().update(id, "{\"n\":1}");
            assertThat(List.of(id, query(0))).allMatch(VarnishPairTest::isInFilter);
            Waiting.until("expiry", () -> Stream.of(id, query(0)).noneMatch(VarnishPairTest::isInFilter));
        } finally {
            Fault.HANGS.end(VarnishPair.SECOND);
        }

        assertIsSeenAt(VarnishPair.SECOND, id, 1);
    }

    @Test
    void write_thatHidesWhatOneVarnishMayStillServe_failsUntilItHasConfirmed() throws Exception {
        serve(DEADLINE);
        String id = pair.direct().insert(bucket, "{\"n\":0}");
        warm(id);
        String hidden = "{\"n\":1," + FOR_ROOT + "}";
        Fault.HANGS.begin(VarnishPair.SECOND);
        try {
            assertThat(root().put(id, hidden).status()).isEqualTo(503);
            assertThat(pair.through(VarnishPair.FIRST).get(id).status()).isEqualTo(404);
        } finally {
            Fault.HANGS.end(VarnishPair.SECOND);
        }
        awaitCaughtUp();

        root().update(id, hidden);
        assertThat(pair.through(VarnishPair.SECOND).get(id).status()).isEqualTo(404);
    }
}
