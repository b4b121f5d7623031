package io.orestes.transaction;

import io.orestes.realtime.Contexts;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Locks among the transactions of this process: everybody queues up for all objects in one step, and then waits once. */
final class LocalLocks implements Locks {

    private final Vertx vertx;
    private final Map<String, Queue> queues = new HashMap<>();

    LocalLocks(Vertx vertx) {
        this.vertx = vertx;
    }

    @Override
    public Future<Lock> acquire(SortedMap<String, Mode> modes) {
        Promise<Void> released = Promise.promise();
        List<Future<?>> before = enter(modes, released.future());
        Lock lock = () -> leave(modes, released);
        return Contexts.on(vertx.getOrCreateContext(), Future.join(before).map(lock));
    }

    private synchronized List<Future<?>> enter(SortedMap<String, Mode> modes, Future<Void> released) {
        List<Future<?>> before = new ArrayList<>();
        modes.forEach(
                (id, mode) -> queues.computeIfAbsent(id, unused -> new Queue()).enter(mode, released, before));
        return before;
    }

    private void leave(SortedMap<String, Mode> modes, Promise<Void> released) {
        synchronized (this) {
            modes.keySet().forEach(id -> queues.computeIfPresent(id, (same, queue) -> queue.isLeftBy() ? null : queue));
        }
        released.complete();
    }

    /** Whether nobody holds anything or waits. */
    synchronized boolean isIdle() {
        return queues.isEmpty();
    }

    /** Who comes last in the queue of one object: readers behind one writer. */
    private static final class Queue {

        private Future<Void> writer = Future.succeededFuture();
        private final List<Future<Void>> readers = new ArrayList<>();
        private int members;

        /** Adds those to be waited for to {@code before}. */
        private void enter(Mode mode, Future<Void> released, List<Future<?>> before) {
            members++;
            before.add(writer);
            if (mode == Mode.READ) {
                readers.add(released);
            } else {
                before.addAll(readers);
                readers.clear();
                writer = released;
            }
        }

        /** Returns whether that was the last member. */
        private boolean isLeftBy() {
            members--;
            return members == 0;
        }
    }
}
