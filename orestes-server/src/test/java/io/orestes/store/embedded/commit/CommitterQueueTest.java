package io.orestes.store.embedded.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import org.junit.jupiter.api.Test;

final class CommitterQueueTest {

    private final CommitterQueue queue = new CommitterQueue(2);

    @Test
    void take_severalWaiting_areTakenInOrderOfArrival() {
        CommitterTask first = work();
        CommitterTask second = work();
        queue.add(first);
        queue.add(second);

        assertThat(queue.take(1)).containsExactly(first);
        assertThat(queue.take(5)).containsExactly(second);
        assertThat(queue.poll(5)).isEmpty();
    }

    @Test
    void add_tooMuchWaiting_isUnavailableUntilSomeIsTaken() {
        queue.add(work());
        queue.add(work());

        assertThat(failureToAdd().code()).isEqualTo(ErrorCode.UNAVAILABLE);

        assertThat(queue.take(1)).hasSize(1);
        queue.add(work());
        assertThat(queue.take(5)).hasSize(2);
    }

    @Test
    void close_whatWaits_isStillTakenButNothingAdded() {
        queue.add(work());
        queue.close();

        assertThat(failureToAdd().code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(queue.take(5)).hasSize(1);
        assertThat(queue.take(5)).isEmpty();
    }

    private ApiException failureToAdd() {
        return catchThrowableOfType(ApiException.class, () -> queue.add(work()));
    }

    private static CommitterTask work() {
        return new IncrementalTask() {
            @Override
            public boolean step(CompletionBatch completionBatch) {
                return false;
            }

            @Override
            public void abort(ApiException reason, CompletionBatch completionBatch) {}
        };
    }
}
