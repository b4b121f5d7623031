package io.orestes.read;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.node.GridOptions;
import io.invalidb.query.Filter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orestes.caching.Caches;
import io.orestes.caching.CachingConfig;
import io.orestes.caching.ManualClock;
import io.orestes.caching.ttl.Ttls;
import io.orestes.realtime.MatchQuery;
import io.orestes.realtime.QueryMatching;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CachedQueriesTest {

    private static final MatchQuery ALL = MatchQuery.of("Todo", Filter.ALL);

    private final Vertx vertx = Vertx.vertx();
    private final ManualClock clock = new ManualClock();
    private final QueryMatching matching = QueryMatching.start(vertx, GridOptions.defaults(), 100);
    private final Caches caches = new Caches(CachingConfig.DEFAULTS, clock, new SimpleMeterRegistry());
    private final CachedQueries cached = new CachedQueries(vertx, caches, matching, clock);

    @AfterEach
    void tearDown() {
        await(matching.close());
        await(vertx.close());
    }

    @Test
    void sweep_keyExpired_forgetsItAndWithTheLastOneTheQuery() {
        watch("short").keepUntil(clock.millis() + 1_000);
        watch("long").keepUntil(clock.millis() + 2_000);
        assertThat(cached.size()).isEqualTo(2);

        clock.advance(Duration.ofSeconds(1));
        cached.sweep();
        assertThat(cached.size()).isEqualTo(1);
        assertThat(matching.activeQueries()).isEqualTo(1);

        clock.advance(Duration.ofSeconds(1));
        cached.sweep();
        assertThat(cached.size()).isZero();
        assertThat(matching.activeQueries()).isZero();
    }

    @Test
    void sweep_keyOfSeveralRequests_staysUntilTheLastIsOver() {
        CachedQueries.Watch slow = watch("key");
        watch("key").keepUntil(0);

        cached.sweep();
        assertThat(cached.size()).isEqualTo(1);

        slow.keepUntil(0);
        cached.sweep();
        assertThat(cached.size()).isZero();
    }

    @Test
    void keepUntil_ofAFailedHold_leavesItsReplacementAlone() {
        CachedQueries.Watch failed = cached.watch(ALL, "key", () -> Future.failedFuture(new IllegalStateException()));
        awaitAll(List.of(failed.ready()));
        CachedQueries.Watch replacement = watch("key");

        failed.keepUntil(0);
        cached.sweep();

        assertThat(cached.size()).isEqualTo(1);
        assertThat(matching.activeQueries()).isEqualTo(1);
        replacement.keepUntil(0);
    }

    @Test
    void fail_watchedQuery_forgetsItAndInvalidatesItsResponses() {
        watch("key").keepUntil(clock.millis() + 1_000);
        long ticket = caches.begin("key");

        cached.fail(ALL.id());

        assertThat(caches.admit("key", ticket, new Ttls(1, 1))).isFalse();
        assertThat(cached.size()).isZero();
        assertThat(matching.activeQueries()).isZero();
        assertThat(cached.isRefused(ALL)).isTrue();
    }

    private CachedQueries.Watch watch(String key) {
        CachedQueries.Watch watch = cached.watch(ALL, key, () -> Future.succeededFuture(List.of()));
        await(watch.ready());
        return watch;
    }
}
