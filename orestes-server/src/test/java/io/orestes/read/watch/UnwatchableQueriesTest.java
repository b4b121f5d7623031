package io.orestes.read.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.orestes.caching.ManualClock;
import io.orestes.invalidb.MatchQuery;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class UnwatchableQueriesTest {

    private static final MatchQuery ALL = MatchQuery.of("Todo", Filter.ALL);

    private final ManualClock clock = new ManualClock();
    private final UnwatchableQueries refused = new UnwatchableQueries(clock);

    @Test
    void isKnown_forAMinute() {
        assertThat(refused.isKnown(ALL)).isFalse();
        refused.add(ALL.id());

        clock.advance(Duration.ofSeconds(59));
        assertThat(refused.isKnown(ALL)).isTrue();

        clock.advance(Duration.ofSeconds(1));
        assertThat(refused.isKnown(ALL)).isFalse();
    }
}
