package io.orestes.store;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.model.ApiException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** Waits for futures and conditions, from threads that may block. */
public final class Await {

    private Await() {}

    /**
     * Returns the result, which a caller may ignore; throws the failure if it failed, and also if
     * it takes 30 seconds.
     */
    @CanIgnoreReturnValue
    public static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Returns the failure of a future that must fail with an {@link ApiException}. */
    public static ApiException failureOf(Future<?> future) {
        return catchThrowableOfType(ApiException.class, () -> await(future));
    }

    /** Waits until all have succeeded or failed. */
    public static void awaitAll(List<? extends Future<?>> futures) {
        await(Future.join(futures).otherwiseEmpty());
    }

    /** Waits until a condition holds, 30 seconds at most. */
    public static void awaitThat(BooleanSupplier condition) {
        Awaitility.with()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .and()
                .dontCatchUncaughtExceptions()
                .await()
                .atMost(Duration.ofSeconds(30))
                .until(condition::getAsBoolean);
    }
}
