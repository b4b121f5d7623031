package io.orestes.live.execution;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * An asynchronous semaphore with a FIFO queue that limits how many operations run at a time.
 * Thread-safe.
 */
final class AsyncSemaphore {

    private final int maxConcurrent;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int running;

    AsyncSemaphore(int permits) {
        this.maxConcurrent = permits;
    }

    /** Runs the work on {@code home} when a permit is free; the result completes there, too. */
    <T> Future<T> run(Context home, Supplier<Future<T>> operation) {
        Promise<T> done = Promise.promise();
        acquire(() -> home.runOnContext(ignored -> Future.succeededFuture()
                .compose(begun -> operation.get())
                .onComplete(done)
                .onComplete(over -> release())));
        return done.future();
    }

    private void acquire(Runnable turn) {
        if (tryAcquire(turn)) {
            turn.run();
        }
    }

    private synchronized boolean tryAcquire(Runnable turn) {
        if (running == maxConcurrent) {
            waiting.addLast(turn);
            return false;
        }
        running++;
        return true;
    }

    private synchronized void release() {
        Runnable next = waiting.pollFirst();
        if (next == null) {
            running--;
        } else {
            next.run();
        }
    }
}
