package io.orestes.store;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Waits for futures, from threads that may block. */
public final class Await {

    private Await() {}

    /** The result; throws the failure if it failed, and also if it takes 30 seconds. */
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

    /** The failure of a future that must fail as the client can be told. */
    public static ApiException failureOf(Future<?> future) {
        return catchThrowableOfType(ApiException.class, () -> await(future));
    }

    /** Waits until all have succeeded or failed. */
    public static void awaitAll(List<? extends Future<?>> futures) {
        await(Future.join(futures).otherwiseEmpty());
    }
}
