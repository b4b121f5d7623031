package io.orestes.auth;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The hashes of another one, made by threads that stand back for all others; callers wait. They are made by threads that give their place to
 * whoever wakes up. Such a thread may hardly run where others keep all processors busy, so what is not there after a while is made once more by one that has its
 * share, and the first is left to itself. There is one of each kind for each processor. They do nothing else: a thread that they started would
 * stand back, too.
 */
final class BackgroundArgon2 implements Argon2 {

    /** Ten times what it takes on a processor of its own. */
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final Argon2 argon;
    private final Duration patience;
    private final ExecutorService idle = threads("orestes-idle", Niceness::standBackForAll);
    private final ExecutorService fair = threads("orestes-hashes", Niceness::standBack);

    BackgroundArgon2(Argon2 argon) {
        this(argon, PATIENCE);
    }

    /** @param patience for how long only processors that nobody else wants are used */
    BackgroundArgon2(Argon2 argon, Duration patience) {
        this.argon = argon;
        this.patience = patience;
    }

    @Override
    public byte[] hash(byte[] password, byte[] salt, int memoryKib, int passes) {
        try {
            return patiently(() -> argon.hash(password, salt, memoryKib, passes));
        } catch (InterruptedException | ExecutionException failure) {
            throw new IllegalStateException("A password could not be hashed", failure);
        }
    }

    private byte[] patiently(Callable<byte[]> hashing) throws InterruptedException, ExecutionException {
        Future<byte[]> whenIdle = idle.submit(hashing);
        try {
            return whenIdle.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException othersAreBusy) {
            whenIdle.cancel(false);
            return fair.submit(hashing).get();
        }
    }

    private static ExecutorService threads(String name, Runnable standBack) {
        return Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), hashing -> {
            Thread thread = new Thread(
                    () -> {
                        standBack.run();
                        hashing.run();
                    },
                    name);
            thread.setDaemon(true);
            return thread;
        });
    }
}
