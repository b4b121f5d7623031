package io.orestes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

final class StartupRetryTest {

    private final ApiException lostPlace = new ApiException(ErrorCode.UNAVAILABLE, "lost its place");
    private final ApiException broken = new ApiException(ErrorCode.INTERNAL_SERVER_ERROR, "broken");

    private final StartupRetry startupRetry = new StartupRetry(Duration.ofMinutes(1), Duration.ofMillis(1));

    @Test
    void await_placeIsLostTwice_isTheThirdAttempt() throws Exception {
        Queue<Future<String>> attempts = attempts(List.of(
                Future.failedFuture(lostPlace), Future.failedFuture(lostPlace), Future.succeededFuture("server")));

        String server = startupRetry.await(attempts::remove);

        assertThat(server).isEqualTo("server");
        assertThat(attempts).isEmpty();
    }

    @Test
    void await_anotherFailure_isNotAttemptedAgain() {
        Queue<Future<String>> attempts =
                attempts(List.of(Future.failedFuture(broken), Future.succeededFuture("server")));

        assertThatThrownBy(() -> startupRetry.await(attempts::remove))
                .isInstanceOf(ExecutionException.class)
                .hasCause(broken);
        assertThat(attempts).hasSize(1);
    }

    @Test
    void await_nextAttemptWouldBeginAfterTheLimit_failsWithTheReason() {
        StartupRetry impatient = new StartupRetry(Duration.ofSeconds(5), Duration.ofSeconds(10));

        assertThatThrownBy(() -> impatient.await(() -> Future.failedFuture(lostPlace)))
                .isInstanceOf(ExecutionException.class)
                .hasCause(lostPlace);
    }

    @Test
    void await_attemptDoesNotEnd_timesOut() {
        StartupRetry impatient = new StartupRetry(Duration.ofMillis(10), Duration.ofMillis(1));

        assertThatThrownBy(() -> impatient.await(() -> Promise.promise().future()))
                .isInstanceOf(TimeoutException.class);
    }

    private static Queue<Future<String>> attempts(List<Future<String>> results) {
        return new ArrayDeque<>(results);
    }
}
