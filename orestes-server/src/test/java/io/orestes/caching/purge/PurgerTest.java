package io.orestes.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PurgerTest extends PurgeFixture {

    private static final String SECRET = "vanish";
    private static final Duration NEVER = Duration.ofMinutes(5);

    private final CacheDouble cache = new CacheDouble(vertx, SECRET);

    private SharedCaches purging(Duration deadline, PurgeTarget... targets) {
        PurgeConfig config = new PurgeConfig(List.of(targets), SECRET, deadline, Duration.ofSeconds(1), 100, 0);
        return await(Purger.start(vertx, config, Duration.ofHours(1), registry));
    }

    @Test
    void start_always_purgesEverything() {
        SharedCaches caches = purging(NEVER, cache.listen());

        assertThat(caches.isEnabled()).isTrue();
        assertThat(caches.mayKeepLateResponses()).isFalse();
        assertThat(cache.purged()).containsExactly("/*");
    }

    @Test
    void awaitConfirmed_respondingTarget_meansConfirmed() {
        SharedCaches caches = purging(NEVER, cache.listen());

        caches.purge("/v1/db/Todo/a");
        caches.purgePrefix("/v1/db/Todo/");
        await(caches.awaitConfirmed());

        assertThat(cache.purged()).contains("/v1/db/Todo/a", "/v1/db/Todo/*");
        waitUntil(() -> backlog() == 0);
        assertThat(count("confirmed")).isEqualTo(3);
        assertThat(count("failed")).isZero();
    }

    @Test
    void fetchStatistics_always_areThoseThatTheTargetReports() {
        VarnishTarget target = cache.listen();
        SharedCaches caches = purging(NEVER, target);
        cache.count("hits=90 misses=10 passed=7 seconds=60");

        assertThat(await(caches.fetchStatistics()))
                .containsExactly(new SharedCacheStatistics(
                        target.toString(),
                        true,
                        new SharedCacheStatistics.ReadCounters(90, 10, 7, Duration.ofMinutes(1))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "hits=-1 misses=10 passed=7 seconds=60", "hits=1", "hits=99999999999999999999 misses=1"})
    void fetchStatistics_thatMakeNoSense_areUnknown(String text) {
        VarnishTarget target = cache.listen();
        SharedCaches caches = purging(NEVER, target);
        cache.count(text);

        assertThat(await(caches.fetchStatistics()))
                .containsExactly(new SharedCacheStatistics(target.toString(), true, null));
    }

    @Test
    void fetchStatistics_ofATargetThatIsSilentOrClosed_areUnknown() {
        VarnishTarget target = cache.listen();
        SharedCaches caches = purging(Duration.ofMillis(50), target);
        cache.become(CacheDouble.Behaviour.SILENT);
        assertThat(await(caches.fetchStatistics()))
                .extracting(SharedCacheStatistics::counters)
                .hasSize(1)
                .containsOnlyNulls();

        cache.close();
        assertThat(await(caches.fetchStatistics()))
                .extracting(SharedCacheStatistics::counters)
                .hasSize(1)
                .containsOnlyNulls();
    }

    @Test
    void purge_confirmed_isDoneOnceMore() {
        SharedCaches caches = purging(NEVER, cache.listen());

        caches.purge("/v1/db/Todo/a");

        waitUntil(() -> Collections.frequency(cache.purged(), "/v1/db/Todo/a") == 2);
        waitUntil(() -> Collections.frequency(cache.purged(), "/*") == 2);
    }

    @Test
    void confirmPurges_purged_isSoWithTheSecondPurge() {
        SharedCaches caches = purging(NEVER, cache.listen());

        caches.purge("/v1/db/Todo/a");

        assertThat(await(caches.confirmPurges(Duration.ZERO))).isTrue();
        assertThat(Collections.frequency(cache.purged(), "/v1/db/Todo/a")).isEqualTo(2);
    }

    @Test
    void confirmPurges_targetSilentSinceTheFirstPurge_isNot() {
        SharedCaches caches = purging(Duration.ofMillis(50), cache.listen());
        waitUntil(() -> await(caches.lag()).isPresent());
        caches.purge("/v1/db/Todo/a");
        waitUntil(() -> count("confirmed") == 3);
        cache.become(CacheDouble.Behaviour.SILENT);

        assertThat(await(caches.confirmPurges(Duration.ZERO))).isFalse();
        assertThat(Collections.frequency(cache.purged(), "/v1/db/Todo/a")).isEqualTo(1);
    }

    @Test
    void confirmPurges_nothingLeftToDo_isSoAtOnce() {
        SharedCaches caches = purging(NEVER, cache.listen());
        waitUntil(() -> await(caches.lag()).filter(Duration.ZERO::equals).isPresent());

        assertThat(IntStream.range(0, 1000).allMatch(i -> await(caches.confirmPurges(Duration.ZERO))))
                .isTrue();
    }

    @Test
    void lag_untilEverythingWasPurgedTwice_isUnknown() {
        SharedCaches caches = purging(NEVER, cache.listen());

        assertThat(await(caches.lag())).isEmpty();
        waitUntil(() -> await(caches.lag()).isPresent());

        assertThat(Collections.frequency(cache.purged(), "/*")).isEqualTo(2);
    }

    @Test
    void lag_purged_goesDownWithTheSecondPurge() {
        SharedCaches caches = purging(NEVER, cache.listen());
        waitUntil(() -> await(caches.lag()).isPresent());

        long asked = System.nanoTime();
        caches.purge("/v1/db/Todo/a");
        waitUntil(() -> Collections.frequency(cache.purged(), "/v1/db/Todo/a") == 1);
        // on a busy machine the test may miss the time in which the lag is that long
        waitUntil(() -> await(caches.lag()).orElseThrow().toMillis() > 500
                || Collections.frequency(cache.purged(), "/v1/db/Todo/a") == 2);
        waitUntil(() -> await(caches.lag()).orElseThrow().toMillis() < 500);

        assertThat(System.nanoTime() - asked).isGreaterThan(TimeUnit.SECONDS.toNanos(1));
        assertThat(Collections.frequency(cache.purged(), "/v1/db/Todo/a")).isEqualTo(2);
    }

    @Test
    void lag_nothingLeftToDo_isNoneHoweverOftenItIsRead() {
        SharedCaches caches = purging(NEVER, cache.listen());
        waitUntil(() -> await(caches.lag()).filter(Duration.ZERO::equals).isPresent());

        assertThat(IntStream.range(0, 1000).mapToObj(i -> await(caches.lag()).orElseThrow()))
                .containsOnly(Duration.ZERO);
    }

    @Test
    void lag_silentTarget_growsThoughWritesGoOn() {
        SharedCaches caches = purging(Duration.ofMillis(50), cache.listen());
        waitUntil(() -> await(caches.lag()).isPresent());
        cache.become(CacheDouble.Behaviour.SILENT);

        caches.purge("/v1/db/Todo/a");
        await(caches.awaitConfirmed());

        waitUntil(() -> await(caches.lag()).orElseThrow().toMillis() > 2500);
    }

    @Test
    void awaitConfirmed_silentTarget_waitsForTheDeadlineOnceAndPurgesItLater() {
        CacheDouble other = new CacheDouble(vertx, SECRET);
        SharedCaches caches = purging(Duration.ofMillis(50), cache.listen(), other.listen());
        cache.become(CacheDouble.Behaviour.SILENT);

        caches.purge("/v1/db/Todo/a");
        await(caches.awaitConfirmed());
        assertThat(other.purged()).contains("/v1/db/Todo/a");
        assertThat(cache.purged()).doesNotContain("/v1/db/Todo/a");
        caches.purge("/v1/db/Todo/a");
        await(caches.awaitConfirmed());

        cache.become(CacheDouble.Behaviour.ANSWERING);
        waitUntil(() -> cache.purged().contains("/v1/db/Todo/a"));
        waitUntil(() -> backlog() == 0);
        assertThat(count("failed")).isPositive();
    }

    @Test
    void awaitConfirmed_caughtUpAgain_isWaitedForAgain() {
        SharedCaches caches = purging(NEVER, cache.listen());
        cache.become(CacheDouble.Behaviour.DYING);
        caches.purge("/v1/db/Todo/a");
        await(caches.awaitConfirmed());
        cache.become(CacheDouble.Behaviour.ANSWERING);
        waitUntil(() -> cache.purged().contains("/v1/db/Todo/a") && backlog() == 0);

        caches.purge("/v1/db/Todo/a");
        await(caches.awaitConfirmed());

        assertThat(Collections.frequency(cache.purged(), "/v1/db/Todo/a")).isGreaterThanOrEqualTo(2);
    }

    @Test
    void purge_targetUnavailableForAWhile_losesNothing() {
        SharedCaches caches = purging(NEVER, cache.listen());
        cache.close();

        IntStream.range(0, 50).forEach(i -> caches.purge("/v1/db/Todo/" + i));
        await(caches.awaitConfirmed());
        assertThat(cache.listen().port()).isPositive();

        waitUntil(() -> IntStream.range(0, 50).allMatch(i -> cache.purged().contains("/v1/db/Todo/" + i)));
    }

    @Test
    void purge_moreThanTheBacklogHolds_purgesEverything() {
        SharedCaches caches = purging(NEVER, cache.listen());
        waitUntil(() -> Collections.frequency(cache.purged(), "/*") == 2);
        cache.close();

        IntStream.range(0, 1000).forEach(i -> caches.purge("/v1/db/Todo/" + i));
        await(caches.awaitConfirmed());
        assertThat(cache.listen().port()).isPositive();

        waitUntil(() -> backlog() == 0);
        assertThat(Collections.frequency(cache.purged(), "/*")).isGreaterThanOrEqualTo(3);
        assertThat(count("flushes")).isGreaterThanOrEqualTo(3);
    }

    @Test
    void purge_wrongSecret_delaysNoOtherAndCountsAsFailed() {
        CacheDouble stranger = new CacheDouble(vertx, "another");
        SharedCaches caches = purging(NEVER, stranger.listen());

        caches.purge("/v1/db/Todo/a");
        await(caches.awaitConfirmed());

        waitUntil(() -> count("failed") > 2);
        assertThat(count("confirmed")).isZero();
        assertThat(backlog()).isPositive();
    }

    @Test
    void purge_lineBreakInAPath_isRefused() {
        SharedCaches caches = purging(NEVER, cache.listen());

        assertThatThrownBy(() -> caches.purge("/v1/db/Todo/a HTTP/1.1\r\nX: y"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
