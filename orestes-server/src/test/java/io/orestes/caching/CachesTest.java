package io.orestes.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orestes.caching.purge.SharedCaches;
import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.response.TestResponses;
import io.orestes.caching.ttl.Ttls;
import io.orestes.group.Replication;
import io.orestes.model.Permission;
import io.orestes.model.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CachesTest {

    private static final String KEY = "/db/Todo/a";
    private static final String QUERY = "/db/Todo/query?";
    private static final Ttls TTLS = new Ttls(10, 60);

    private final ManualClock clock = new ManualClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Caches caches =
            Caches.create(CachingConfig.DEFAULTS, SharedCaches.NONE, Replication.STANDALONE, clock, registry);

    @Test
    void lookup_filled_isAHitThatTheSketchKnows() {
        fill(KEY, 1);
        clock.advance(Duration.ofSeconds(50));
        assertThat(caches.reads().lookup(KEY)).isPresent();

        caches.invalidator().objectWritten(KEY);

        clock.advance(Duration.ofSeconds(60));
        assertThat(isStale(KEY)).isTrue();
    }

    @Test
    void lookup_afterAWrite_isAMiss() {
        fill(KEY, 1);

        caches.invalidator().objectWritten(KEY);

        assertThat(caches.reads().lookup(KEY)).isEmpty();
    }

    @Test
    void purge_copyThatMayExist_isEvictedAndStale() {
        fill(KEY, 1);

        caches.administrator().purge(KEY);

        assertThat(caches.reads().lookup(KEY)).isEmpty();
        assertThat(isStale(KEY)).isTrue();
    }

    @Test
    void purge_readUnderWay_cachesNothing() {
        long ticket = caches.reads().issueTicket(KEY);

        caches.administrator().purge(KEY);

        assertThat(caches.reads().admitLocally(KEY, ticket, TTLS)).isFalse();
    }

    @Test
    void purgeAll_objectsAndQueries_areEvictedAndStale() {
        fill(KEY, 1);
        fill(QUERY, 1);

        caches.administrator().purgeAll();

        assertThat(caches.reads().lookup(KEY)).isEmpty();
        assertThat(caches.reads().lookup(QUERY)).isEmpty();
        assertThat(isStale(KEY)).isTrue();
        assertThat(isStale(QUERY)).isTrue();
    }

    @Test
    void inspection_ofACopy_leavesNoTraceAndKnowsUntilWhen() {
        fill(KEY, 3);
        double hits = hits();

        KeyReport held = state(KEY);
        caches.invalidator().objectWritten(KEY);
        KeyReport stale = state(KEY);

        assertThat(held.copy()).isNotNull().extracting(CachedResponse::version).isEqualTo(3L);
        assertThat(held.cachedUntil())
                .isEqualTo(clock.millis() + TTLS.longestMillis() + Caches.LIFETIME_TOLERANCE.toMillis());
        assertThat(held.isInFilter()).isFalse();
        assertThat(stale.copy()).isNull();
        assertThat(stale.staleUntil()).isEqualTo(held.cachedUntil());
        assertThat(stale.isInFilter()).isTrue();
        assertThat(hits()).isEqualTo(hits);
    }

    @Test
    void inspection_ofUnreadKeys_isEmpty() {
        assertThat(state("/db/Todo/none")).isEqualTo(new KeyReport(null, false, 0, 0, false, List.of()));
    }

    @Test
    void inspection_ofLifetimes_reportsGrantedByActual() {
        fill(KEY, 1);
        clock.advance(Duration.ofSeconds(20));

        caches.invalidator().objectWritten(KEY);

        TtlAccuracy objects = caches.administrator().inspector().ttlAccuracy().get(0);
        assertThat(objects.changed()).isOne();
        assertThat(objects.ratios().stream().filter(bucket -> bucket.count() > 0))
                .containsExactly(new TtlAccuracy.TtlRatioBucket(4, 1));
    }

    private double hits() {
        return registry.get("orestes.caching.response.requests")
                .tag("result", "hit")
                .functionCounter()
                .count();
    }

    private KeyReport state(String key) {
        return caches.administrator().inspector().state(key);
    }

    @Test
    void lookup_guarded_isForThoseWhomThePermissionNames() {
        guard(KEY, Permission.only("/db/Role/7"));

        assertThat(caches.reads().lookup(KEY, caller("/db/Role/7"))).isPresent();
        assertThat(caches.reads().lookup(KEY, Principal.SERVER)).isPresent();
        assertThat(caches.reads().lookup(KEY, caller("/db/Role/8"))).isEmpty();
        assertThat(caches.reads().lookup(KEY, Principal.ANONYMOUS)).isEmpty();
    }

    /**
     * A look-up without a principal includes no check whether objects of the class may be loaded.
     */
    @Test
    void lookup_guardedByAPermissionForAll_isAMissWithoutAPrincipal() {
        guard(KEY, Permission.PUBLIC);

        assertThat(caches.reads().lookup(KEY)).isEmpty();
        assertThat(caches.reads().lookup(KEY, Principal.ANONYMOUS)).isPresent();
    }

    @Test
    void lookup_guardedAfterAWrite_isAMissUnknownToTheSketch() {
        guard(KEY, Permission.PUBLIC);
        assertThat(caches.reads().lookup(KEY, Principal.ANONYMOUS)).isPresent();

        caches.invalidator().objectWritten(KEY);

        assertThat(caches.reads().lookup(KEY, Principal.ANONYMOUS)).isEmpty();
        assertThat(isStale(KEY)).isFalse();
    }

    @Test
    void put_guardedAndWrittenSinceTheTicket_isNotCached() {
        long ticket = caches.reads().issueTicket(KEY);
        caches.invalidator().objectWritten(KEY);

        caches.reads()
                .put(KEY, ticket, TestResponses.of(1, Ttls.NONE, clock.millis()).withReaders(Permission.PUBLIC));

        assertThat(caches.reads().lookup(KEY, Principal.ANONYMOUS)).isEmpty();
    }

    @Test
    void lookup_withinWhatWasReported_doesNotReportAgain() {
        fill(KEY, 1);
        CachedResponse hit = caches.reads().lookup(KEY).orElseThrow();
        long reported = hit.reportedUntilMillis();

        clock.advance(Duration.ofSeconds(1));
        assertThat(caches.reads().lookup(KEY)).containsSame(hit);
        assertThat(hit.reportedUntilMillis()).isEqualTo(reported);

        clock.advance(Duration.ofMillis(1));
        assertThat(caches.reads().lookup(KEY)).containsSame(hit);
        assertThat(hit.reportedUntilMillis()).isEqualTo(reported + 1001);
    }

    /** A copy outlives its granted time by the share that is cut off its age in transit. */
    @Test
    void lookup_lastBeforeTheNextReport_hasAllOfTheSlack() {
        fill(KEY, 1);
        assertThat(caches.reads().lookup(KEY)).isPresent();
        clock.advance(Duration.ofSeconds(1));
        assertThat(caches.reads().lookup(KEY)).isPresent();

        caches.invalidator().objectWritten(KEY);

        clock.advance(Duration.ofSeconds(60).plus(Caches.LIFETIME_TOLERANCE).minusMillis(1));
        assertThat(isStale(KEY)).isTrue();
    }

    @Test
    void admit_writtenSinceTheTicket_isRefused() {
        long ticket = caches.reads().issueTicket(KEY);
        caches.invalidator().objectWritten(KEY);

        assertThat(caches.reads().admitLocally(KEY, ticket, TTLS)).isFalse();
    }

    @Test
    void admit_writtenAfterwards_theSketchShowsTheCopyUntilItExpires() {
        assertThat(caches.reads().admitLocally(KEY, caches.reads().issueTicket(KEY), TTLS))
                .isTrue();

        caches.invalidator().objectWritten(KEY);

        clock.advance(Duration.ofSeconds(60));
        assertThat(isStale(KEY)).isTrue();
        clock.advance(Duration.ofSeconds(2));
        assertThat(isStale(KEY)).isFalse();
    }

    @Test
    void lookup_writtenBetweenFindingAndReporting_isAMiss() {
        fill(KEY, 1);
        clock.onReading(1, () -> caches.invalidator().objectWritten(KEY));

        assertThat(caches.reads().lookup(KEY)).isEmpty();
    }

    @Test
    void lookup_whileReporting_doesNotCountAsReportedYet() {
        CachedResponse response = TestResponses.of(1, TTLS, clock.millis());
        caches.reads().put(KEY, caches.reads().issueTicket(KEY), response);
        List<Long> reported = new ArrayList<>();
        clock.onReading(3, () -> reported.add(response.reportedUntilMillis()));

        assertThat(caches.reads().lookup(KEY)).containsSame(response);

        assertThat(reported).containsExactly(0L);
    }

    @Test
    void admit_writtenJustBeforeTheReport_isRefused() {
        long ticket = caches.reads().issueTicket(KEY);
        clock.onReading(1, () -> caches.invalidator().objectWritten(KEY));

        assertThat(caches.reads().admitLocally(KEY, ticket, TTLS)).isFalse();
    }

    @Test
    void invalidate_whenTheSketchIsRead_theResponseIsEvicted() {
        fill(KEY, 1);
        List<Boolean> found = new ArrayList<>();
        clock.onReading(1, () -> found.add(caches.reads().lookup(KEY).isPresent()));

        caches.invalidator().invalidate(KEY);

        assertThat(found).containsExactly(false);
    }

    @Test
    void queryChanged_cachedResult_dropsItAndLearnsItsLifetime() {
        var ignored = caches.reads().ttls().queryTtl(QUERY, List.of());
        fill(QUERY, 1);
        clock.advance(Duration.ofSeconds(20));

        caches.invalidator().queryChanged(QUERY);

        assertThat(caches.reads().lookup(QUERY)).isEmpty();
        assertThat(isStale(QUERY)).isTrue();
        assertThat(ended("query", "changed")).isOne();
        assertThat(registry.get("orestes.caching.ttl.ratio")
                        .tag("kind", "query")
                        .summary()
                        .mean())
                .isEqualTo(3);
        assertThat(caches.reads().ttls().queryTtl(QUERY, List.of())).isEqualTo(new Ttls(0, 20));
    }

    @Test
    void queryChanged_notCached_learnsNothing() {
        caches.invalidator().queryChanged(QUERY);

        assertThat(caches.reads().ttls().queryTtl(QUERY, List.of())).isEqualTo(new Ttls(0, 3600));
    }

    @Test
    void objectWritten_often_shortensItsTimeToLive() {
        for (int i = 0; i < 20; i++) {
            clock.advance(Duration.ofSeconds(2));
            caches.invalidator().objectWritten(KEY);
        }

        assertThat(caches.reads().ttls().objectTtl(KEY).browserSeconds()).isOne();
    }

    @Test
    void clear_hitAfterwards_isReportedAnew() {
        fill(KEY, 1);
        assertThat(caches.reads().lookup(KEY)).isPresent();

        caches.administrator().clear();

        assertThat(caches.reads().lookup(KEY)).isEmpty();
        fill(KEY, 1);
        caches.invalidator().objectWritten(KEY);
        assertThat(isStale(KEY)).isTrue();
    }

    @Test
    void metrics_hitAndMiss_areCounted() {
        var ignored = caches.reads().lookup(KEY);
        fill(KEY, 1);
        assertThat(caches.reads().lookup(KEY)).isPresent();
        caches.invalidator().objectWritten(KEY);

        assertThat(requests("hit")).isOne();
        assertThat(requests("miss")).isOne();
        assertThat(registry.get("orestes.caching.sketch.stale").gauge().value()).isOne();
    }

    @Test
    void admit_noTimeToLive_isRefusedAndNotReported() {
        assertThat(caches.reads().admitLocally(KEY, caches.reads().issueTicket(KEY), Ttls.NONE))
                .isFalse();

        caches.invalidator().objectWritten(KEY);

        assertThat(isStale(KEY)).isFalse();
        assertThat(ended("object", "changed")).isZero();
    }

    @Test
    void metrics_filterOutgrown_showItsNewSize() {
        for (int i = 0; i <= 10_000; i++) {
            caches.staleKeys().reportRead(KEY + i, clock.millis() + 60_000);
            caches.staleKeys().invalidate(KEY + i);
        }

        assertThat(gauge("orestes.caching.sketch.capacity")).isEqualTo(20_000);
        assertThat(gauge("orestes.caching.sketch.bits")).isEqualTo(191_702);
        assertThat(gauge("orestes.caching.sketch.fill")).isBetween(0.28, 0.32);
        assertThat(registry.get("orestes.caching.sketch.resizes")
                        .tag("to", "larger")
                        .functionCounter()
                        .count())
                .isOne();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double ended(String kind, String by) {
        return registry.get("orestes.caching.ttl.ended")
                .tag("kind", kind)
                .tag("by", by)
                .counter()
                .count();
    }

    private double requests(String result) {
        return registry.get("orestes.caching.response.requests")
                .tag("result", result)
                .functionCounter()
                .count();
    }

    private void guard(String key, Permission readers) {
        caches.reads()
                .put(
                        key,
                        caches.reads().issueTicket(key),
                        TestResponses.of(1, Ttls.NONE, clock.millis()).withReaders(readers));
    }

    private static Principal caller(String role) {
        return new Principal(Set.of(role), false);
    }

    private void fill(String key, long version) {
        long ticket = caches.reads().issueTicket(key);
        assertThat(caches.reads().admitLocally(key, ticket, TTLS)).isTrue();
        caches.reads().put(key, ticket, TestResponses.of(version, TTLS, clock.millis()));
    }

    private boolean isStale(String key) {
        return caches.staleKeys().snapshot().filter().contains(key);
    }
}
