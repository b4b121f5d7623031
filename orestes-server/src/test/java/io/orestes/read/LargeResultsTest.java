package io.orestes.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.Filter;
import io.orestes.caching.ManualClock;
import io.orestes.realtime.MatchQuery;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LargeResultsTest {

    private static final MatchQuery ALL = MatchQuery.of("Todo", Filter.ALL);

    private final ManualClock clock = new ManualClock();
    private final LargeResults large = new LargeResults(clock);

    @Test
    void isKnown_forAMinute() {
        assertThat(large.isKnown(ALL)).isFalse();
        large.add(ALL);

        clock.advance(Duration.ofSeconds(59));
        assertThat(large.isKnown(ALL)).isTrue();

        clock.advance(Duration.ofSeconds(1));
        assertThat(large.isKnown(ALL)).isFalse();
    }
}
