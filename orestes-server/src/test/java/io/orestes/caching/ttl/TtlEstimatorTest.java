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
    private final TtlEstimator ttls = new TtlEstimator(TtlConfig.DEFAULTS, clock);

    @Test
    void objectTtl_neverWritten_isTheLongest() {
        assertThat(ttls.objectTtl(KEY)).isEqualTo(new Ttls(600, 3600));
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

    /** The share of copies that became stale before they expired is about the probability asked for. */
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
        ttls.recordQueryInvalidation(QUERY, Duration.ofSeconds(100));
        assertThat(ttls.queryTtl(QUERY, List.of())).isEqualTo(new Ttls(0, 100));

        ttls.recordQueryInvalidation(QUERY, Duration.ofSeconds(200));

        assertThat(ttls.queryTtl(QUERY, List.of())).isEqualTo(new Ttls(0, 130));
    }

    @Test
    void queryTtl_emptyAndNeverChanged_isTheLongest() {
        assertThat(ttls.queryTtl(QUERY, List.of())).isEqualTo(new Ttls(0, 3600));
    }

    @Test
    void clear_writesKnown_forgetsThem() {
        writeEvery(Duration.ofSeconds(1), 10);

        ttls.clear();

        assertThat(ttls.objectTtl(KEY)).isEqualTo(new Ttls(600, 3600));
    }

    @Test
    void config_browserMaxBelowMin_isRefused() {
        TtlConfig d = TtlConfig.DEFAULTS;

        assertThatThrownBy(() -> new TtlConfig(0.5, 0.9, d.min(), Duration.ZERO, d.sharedMax(), d.assumedInterval(), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TtlConfig(1, 0.9, d.min(), d.min(), d.sharedMax(), d.assumedInterval(), 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void writeEvery(Duration interval, int times) {
        for (int i = 0; i < times; i++) {
            clock.advance(interval);
            ttls.recordWrite(KEY);
        }
    }
}
