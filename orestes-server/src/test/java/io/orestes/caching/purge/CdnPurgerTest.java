package io.orestes.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests to a content delivery network, and the delivery of all purges in spite of its failures.
 */
final class CdnPurgerTest extends PurgeFixture {

    private static final Duration NEVER = Duration.ofMinutes(5);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String OBJECT = "/v1/db/Todo/a";

    private final AtomicLong ticks = new AtomicLong();
    private final CdnDouble cdn = new CdnDouble(vertx, ticks);

    private SharedCaches purging(Duration deadline, Duration keptFor, PurgeTarget... targets) {
        PurgeConfig config = new PurgeConfig(List.of(targets), "", deadline, Duration.ofSeconds(1), 10_000, 0);
        return await(Purger.start(vertx, config, keptFor, registry));
    }

    @Test
    void counts_ofANetwork_areAbsent() {
        SharedCaches caches = purging(NEVER, HOUR, cdn.listen(256));
        int asked = cdn.calls().size();

        assertThat(await(caches.fetchStatistics()))
                .singleElement()
                .matches(network -> !network.hasCounters() && network.counters() == null);
        assertThat(cdn.calls()).hasSize(asked);
    }

    private static String key(String path) {
        return SurrogateKeys.of(new PurgeRequest(path, false));
    }

    @Test
    void start_always_purgesEverythingInTheFormOfTheNetwork() {
        SharedCaches caches = purging(NEVER, HOUR, cdn.listen(256));

        assertThat(caches.isEnabled()).isTrue();
        CdnDouble.ReceivedRequest call = cdn.calls().get(0);
        assertThat(call.method()).isEqualTo("POST");
        assertThat(call.path()).isEqualTo("/service/x/purge");
        assertThat(call.headers().getAll("Fastly-Key")).containsExactly(CdnDouble.TOKEN);
        assertThat(call.keys()).containsExactly("/");
    }

    @Test
    void purge_overTls_reachesANetworkWhoseAuthorityWasNamed(@TempDir Path folder) throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.in(folder);
        SharedCaches caches = purging(
                NEVER, HOUR, cdn.listen(256, certificate, certificate.pem().toString()));

        caches.purge(OBJECT);
        await(caches.awaitConfirmed());

