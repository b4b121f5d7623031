package io.orestes.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PurgerTest {

    private static final String SECRET = "vanish";
    private static final Duration NEVER = Duration.ofMinutes(5);

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CacheDouble cache = new CacheDouble(vertx, SECRET);

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private SharedCaches purging(Duration deadline, PurgeTarget... targets) {
        PurgeConfig config = new PurgeConfig(List.of(targets), SECRET, deadline, Duration.ofSeconds(1), 100, 0);
        return await(Purger.start(vertx, config, Duration.ofHours(1), registry));
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void waitUntil(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private double count(String name) {
        return registry.get("orestes.caching.purge." + name).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private double backlog() {
        return registry.get("orestes.caching.purge.backlog").gauges().stream()
                .mapToDouble(gauge -> gauge.value())
                .sum();
    }

    @Test
    void start_always_hasEverythingForgotten() {
        SharedCaches caches = purging(NEVER, cache.listen());

        assertThat(caches.arePurged()).isTrue();
        assertThat(caches.keepLateAnswers()).isFalse();
        assertThat(cache.purged()).containsExactly("/*");
    }

    @Test
    void settled_answeringTarget_meansConfirmed() {
        SharedCaches caches = purging(NEVER, cache.listen());

        caches.purge("/v1/db/Todo/a");
        caches.purgeBelow("/v1/db/Todo/");
        await(caches.settled());

        assertThat(cache.purged()).contains("/v1/db/Todo/a", "/v1/db/Todo/*");
        waitUntil(() -> backlog() == 0);
        assertThat(count("confirmed")).isEqualTo(3);
        assertThat(count("failed")).isZero();
    }

    @Test
    void purge_confirmed_isDoneOnceMore() {
        SharedCaches caches = purging(NEVER, cache.listen());

        caches.purge("/v1/db/Todo/a");

        waitUntil(() -> Collections.frequency(cache.purged(), "/v1/db/Todo/a") == 2);
        waitUntil(() -> Collections.frequency(cache.purged(), "/*") == 2);
    }

    @Test
    void settled_silentTarget_waitsForTheDeadlineOnceAndTellsItLater() {
        CacheDouble other = new CacheDouble(vertx, SECRET);
        SharedCaches caches = purging(Duration.ofMillis(50), cache.listen(), other.listen());
        cache.become(CacheDouble.Mood.SILENT);

        caches.purge("/v1/db/Todo/a");
        await(caches.settled());
        assertThat(other.purged()).contains("/v1/db/Todo/a");
        assertThat(cache.purged()).doesNotContain("/v1/db/Todo/a");
        caches.purge("/v1/db/Todo/a");
        await(caches.settled());

        cache.become(CacheDouble.Mood.ANSWERING);
        waitUntil(() -> cache.purged().contains("/v1/db/Todo/a"));
        waitUntil(() -> backlog() == 0);
        assertThat(count("failed")).isPositive();
    }

    @Test
    void settled_caughtUpAgain_isWaitedForAgain() {
        SharedCaches caches = purging(NEVER, cache.listen());
        cache.become(CacheDouble.Mood.DYING);
        caches.purge("/v1/db/Todo/a");
        await(caches.settled());
        cache.become(CacheDouble.Mood.ANSWERING);
        waitUntil(() -> cache.purged().contains("/v1/db/Todo/a") && backlog() == 0);

        caches.purge("/v1/db/Todo/a");
        await(caches.settled());

        assertThat(Collections.frequency(cache.purged(), "/v1/db/Todo/a")).isGreaterThanOrEqualTo(2);
    }

    @Test
    void purge_targetGoneForAWhile_losesNothing() {
        SharedCaches caches = purging(NEVER, cache.listen());
        cache.close();

        IntStream.range(0, 50).forEach(i -> caches.purge("/v1/db/Todo/" + i));
        await(caches.settled());
        assertThat(cache.listen().port()).isPositive();

        waitUntil(() -> IntStream.range(0, 50).allMatch(i -> cache.purged().contains("/v1/db/Todo/" + i)));
    }

    @Test
    void purge_moreThanTheBacklogHolds_isAnOrderToForgetEverything() {
        SharedCaches caches = purging(NEVER, cache.listen());
        waitUntil(() -> Collections.frequency(cache.purged(), "/*") == 2);
        cache.close();

        IntStream.range(0, 1000).forEach(i -> caches.purge("/v1/db/Todo/" + i));
        await(caches.settled());
        assertThat(cache.listen().port()).isPositive();

        waitUntil(() -> backlog() == 0);
        assertThat(Collections.frequency(cache.purged(), "/*")).isGreaterThanOrEqualTo(3);
        assertThat(count("flushes")).isGreaterThanOrEqualTo(3);
    }

    @Test
    void purge_wrongSecret_holdsNobodyUpAndCountsAsFailed() {
        CacheDouble stranger = new CacheDouble(vertx, "another");
        SharedCaches caches = purging(NEVER, stranger.listen());

        caches.purge("/v1/db/Todo/a");
        await(caches.settled());

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
