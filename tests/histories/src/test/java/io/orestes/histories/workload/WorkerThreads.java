package io.orestes.histories.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.histories.cluster.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Threads that work concurrently until they are stopped. Started and ended by one thread. */
final class WorkerThreads {

    private static final Duration LONGEST_END = Duration.ofMinutes(3);

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isOver;

    /** Returns whether all threads are to end. */
    boolean isOver() {
        return isOver;
    }

    /** Returns whether a thread failed; {@link #end} then fails. */
    boolean hasFailed() {
        return failure.get() != null;
    }

    void start(Runnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException | AssertionError broken) {
                        failure.compareAndSet(null, broken);
                    }
                },
                work.getClass().getSimpleName());
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    /**
     * Waits until all threads have ended; fails, with the ends of the servers' logs, if one of them
     * failed.
     */
    void end(Cluster cluster) throws InterruptedException {
        isOver = true;
        for (Thread thread : threads) {
            thread.join(LONGEST_END.toMillis());
            assertThat(thread.isAlive()).as(thread.getName() + " ends").isFalse();
        }
        if (hasFailed()) {
            throw new AssertionError(cluster.lastWords(), failure.get());
        }
    }
}
