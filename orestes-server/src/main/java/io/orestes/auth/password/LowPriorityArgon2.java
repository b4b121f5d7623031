package io.orestes.auth.password;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A decorator that computes Argon2 hashes on idle-priority threads, and again on fair threads if
 * late. Callers wait for the hash. Idle-priority threads give way to every thread that becomes
 * ready. Such a thread hardly runs where others keep all processors busy. So a late hash is
 * computed once more by a thread with a fair share of the processor, and the first computation goes
 * on unused. For a while after that, fair threads compute all new hashes. There is one thread of
 * each kind for each processor. These threads do nothing else, because a thread that they start
 * would have low priority, too.
 */
final class LowPriorityArgon2 implements Argon2 {

    /** Time after which a hash is late: ten times the computation time on an idle processor. */
    private static final Duration IDLE_HASH_TIMEOUT = Duration.ofMillis(100);

    /**
     * Time after a late hash for which idle-priority threads are not used. It makes double
     * computations rare while processors are busy or slow.
     */
    private static final Duration IDLE_RETRY_DELAY = Duration.ofSeconds(1);

    private final Argon2 argon;
    private final Duration idleTimeout;
    private final Duration busy;
    private final ExecutorService idle = threads("orestes-idle", ThreadPriority::lowerToIdle);
    private final ExecutorService fair = threads("orestes-hashes", ThreadPriority::lower);

    /** Time in ns by {@link System#nanoTime()} until which idle-priority threads are not used. */
    private volatile long busyUntil = System.nanoTime();

    LowPriorityArgon2(Argon2 argon) {
        this(argon, IDLE_HASH_TIMEOUT, IDLE_RETRY_DELAY);
    }

    /**
     * Creates a decorator with other times.
     *
     * @param patience time after which an idle-priority hash is late
     * @param busy time after a late hash for which idle-priority threads are not used
     */
    LowPriorityArgon2(Argon2 argon, Duration patience, Duration busy) {
        this.argon = argon;
        this.idleTimeout = patience;
        this.busy = busy;
    }

    @Override
    public byte[] hash(byte[] password, byte[] salt, int memoryKib, int passes) {
        Callable<byte[]> hashing = () -> argon.hash(password, salt, memoryKib, passes);
        try {
            return System.nanoTime() - busyUntil < 0 ? fair.submit(hashing).get() : hashWhenIdle(hashing);
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("A password was not hashed", interruption);
        } catch (ExecutionException failure) {
            throw new IllegalStateException("A password could not be hashed", failure);
        }
    }

    private byte[] hashWhenIdle(Callable<byte[]> hashing) throws InterruptedException, ExecutionException {
        Future<byte[]> idleHash = idle.submit(hashing);
        try {
            return idleHash.get(idleTimeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException timeout) {
            busyUntil = System.nanoTime() + busy.toNanos();
            return idleHash.cancel(false) ? fair.submit(hashing).get() : idleHash.get();
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
