package io.orestes.replication.link;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class UnackedMessagesTest {

    private static final Duration LONG = Duration.ofDays(1);
    private static final int MOST_BYTES = 1_000;

    private final UnackedMessages unackedMessages = new UnackedMessages(MOST_BYTES);

    @Test
    void requeueSent_always_precedesUnsentMessagesInTheirOrder() {
        for (String key : List.of("a", "b", "c", "d")) {
            var unused = add(key, LONG);
        }
        List<Long> first = List.of(next(), next(), next());
        unackedMessages.acknowledge(first.get(1), DeliveryOutcome.ACKNOWLEDGED);

        unackedMessages.requeueSent();

        assertThat(List.of(next(), next(), next())).containsExactly(first.get(0), first.get(2), first.get(2) + 1);
        assertThat(unackedMessages.next()).isEmpty();
    }

    /** Without a connection nothing is sent, and no caller must wait for ever for that. */
    @Test
    void failOverdue_sentOrNot_endsTheWaitButSendsTheMessageAllTheSame() {
        Future<DeliveryOutcome> sent = add("a", Duration.ZERO);
        long number = next();
        Future<DeliveryOutcome> waiting = add("b", Duration.ZERO);
        Future<DeliveryOutcome> inTime = add("c", LONG);

        unackedMessages.failOverdue();

        assertThat(failureOf(sent).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failureOf(waiting).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(inTime.isComplete()).isFalse();
        unackedMessages.requeueSent();
        assertThat(List.of(next(), next())).containsExactly(number, number + 1);
        unackedMessages.acknowledge(number, DeliveryOutcome.ACKNOWLEDGED);
    }

    @Test
    void isOverfull_countsWhatIsNotAnswered() {
        List<Future<DeliveryOutcome>> outcomes = new ArrayList<>();
        while (!unackedMessages.isOverfull() && outcomes.size() < 100) {
            outcomes.add(add("a".repeat(50), LONG));
        }
        assertThat(outcomes).hasSizeBetween(5, 20);

        unackedMessages.acknowledge(next(), DeliveryOutcome.ACKNOWLEDGED);

        assertThat(unackedMessages.isOverfull()).isFalse();
        assertThat(await(outcomes.get(0))).isEqualTo(DeliveryOutcome.ACKNOWLEDGED);
    }

    @Test
    void completeAll_completesAllBeforeAndAfter() {
        Future<DeliveryOutcome> overdue = add("a", Duration.ZERO);
        unackedMessages.failOverdue();
        Future<DeliveryOutcome> before = add("b", LONG);

        unackedMessages.completeAll(Future.succeededFuture(DeliveryOutcome.MEMBERSHIP_ENDED));

        assertThat(await(before)).isEqualTo(DeliveryOutcome.MEMBERSHIP_ENDED);
        assertThat(await(add("c", LONG))).isEqualTo(DeliveryOutcome.MEMBERSHIP_ENDED);
        assertThat(overdue.failed()).isTrue();
        assertThat(unackedMessages.next()).isEmpty();
    }

    private Future<DeliveryOutcome> add(String key, Duration deadline) {
        return unackedMessages.add(FakeMember.message(key), deadline.minusNanos(1));
    }

    private long next() {
        return unackedMessages.next().orElseThrow().number();
    }
}
