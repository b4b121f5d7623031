package io.orestes.invalidb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LateMatchDetectorTest {

    private final LateMatchDetector lag = new LateMatchDetector();

    @Test
    void tick_writesMatchedInTime_isNeverLate() {
        for (int i = 0; i < 20; i++) {
            int turn = lag.begin();
            assertThat(lag.tick()).isFalse();
            assertThat(lag.tick()).isFalse();
            lag.end(turn);
        }
    }

    @Test
    void waiting_countsWritesOfAllTurnsThatAreNotMatched() {
        int first = lag.begin();
        assertThat(lag.tick()).isFalse();
        int second = lag.begin();
        assertThat(lag.waiting()).isEqualTo(2);

        lag.end(first);
        assertThat(lag.waiting()).isOne();
        lag.end(second);
        assertThat(lag.waiting()).isZero();
    }

    @Test
    void tick_writeWaitsForTooManyTurns_isLateUntilItIsMatched() {
        int stuck = lag.begin();
        turns(LateMatchDetector.MAX_TICKS, false);

        turns(10, true);
        int quick = lag.begin();
        lag.end(quick);
        turns(10, true);

        lag.end(stuck);
        turns(10, false);
    }

    @Test
    void tick_laterWritesWaitToo_isLateAsLongAsAnyOfThem() {
        int first = lag.begin();
        turns(2, false);
        int second = lag.begin();
        turns(2, false);
        turns(1, true);

        lag.end(first);
        turns(2, false);
        turns(10, true);

        lag.end(second);
        turns(10, false);
    }

    private void turns(int count, boolean isLate) {
        assertThat(IntStream.range(0, count).mapToObj(i -> lag.tick())).containsOnly(isLate);
    }
}
