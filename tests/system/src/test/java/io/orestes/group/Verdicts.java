package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Number of judged cases of a race, and those that were wrong. */
final class Verdicts {

    /** Minimum number of cases of a test. */
    private static final int ENOUGH = Scope.rounds(1_000);

    private static final int SHOWN = 5;

    private final List<String> wrong = new ArrayList<>();
    private int judged;

    /** @param what happened, for a message */
    void judge(boolean isRight, Supplier<String> what) {
        judged++;
        if (!isRight) {
            wrong.add(what.get());
        }
    }

    void requireAllRight() {
        assertThat(judged).as("judged cases").isGreaterThanOrEqualTo(ENOUGH);
        assertThat(wrong.size())
                .as(
                        "%d of %d cases are wrong, the first of them: %s",
                        wrong.size(), judged, wrong.stream().limit(SHOWN).toList())
                .isZero();
    }
}
