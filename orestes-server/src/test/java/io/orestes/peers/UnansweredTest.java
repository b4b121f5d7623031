package io.orestes.peers;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class UnansweredTest {

    private static final Duration LONG = Duration.ofDays(1);
    private static final int MOST_BYTES = 1_000;

    private final Unanswered unanswered = new Unanswered(MOST_BYTES);

    @Test
    void sendAgain_comesBeforeWhatWasNotSentInTheOrderOfTelling() {
        for (String key : List.of("a", "b", "c", "d")) {
            var unused = tell(key, LONG);
        }
        List<Long> first = List.of(next(), next(), next());
        unanswered.answered(first.get(1), Confirmation.DONE);

        unanswered.sendAgain();

        assertThat(List.of(next(), next(), next())).containsExactly(first.get(0), first.get(2), first.get(2) + 1);
        assertThat(unanswered.next()).isEmpty();
    }

    /** Without a connection nothing is sent, and nobody must wait for ever for that. */
    @Test
    void failOverdue_sentOrNot_nobodyWaitsButTheMemberIsToldAllTheSame() {
        Future<Confirmation> sent = tell("a", Duration.ZERO);
        long number = next();
        Future<Confirmation> waiting = tell("b", Duration.ZERO);
        Future<Confirmation> inTime = tell("c", LONG);

        unanswered.failOverdue();

        assertThat(failureOf(sent).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failureOf(waiting).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(inTime.isComplete()).isFalse();
        unanswered.sendAgain();
        assertThat(List.of(next(), next())).containsExactly(number, number + 1);
        unanswered.answered(number, Confirmation.DONE);
    }

    @Test
    void isOverfull_countsWhatIsNotAnswered() {
        List<Future<Confirmation>> told = new ArrayList<>();
        while (!unanswered.isOverfull() && told.size() < 100) {
            told.add(tell("a".repeat(50), LONG));
        }
        assertThat(told).hasSizeBetween(5, 20);

        unanswered.answered(next(), Confirmation.DONE);

        assertThat(unanswered.isOverfull()).isFalse();
        assertThat(await(told.get(0))).isEqualTo(Confirmation.DONE);
    }

    @Test
    void end_isTheAnswerToAllBeforeAndAfter() {
        Future<Confirmation> overdue = tell("a", Duration.ZERO);
        unanswered.failOverdue();
        Future<Confirmation> before = tell("b", LONG);

        unanswered.end(Future.succeededFuture(Confirmation.GONE));

        assertThat(await(before)).isEqualTo(Confirmation.GONE);
        assertThat(await(tell("c", LONG))).isEqualTo(Confirmation.GONE);
        assertThat(overdue.failed()).isTrue();
        assertThat(unanswered.next()).isEmpty();
    }

    private Future<Confirmation> tell(String key, Duration deadline) {
        return unanswered.add(new Message.Stale(key), deadline.minusNanos(1));
    }

    private long next() {
        return unanswered.next().orElseThrow().number();
    }
}