        assertThat(cdn.purged()).contains(key(OBJECT));
    }

    @Test
    void purge_overTlsByAnAuthorityThatIsNotConfigured_sendsNothing(@TempDir Path folder) throws Exception {
        SharedCaches caches =
                purging(Duration.ofMillis(50), HOUR, cdn.listen(256, SelfSignedCertificate.in(folder), ""));

        caches.purge(OBJECT);
        await(caches.awaitConfirmed());

        waitUntil(() -> backlog() >= 1);
        assertThat(await(caches.confirmPurges(Duration.ZERO))).isFalse();
        assertThat(cdn.calls()).isEmpty();
    }

    @Test
    void awaitConfirmed_respondingNetwork_meansConfirmed() {
        SharedCaches caches = purging(NEVER, HOUR, cdn.listen(256));

        caches.purge(OBJECT);
        caches.purgePrefix("/v1/db/Todo/");
        await(caches.awaitConfirmed());

        assertThat(cdn.purged()).contains(key(OBJECT), "/v1/db/Todo/");
        waitUntil(() -> backlog() == 0);
        assertThat(count("failed")).isZero();
    }

    @Test
    void purge_confirmed_isDoneOnceMore() {
        SharedCaches caches = purging(NEVER, HOUR, cdn.listen(256));

        caches.purge(OBJECT);

        waitUntil(() -> Collections.frequency(cdn.purged(), key(OBJECT)) == 2);
    }

    @Test
    void purgeUrl_always_isIgnored() {
        SharedCaches caches = purging(NEVER, HOUR, cdn.listen(256));
        String spelling = "/v1/db/Todo/query?start=0";

        caches.purgeUrl(spelling);
        caches.purge(OBJECT);
        await(caches.awaitConfirmed());

        assertThat(cdn.purged()).contains(key(OBJECT)).doesNotContain(key(spelling));
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 10, 1})
    void purge_manyAtOnce_goOutInBatches(int batch) {
        SharedCaches caches = purging(NEVER, HOUR, cdn.listen(batch));
        int before = cdn.calls().size();

        cdn.holdWhile(() -> IntStream.range(0, 2000).forEach(i -> caches.purge(OBJECT + i)));
        await(caches.awaitConfirmed());

        assertThat(cdn.purged())
                .contains(
                        IntStream.range(0, 2000).mapToObj(i -> key(OBJECT + i)).toArray(String[]::new));
        assertThat(cdn.calls()).allMatch(call -> call.keys().size() <= batch);
        assertThat(cdn.calls().size() - before).isLessThan(2 * (2000 / batch + 8));
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, 429, 401, 403, 302})
    void purge_failingNetwork_isTriedAgainUntilItIsDone(int status) {
        SharedCaches caches = purging(NEVER, HOUR, cdn.listen(256));
        cdn.answer(status);
        int before = cdn.calls().size();

        caches.purge(OBJECT);
        await(caches.awaitConfirmed());
        waitUntil(() -> cdn.calls().size() >= before + 3);
        cdn.answer(200);

        waitUntil(() -> cdn.purged().contains(key(OBJECT)));
        assertThat(count("failed")).isGreaterThanOrEqualTo(3);
        assertThat(count("dead")).isZero();
    }

    @Test
    void awaitConfirmed_hangingNetwork_waitsForTheDeadlineOnceAndPurgesItLater() {
        SharedCaches caches = purging(Duration.ofMillis(50), HOUR, cdn.listen(256));
        waitUntil(() -> backlog() == 0);
        cdn.hang();

        caches.purge(OBJECT);
        long began = System.nanoTime();
        await(caches.awaitConfirmed());
        long first = System.nanoTime() - began;
        caches.purge(OBJECT);
        await(caches.awaitConfirmed());

        assertThat(Duration.ofNanos(first)).isBetween(Duration.ofMillis(45), Duration.ofSeconds(20));
        assertThat(cdn.purged()).doesNotContain(key(OBJECT));
        cdn.answer(200);
        waitUntil(() -> cdn.purged().contains(key(OBJECT)));
        waitUntil(() -> backlog() == 0);
    }

    @Test
    void awaitConfirmed_oneTargetHanging_theOthersArePurgedAtOnce() {
        CdnDouble other = new CdnDouble(vertx, ticks);
        CacheDouble varnish = new CacheDouble(vertx, "");
        SharedCaches caches =
                purging(Duration.ofMillis(50), HOUR, cdn.listen(256), other.listen(256), varnish.listen());
        cdn.hang();

        caches.purge(OBJECT);
        await(caches.awaitConfirmed());

        assertThat(caches.mayKeepLateResponses()).isTrue();
        assertThat(other.purged()).contains(key(OBJECT));
        assertThat(varnish.purged()).contains(OBJECT);
    }

    @Test
    void purge_networkUnavailableForAWhile_losesNothing() {
        SharedCaches caches = purging(NEVER, HOUR, cdn.listen(256));
        cdn.close();

        IntStream.range(0, 500).forEach(i -> caches.purge(OBJECT + i));
        await(caches.awaitConfirmed());
        assertThat(cdn.listen(256).batch()).isEqualTo(256);

        waitUntil(() -> backlog() == 0);
        assertThat(cdn.purged())
                .contains(IntStream.range(0, 500).mapToObj(i -> key(OBJECT + i)).toArray(String[]::new));
    }

    @Test
    void purge_refusedForGood_isADeadLetterAndDelaysNoOther() {
        SharedCaches caches = purging(NEVER, HOUR, cdn.listen(256));
        cdn.answer(400);

        caches.purge(OBJECT);
        await(caches.awaitConfirmed());
        assertThat(count("dead")).isPositive();
        cdn.answer(200);
        caches.purge("/v1/db/Todo/b");
        await(caches.awaitConfirmed());

        assertThat(cdn.purged()).contains(key("/v1/db/Todo/b")).doesNotContain(key(OBJECT));
        waitUntil(() -> backlog() == 0);
    }

    /** A write that makes a public object private must not succeed then. */
    @Test
    void confirmed_refusedForGood_isNotWhileACopyCouldLive() {
        SharedCaches caches = purging(NEVER, Duration.ofSeconds(2), cdn.listen(256));
        assertThat(await(caches.confirmPurges(Duration.ZERO))).isTrue();
        cdn.answer(400);
        caches.purge(OBJECT);
        await(caches.awaitConfirmed());
        cdn.answer(200);

        assertThat(await(caches.confirmPurges(Duration.ZERO))).isFalse();
        waitUntil(() -> await(caches.confirmPurges(Duration.ZERO)));
    }

    @Test
    void lag_refusedForGood_isUnknownWhileACopyCouldLive() {
        SharedCaches caches = purging(NEVER, Duration.ofSeconds(4), cdn.listen(256));
        waitUntil(() -> await(caches.lag()).isPresent());
        cdn.answer(400);

        caches.purge(OBJECT);

        waitUntil(() -> await(caches.lag()).isEmpty());
        waitUntil(() -> await(caches.lag()).isPresent());
    }

    @Test
    void purge_notDoneWhileACopyCouldLive_isADeadLetter() {
        SharedCaches caches = purging(NEVER, Duration.ofMillis(300), cdn.listen(256));
        cdn.close();

        caches.purge(OBJECT);

        waitUntil(() -> count("dead") >= 1);
        waitUntil(() -> backlog() == 0);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void everyPurge_whateverTheNetworkDoes_isDoneAfterItWasAskedFor(long seed) {
        Random random = new Random(seed);
        SharedCaches caches = purging(Duration.ofMillis(5), HOUR, cdn.listen(8));
        Map<String, Long> asked = new HashMap<>();
        int[] answers = {200, 200, 200, 200, 503, 429};

        for (int step = 0; step < 400; step++) {
            cdn.answer(answers[random.nextInt(answers.length)]);
            String path = OBJECT + random.nextInt(50);
            asked.put(key(path), ticks.incrementAndGet());
            caches.purge(path);
            if (random.nextInt(4) == 0) {
                await(caches.awaitConfirmed());
            }
        }
        cdn.answer(200);
        waitUntil(() -> backlog() == 0);

        asked.forEach((key, tick) -> assertThat(cdn.calls())
                .as(key)
                .anyMatch(call ->
                        call.isDone() && call.tick() > tick && call.keys().contains(key)));
    }
}
