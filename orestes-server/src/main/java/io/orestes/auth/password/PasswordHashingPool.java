package io.orestes.auth.password;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A thread pool for password hashing with one thread for each processor and a bounded queue.
 * Log-ins block no event loop. They use at most the memory of twice as many hashes as there are
 * threads, since {@link LowPriorityArgon2} may compute one again. Safe for all threads.
 */
public final class PasswordHashingPool {

    static final int MAX_WAITING = 128;

    private final WorkerExecutor workers;
    private final AuthConfig config;
    private final SecureRandom random = new SecureRandom();
    private final Supplier<Argon2> argon;
    private final AtomicInteger waiting = new AtomicInteger();
    private final boolean isBounded;

    /** @param isBounded true if hashes are refused while the queue is full */
    public PasswordHashingPool(Vertx vertx, AuthConfig config, boolean isBounded) {
        this(vertx, config, isBounded, Argon2::fastest);
    }

    /** @param argon called on those threads */
    PasswordHashingPool(Vertx vertx, AuthConfig config, boolean isBounded, Supplier<Argon2> argon) {
        int threads = Runtime.getRuntime().availableProcessors();
        this.workers = vertx.createSharedWorkerExecutor("orestes-passwords", threads);
        this.config = config;
        this.argon = argon;
        this.isBounded = isBounded;
    }

    /** Returns the number of hashes that run or wait. */
    int waiting() {
        return waiting.get();
    }

    Future<PasswordHash> hash(String password) {
        return run(argon -> PasswordHash.of(password, config, random, argon));
    }

    /** Runs work that hashes; fails with {@code TOO_MANY_REQUESTS} if the queue is full. */
    <T> Future<T> run(Function<Argon2, T> work) {
        if (waiting.incrementAndGet() > MAX_WAITING && isBounded) {
            waiting.decrementAndGet();
            return Future.failedFuture(
                    new ApiException(ErrorCode.TOO_MANY_REQUESTS, "Too many log-ins at once; try again in a moment")
                            .withRetryAfter(Duration.ofSeconds(1)));
        }
        return workers.executeBlocking(() -> work.apply(argon.get()), false)
                .onComplete(done -> waiting.decrementAndGet());
    }
}
