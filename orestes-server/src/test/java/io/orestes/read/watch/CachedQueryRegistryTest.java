package io.orestes.read.watch;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.node.GridOptions;
import io.invalidb.query.filter.Filter;
import io.orestes.caching.Caches;
import io.orestes.caching.ManualClock;
import io.orestes.caching.TestCaches;
import io.orestes.caching.ttl.Ttls;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.invalidb.MatchQuery;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CachedQueryRegistryTest {

    private static final MatchQuery ALL = MatchQuery.of("Todo", Filter.ALL);

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Vertx vertx = Vertx.vertx();
    private final ManualClock clock = new ManualClock();
    private final InvalidbClient matching = InvalidbClient.start(vertx, GridOptions.defaults(), 100);
    private final Caches caches = TestCaches.on(clock);
    private final CachedQueryRegistry cached =
            new CachedQueryRegistry(vertx, caches.invalidator(), matching, PATIENCE, clock);

    @AfterEach
    void tearDown() {
        await(matching.close());
        await(vertx.close());
    }

    @Test
    void sweep_keyExpired_removesItAndWithTheLastOneTheQuery() {
        watch("/db/Todo/query?short").retainUntil(clock.millis() + 1_000);
        watch("/db/Todo/query?long").retainUntil(clock.millis() + 2_000);
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
    void sweep_keyOfSeveralRequests_staysUntilTheLastHasEnded() {
        CachedQueryRegistry.QueryWatch slow = watch("/db/Todo/query?key");
        watch("/db/Todo/query?key").retainUntil(0);

        cached.sweep();
        assertThat(cached.size()).isEqualTo(1);

        slow.retainUntil(0);
        cached.sweep();
        assertThat(cached.size()).isZero();
    }

    @Test
    void retainUntil_ofAFailedWatch_leavesItsReplacementAlone() {
        CachedQueryRegistry.QueryWatch failed =
                cached.watch(ALL, "/db/Todo/query?key", false, () -> Future.failedFuture(new IllegalStateException()));
        awaitAll(List.of(failed.ready()));
        CachedQueryRegistry.QueryWatch replacement = watch("/db/Todo/query?key");

        failed.retainUntil(0);
        cached.sweep();

        assertThat(cached.size()).isEqualTo(1);
        assertThat(matching.activeQueries()).isEqualTo(1);
        replacement.retainUntil(0);
    }

    @Test
    void fail_watchedQuery_removesItAndInvalidatesItsResponses() {
        watch("/db/Todo/query?key").retainUntil(clock.millis() + 1_000);
        long ticket = caches.reads().issueTicket("/db/Todo/query?key");

        cached.fail(ALL.id(), new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, "It takes too long"));

        assertThat(caches.reads()
                        .admit("/db/Todo/query?key", ticket, new Ttls(1, 1))
                        .result())
                .isFalse();
        assertThat(cached.size()).isZero();
        assertThat(matching.activeQueries()).isZero();
        assertThat(cached.isUnwatchable(ALL)).isTrue();
    }

    @Test
    void ensureRoom_whenFull_givesUpTheQueryThatBroughtLessThanAReadForEachMatch() {
        MatchQuery popular = query("popular");
        MatchQuery changing = query("changing");
        watch(popular, "/db/Todo/query?popular").reads(1).add(8);
        watch(changing, "/db/Todo/query?changing").reads(1).add(8);
        for (int i = 0; i < 9; i++) {
            cached.accept(event(changing, MatchType.CHANGE));
        }
        long before = caches.reads().issueTicket("/db/Todo/query?changing");

        assertThat(cached.ensureRoom(2)).isTrue();

        assertThat(cached.evicted()).isEqualTo(1);
        assertThat(cached.isWatched(popular, "/db/Todo/query?popular")).isTrue();
        assertThat(cached.isWatched(changing, "/db/Todo/query?changing")).isFalse();
        assertThat(matching.activeQueries()).isEqualTo(1);
        assertThat(caches.reads()
                        .admit("/db/Todo/query?changing", before, new Ttls(1, 1))
                        .result())
                .as("from now on its stale copies are not detected")
                .isFalse();
    }

    @Test
    void ensureRoom_whenFull_givesUpWhatWasNotReadForLong() {
        watch(query("old"), "/db/Todo/query?old").retainUntil(clock.millis() + 60_000);
        assertThat(cached.ensureRoom(1)).as("as young as the requesting one").isFalse();
        cached.decay();
        clock.advance(Duration.ofSeconds(1));

        assertThat(cached.ensureRoom(1)).isTrue();
        assertThat(cached.size()).isZero();
    }

    @Test
    void ensureRoom_allWorthMore_isFalseAndTheSearchIsNotRepeatedForASecond() {
        watch(query("old"), "/db/Todo/query?old").retainUntil(clock.millis() + 60_000);
        assertThat(cached.ensureRoom(1)).isFalse();
        cached.decay();

        assertThat(cached.ensureRoom(1)).isFalse();
        clock.advance(Duration.ofSeconds(1));
        assertThat(cached.ensureRoom(1)).isTrue();
    }

    @Test
    void ensureRoom_noPlaces_isFalse() {
        assertThat(cached.ensureRoom(0)).isFalse();
    }

    @Test
    void ensureRoom_gridIsFull_isFalse() {
        InvalidbClient full = InvalidbClient.start(vertx, GridOptions.defaults(), 0);

        assertThat(new CachedQueryRegistry(vertx, caches.invalidator(), full, PATIENCE, clock).ensureRoom(10))
                .isFalse();
        await(full.close());
    }

    @Test
    void accept_changeOfAMember_invalidatesObjectsButNotIds() {
        watch(ALL, "/db/Todo/query?objects").retainUntil(clock.millis() + 60_000);
        CachedQueryRegistry.QueryWatch ids =
                cached.watch(ALL, "/db/Todo/query?ids", true, () -> Future.succeededFuture(List.of()));
        await(ids.ready());
        long ofObjects = caches.reads().issueTicket("/db/Todo/query?objects");
        long ofIds = caches.reads().issueTicket("/db/Todo/query?ids");

        cached.accept(event(ALL, MatchType.CHANGE));
        assertThat(caches.reads()
                        .admit("/db/Todo/query?objects", ofObjects, new Ttls(1, 1))
                        .result())
                .isFalse();
        assertThat(caches.reads()
                        .admit("/db/Todo/query?ids", ofIds, new Ttls(1, 1))
                        .result())
                .isTrue();

        cached.accept(event(ALL, MatchType.REMOVE));
        assertThat(caches.reads()
                        .admit("/db/Todo/query?ids", ofIds, new Ttls(1, 1))
                        .result())
                .isFalse();
    }

    @Test
    void prefersIds_onceMembersAloneHaveChanged_isTrue() {
        assertThat(watch("/db/Todo/query?key").reads(10)).isNotNull();
        assertThat(cached.prefersIds(ALL)).isFalse();

        for (int i = 0; i < 4; i++) {
            cached.accept(event(ALL, MatchType.CHANGE));
        }
        assertThat(cached.prefersIds(ALL)).isTrue();

        for (int i = 0; i < 4; i++) {
            cached.accept(event(ALL, MatchType.ADD));
        }
        assertThat(cached.prefersIds(ALL)).isFalse();
    }

    @Test
    void fail_cellStopsResponding_isWatchedAgainAtOnce() {
        watch("/db/Todo/query?key").retainUntil(clock.millis() + 1_000);

        cached.fail(ALL.id(), new ApiException(ErrorCode.UNAVAILABLE, "Matching was interrupted"));

        assertThat(cached.size()).isZero();
        assertThat(cached.isUnwatchable(ALL)).isFalse();
    }

    private static MatchQuery query(String id) {
        return new MatchQuery(id, "Todo", Filter.ALL);
    }

    private static MatchEvent event(MatchQuery query, MatchType type) {
        return new MatchEvent(
                query.id(), type, new WriteEvent.Delete(query.bucket(), "/db/Todo/a", new VersionStamp(1, 1)));
    }

    private CachedQueryRegistry.QueryWatch watch(MatchQuery query, String key) {
        CachedQueryRegistry.QueryWatch watch = cached.watch(query, key, false, () -> Future.succeededFuture(List.of()));
        await(watch.ready());
        return watch;
    }

    private CachedQueryRegistry.QueryWatch watch(String key) {
        CachedQueryRegistry.QueryWatch watch = cached.watch(ALL, key, false, () -> Future.succeededFuture(List.of()));
        await(watch.ready());
        return watch;
    }
}
