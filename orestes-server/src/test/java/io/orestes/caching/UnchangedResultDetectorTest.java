package io.orestes.caching;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class UnchangedResultDetectorTest {

    private final ManualClock clock = new ManualClock();
    private final UnchangedResultDetector results = new UnchangedResultDetector(clock);

    @Test
    void unchangedSince_nothingChanged_isTheLifeOfTheProcess() {
        long before = results.count("Todo");
        clock.advance(Duration.ofSeconds(7));

        assertThat(results.unchangedSince("Todo", before)).hasValue(Duration.ofSeconds(7));
    }

    @Test
    void unchangedSince_resultOfTheClassChanged_isEmpty() {
        long before = results.count("Todo");
        results.changed("Todo");

        assertThat(results.unchangedSince("Todo", before)).isEmpty();
        assertThat(results.unchangedSince("Todo", results.count("Todo"))).isPresent();
    }

    @Test
    void unchangedSince_resultOfAnotherClassChanged_isPresent() {
        long before = results.count("Todo");
        results.changed("Other");

        assertThat(results.unchangedSince("Todo", before)).isPresent();
    }

    @Test
    void unchangedSince_someWereLeftWithoutAWatch_countsFromThen() {
        clock.advance(Duration.ofSeconds(7));
        results.unwatch(() -> {
            assertThat(results.unchangedSince("Todo", results.count("Todo"))).isEmpty();
            clock.advance(Duration.ofSeconds(1));
        });
        clock.advance(Duration.ofSeconds(2));

        assertThat(results.unchangedSince("Todo", results.count("Todo"))).hasValue(Duration.ofSeconds(2));
    }
}
