package io.orestes.cluster;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeated attempts to start a server while it is temporarily unavailable, up to a time limit. Only
 * an attempt that fails with {@code UNAVAILABLE} is followed by another one. A server of a group
 * loses its membership when its process is suspended for longer than its lease, and that is no
 * reason to end.
 */
public final class StartupRetry {

    private static final Logger log = LoggerFactory.getLogger(StartupRetry.class);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Duration limit;
    private final Duration pause;

    public StartupRetry(Duration limit) {
        this(limit, PAUSE);
    }

    /** @param pause between two attempts */
    StartupRetry(Duration limit, Duration pause) {
        this.limit = limit;
        this.pause = pause;
    }

    /**
     * Blocks until an attempt succeeds.
     *
     * @param attempt starts a server, and releases all resources when it fails
     * @throws ExecutionException when an attempt fails for another reason, or the next would
     *     begin after the limit
     * @throws TimeoutException when the last attempt does not end within the limit
     */
    public <S> S await(Supplier<Future<S>> attempt) throws ExecutionException, InterruptedException, TimeoutException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            try {
                return attempt.get()
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException failure) {
                if (!isTemporary(failure.getCause()) || end - System.nanoTime() <= pause.toNanos()) {
                    throw failure;
                }
                log.warn("The server starts again: {}", failure.getMessage());
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            }
        }
    }

    private static boolean isTemporary(@Nullable Throwable cause) {
        return cause instanceof ApiException refusal && refusal.code() == ErrorCode.UNAVAILABLE;
    }
}
