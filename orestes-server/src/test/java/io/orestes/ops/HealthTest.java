package io.orestes.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class HealthTest {

    @Test
    void probeStore_responds_isTheResponseTime() throws Exception {
        assertThat(await(asking(Future.succeededFuture())))
                .hasValueSatisfying(time -> assertThat(time).isBetween(Duration.ZERO, Health.PROBE_TIMEOUT));
    }

    @Test
    void probeStore_fails_isEmpty() throws Exception {
        assertThat(await(asking(Future.failedFuture("unavailable")))).isEmpty();
    }

    /** A store may take as long as its own deadline; a health check does not wait for that. */
    @Test
    void probeStore_doesNotRespond_isEmptyAfterTheTimeLimit() throws Exception {
        Promise<Void> never = Promise.promise();

        assertThat(await(asking(never.future()))).isEmpty();
    }

    private static Future<Optional<Duration>> asking(Future<?> answer) {
        return new Health(new StoreDescription("embedded", List.of()), () -> answer, Optional::empty).probeStore();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
