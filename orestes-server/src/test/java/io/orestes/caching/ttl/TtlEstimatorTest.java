package io.orestes.caching.ttl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.orestes.caching.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TtlEstimatorTest {

    private static final String KEY = "/db/Todo/a";
    private static final String QUERY = "/db/Todo/query?";

    private final ManualClock clock = new ManualClock();
    private final TtlEstimator ttls = new TtlEstimator(TtlConfig.DEFAULTS, clock, TtlOutcomeListener.IGNORED);

    @Test
    void objectTtl_neverWritten_isTheLongest() {
        assertThat(ttls.objectTtl(KEY)).isEqualTo(new Ttls(600, 3600));
    }

    @Test
    void objectTtl_writtenOnce_isThatOfTheAssumedInterval() {
        ttls.recordWrite(KEY);

        assertThat(ttls.objectTtl(KEY)).isEqualTo(new Ttls(41, 138));
    }

    @Test
    void objectTtl_firstWriteOfAStateLongKnown_countsThatTime() {
        for (int minute = 0; minute < 10; minute++) {
            ttls.recordGrant(KEY, new Ttls(60, 60));
            clock.advance(Duration.ofMinutes(1));
        }
        ttls.recordWrite(KEY);

        assertThat(ttls.objectTtl(KEY)).isEqualTo(new Ttls(415, 1381));
    }

    @Test
    void objectTtl_writtenAtASteadyRate_isTheQuantileOfTheInterval() {
        writeEvery(Duration.ofSeconds(100), 40);

        Ttls ttl = ttls.objectTtl(KEY);

        assertThat(ttl.browserSeconds()).isCloseTo((int) (100 * Math.log(2)), within(1));
        assertThat(ttl.sharedSeconds()).isCloseTo((int) (100 * Math.log(10)), within(1));
    }

    @Test
    void objectTtl_writtenAllTheTime_isTheShortest() {
        writeEvery(Duration.ofMillis(5), 100);

        assertThat(ttls.objectTtl(KEY)).isEqualTo(new Ttls(1, 1));
    }

    @Test
    void objectTtl_restsAfterItsWrites_growsWithTheRest() {
        writeEvery(Duration.ofSeconds(1), 40);
        int busy = ttls.objectTtl(KEY).browserSeconds();

        clock.advance(Duration.ofSeconds(400));

        assertThat(busy).isEqualTo(1);
        assertThat(ttls.objectTtl(KEY).browserSeconds()).isBetween(270, 280);
    }

    /**
     * The share of copies that became stale before they expired is about the configured
     * probability.
     */
    @Test
    void objectTtl_poissonWrites_halfOfTheCopiesOutliveTheirState() {
        Random random = new Random(7);
        int stale = 0;
        for (int write = 0; write < 5000; write++) {
            ttls.recordWrite(KEY);
            long untilNext = (long) (-Math.log(1 - random.nextDouble()) * 100_000);
            stale += untilNext < ttls.objectTtl(KEY).browserSeconds() * 1000L ? 1 : 0;
            clock.advance(Duration.ofMillis(untilNext));
        }

        assertThat(stale / 5000.0).isBetween(0.4, 0.6);
    }

    @Test
    void queryTtl_neverChanged_comesFromTheSumOfItsMembersRates() {
        for (int i = 0; i < 40; i++) {
            ttls.recordWrite("/db/Todo/a");
            ttls.recordWrite("/db/Todo/b");
            clock.advance(Duration.ofSeconds(100));
        }

        Ttls ttl = ttls.queryTtl(QUERY, List.of("/db/Todo/a", "/db/Todo/b", "/db/Todo/never-written"));

        assertThat(ttl.sharedSeconds()).isCloseTo((int) (50 * Math.log(10)), within(1));
        assertThat(ttl.browserSeconds()).isZero();
    }

    @Test
    void queryTtl_changed_followsTheLifetimes() {
        changeAfter(Duration.ofSeconds(100));
        assertThat(ttls.queryTtl(QUERY, List.of())).isEqualTo(new Ttls(0, 100));

        changeAfter(Duration.ofSeconds(200));

        assertThat(ttls.queryTtl(QUERY, List.of())).isEqualTo(new Ttls(0, 130));
    }

    @Test
    void queryTtl_changedAgainBeforeItWasHandedOut_learnsNothingMore() {
        changeAfter(Duration.ofSeconds(100));
        clock.advance(Duration.ofSeconds(1));

        ttls.recordQueryChange(QUERY);

        assertThat(ttls.queryTtl(QUERY, List.of())).isEqualTo(new Ttls(0, 100));
    }

    @Test
    void queryTtl_neverHandedOut_learnsNothing() {
        ttls.recordQueryChange(QUERY);

        assertThat(ttls.queryTtl(QUERY, List.of())).isEqualTo(new Ttls(0, 3600));
    }

    @Test
    void queryTtl_unchangedForLongerThanEver_growsWithTheRest() {
        changeAfter(Duration.ofSeconds(10));

        for (int round = 0; round < 30; round++) {
            Ttls granted = ttls.queryTtl(QUERY, List.of());
            ttls.recordGrant(QUERY, granted);
            clock.advance(Duration.ofSeconds(10));
        }

        assertThat(ttls.queryTtl(QUERY, List.of()).sharedSeconds()).isEqualTo(300);
    }

    /**
     * The query is not read while it is in the cache, and after its expiry only 500 s later. None
     * of the copies outlives its time to live, so the mean of their lives alone would go down to
     * the minimum.
     */
    @Test
    void queryTtl_poissonChangesAndReadsWithGaps_isTheMeanTimeBetweenChanges() {
        Random random = new Random(11);
        double sum = 0;
        for (int read = 0; read < 4000; read++) {
            Ttls granted = ttls.queryTtl(QUERY, List.of());
            sum += granted.sharedSeconds();
            ttls.recordGrant(QUERY, granted);
            long untilChange = (long) (-Math.log(1 - random.nextDouble()) * 200_000);
            long watched = 2 * granted.longestMillis();
            clock.advance(Duration.ofMillis(Math.min(untilChange, watched)));
            if (untilChange < watched) {
                ttls.recordQueryChange(QUERY);
            }
            clock.advance(Duration.ofSeconds(500));
        }

        assertThat(sum / 4000).isBetween(160.0, 300.0);
    }

    @Test
    void rules_offAndFixed_areNotEstimated() {
        TtlConfig d = TtlConfig.DEFAULTS;
        TtlRules rules = TtlRules.parse("Log=off,News=30s/10m", d.browserMax(), d.sharedMax())
                .orElseThrow();
        TtlEstimator ruled = new TtlEstimator(withRules(rules), clock, TtlOutcomeListener.IGNORED);

        assertThat(ruled.objectTtl("/db/Log/a")).isEqualTo(Ttls.NONE);
        assertThat(ruled.queryTtl("/db/Log/query?", List.of())).isEqualTo(Ttls.NONE);
        assertThat(ruled.objectTtl("/db/News/a")).isEqualTo(new Ttls(30, 600));
        assertThat(ruled.queryTtl("/db/News/query?", List.of())).isEqualTo(new Ttls(0, 600));
        assertThat(ruled.objectTtl(KEY)).isEqualTo(new Ttls(600, 3600));
        assertThat(ruled.mayKeep("Log")).isFalse();
        assertThat(ruled.mayKeep("News")).isTrue();
        assertThat(ruled.mayKeep("Todo")).isTrue();
    }

    private static TtlConfig withRules(TtlRules rules) {
        TtlConfig d = TtlConfig.DEFAULTS;
        return new TtlConfig(
                d.browserWriteProbability(),
                d.sharedWriteProbability(),
                d.min(),
                d.browserMax(),
                d.sharedMax(),
                d.assumedInterval(),
                d.trackedKeys(),
                rules);
    }

    private void changeAfter(Duration lifetime) {
        ttls.recordGrant(QUERY, ttls.queryTtl(QUERY, List.of()));
        clock.advance(lifetime);
        ttls.recordQueryChange(QUERY);
    }

    @Test
    void queryTtl_emptyAndNeverChanged_isTheLongest() {
        assertThat(ttls.queryTtl(QUERY, List.of())).isEqualTo(new Ttls(0, 3600));
    }

    @Test
    void clear_writesKnown_removesThem() {
        writeEvery(Duration.ofSeconds(1), 10);

        ttls.clear();

        assertThat(ttls.objectTtl(KEY)).isEqualTo(new Ttls(600, 3600));
    }

    @Test
    void config_browserMaxBelowMin_isRefused() {
        TtlConfig d = TtlConfig.DEFAULTS;

        assertThatThrownBy(() -> new TtlConfig(
                        0.5, 0.9, d.min(), Duration.ZERO, d.sharedMax(), d.assumedInterval(), 1, d.rules()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> new TtlConfig(1, 0.9, d.min(), d.min(), d.sharedMax(), d.assumedInterval(), 1, d.rules()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void writeEvery(Duration interval, int times) {
        for (int i = 0; i < times; i++) {
            clock.advance(interval);
            ttls.recordWrite(KEY);
        }
    }
}
