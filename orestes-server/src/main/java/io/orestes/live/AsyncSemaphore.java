package io.orestes.live;

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

    private final int most;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int running;

    AsyncSemaphore(int most) {
        this.most = most;
    }

    /** Runs the work on {@code home} when a permit is free; the result completes there, too. */
    <T> Future<T> take(Context home, Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        enter(() -> home.runOnContext(ignored -> Future.succeededFuture()
                .compose(begun -> work.get())
                .onComplete(done)
                .onComplete(over -> leave())));
        return done.future();
    }

    private void enter(Runnable turn) {
        if (begins(turn)) {
            turn.run();
        }
    }

    private synchronized boolean begins(Runnable turn) {
        if (running == most) {
            waiting.addLast(turn);
            return false;
        }
        running++;
        return true;
    }

    private synchronized void leave() {
        Runnable next = waiting.pollFirst();
        if (next == null) {
            running--;
        } else {
            next.run();
        }
    }
}
