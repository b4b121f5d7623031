package io.orestes.coherence;

import com.google.errorprone.annotations.CanIgnoreReturnValue;

/** Threads that end with the test. */
final class Threads {

    private Threads() {}

    @CanIgnoreReturnValue
    static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
