package io.orestes.async;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class BackoffTest {

    /** Generator for which the random cut is 0. */
    private static final RandomGenerator NO_CHANCE = () -> 0;

    private static Backoff backoff(RandomGenerator random) {
        return new Backoff(Duration.ofMillis(20), Duration.ofMillis(500), random);
    }

    private static List<Long> breaks(Backoff backoff, int n) {
        return LongStream.generate(backoff::nextDelayMillis).limit(n).boxed().toList();
    }

    @Test
    void nextDelayMillis_afterFurtherFailures_doublesUpToTheBound() {
        assertThat(breaks(backoff(NO_CHANCE), 7)).containsExactly(20L, 40L, 80L, 160L, 320L, 500L, 500L);
    }

    @Test
    void reset_always_beginsAgain() {
        Backoff backoff = backoff(NO_CHANCE);
        assertThat(breaks(backoff, 5)).hasSize(5);

        backoff.reset();

        assertThat(backoff.nextDelayMillis()).isEqualTo(20);
    }

    @Test
    void nextDelayMillis_byChance_isCutByUpToAHalf() {
        List<Long> firsts = IntStream.range(0, 500)
                .mapToObj(seed -> backoff(new Random(seed)).nextDelayMillis())
                .toList();

        assertThat(firsts).allMatch(pause -> pause >= 10 && pause <= 20).contains(10L, 20L);
    }
}
