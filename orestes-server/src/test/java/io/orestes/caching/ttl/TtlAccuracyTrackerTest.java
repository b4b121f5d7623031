package io.orestes.caching.ttl;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Statistics of the estimator on its own errors. */
final class TtlAccuracyTrackerTest {

    private static final String KEY = "/db/Todo/a";
    private static final String QUERY = "/db/Todo/query?";
    private static final Ttls MINUTE = new Ttls(10, 60);

    private final ManualClock clock = new ManualClock();
    private final List<String> heard = new ArrayList<>();
    private final TtlEstimator ttls = new TtlEstimator(TtlConfig.DEFAULTS, clock, listener());

    @Test
    void recordWrite_whileGranted_endedByAChangeAndWasTooLong() {
        ttls.recordGrant(KEY, MINUTE);
        clock.advance(Duration.ofSeconds(15));

        ttls.recordWrite(KEY);
        ttls.recordWrite(KEY);

        assertThat(heard).containsExactly("OBJECT changed", "OBJECT 4.0");
    }

    @Test
    void recordWrite_afterItExpired_endedUnchangedAndWasTooShort() {
        ttls.recordGrant(KEY, MINUTE);
        clock.advance(Duration.ofMinutes(4));

        ttls.recordWrite(KEY);

        assertThat(heard).containsExactly("OBJECT expired", "OBJECT 0.25");
    }

    @Test
    void recordGrant_again_countsWhatExpiredAndTheLastIsMeasured() {
        ttls.recordGrant(KEY, MINUTE);
        clock.advance(Duration.ofSeconds(30));
        ttls.recordGrant(KEY, MINUTE);
        clock.advance(Duration.ofSeconds(30));
        ttls.recordGrant(KEY, MINUTE);
        clock.advance(Duration.ofSeconds(30));

        ttls.recordWrite(KEY);

        assertThat(heard).containsExactly("OBJECT expired", "OBJECT changed", "OBJECT 2.0");
    }

    @Test
    void recordQueryChange_granted_isOfAQuery() {
        var ignored = ttls.queryTtl(QUERY, List.of());
        ttls.recordGrant(QUERY, MINUTE);
        clock.advance(Duration.ofSeconds(60));

        ttls.recordQueryChange(QUERY);

        assertThat(heard).containsExactly("QUERY expired", "QUERY 1.0");
    }

    private TtlOutcomeListener listener() {
        return new TtlOutcomeListener() {
            @Override
            public void ended(TtlKind kind, boolean isChanged) {
                heard.add(kind + (isChanged ? " changed" : " expired"));
            }

            @Override
            public void measured(TtlKind kind, double grantedToLived) {
                heard.add(kind + " " + grantedToLived);
            }
        };
    }
}
