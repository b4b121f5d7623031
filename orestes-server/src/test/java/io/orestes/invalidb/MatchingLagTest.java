package io.orestes.invalidb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MatchingLagTest {

    private final MatchingLag lag = new MatchingLag();

    @Test
    void turn_writesMatchedInTime_isNeverLate() {
        for (int i = 0; i < 20; i++) {
            int turn = lag.begun();
            assertThat(lag.turn()).isFalse();
            assertThat(lag.turn()).isFalse();
            lag.ended(turn);
        }
    }

    @Test
    void waiting_countsWritesOfAllTurnsThatAreNotMatched() {
        int first = lag.begun();
        assertThat(lag.turn()).isFalse();
        int second = lag.begun();
        assertThat(lag.waiting()).isEqualTo(2);

        lag.ended(first);
        assertThat(lag.waiting()).isOne();
        lag.ended(second);
        assertThat(lag.waiting()).isZero();
    }

    @Test
    void turn_writeWaitsForTooManyTurns_isLateUntilItIsMatched() {
        int stuck = lag.begun();
        turns(MatchingLag.TURNS, false);

        turns(10, true);
        int quick = lag.begun();
        lag.ended(quick);
        turns(10, true);

        lag.ended(stuck);
        turns(10, false);
    }

    @Test
    void turn_laterWritesWaitToo_isLateAsLongAsAnyOfThem() {
        int first = lag.begun();
        turns(2, false);
        int second = lag.begun();
        turns(2, false);
        turns(1, true);

        lag.ended(first);
        turns(2, false);
        turns(10, true);

        lag.ended(second);
        turns(10, false);
    }

    private void turns(int count, boolean isLate) {
        assertThat(IntStream.range(0, count).mapToObj(i -> lag.turn())).containsOnly(isLate);
    }
}
