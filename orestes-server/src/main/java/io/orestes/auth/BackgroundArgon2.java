package io.orestes.auth;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The hashes of another one, made by threads that stand back for all others; callers wait. The threads, one for each processor,
 * do nothing else: a thread that they started would stand back, too.
 */
final class BackgroundArgon2 implements Argon2 {

    private final Argon2 argon;
    private final ExecutorService threads =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), BackgroundArgon2::thread);

    BackgroundArgon2(Argon2 argon) {
        this.argon = argon;
    }

    @Override
    public byte[] hash(byte[] password, byte[] salt, int memoryKib, int passes) {
        try {
            return threads.submit(() -> argon.hash(password, salt, memoryKib, passes))
                    .get();
        } catch (InterruptedException | ExecutionException failure) {
            throw new IllegalStateException("A password could not be hashed", failure);
        }
    }

    private static Thread thread(Runnable hashing) {
        Thread thread = new Thread(
                () -> {
                    Niceness.standBack();
                    hashing.run();
                },
                "orestes-hashes");
        thread.setDaemon(true);
        return thread;
    }
}
